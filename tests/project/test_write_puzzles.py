"""The script that writes the puzzles."""

from collections import Counter

from scripts.write_puzzles import chosen, evenly, puzzles_from

from boxroom_common.puzzles import all_puzzles
from boxroom_engine.review.puzzle import Puzzle


def test_the_same_games_lead_to_the_same_puzzles() -> None:
    lines = puzzles_from(1)
    assert len(lines) > 10
    assert [Puzzle.parse(line).format() for line in lines] == lines
    assert puzzles_from(1) == lines != puzzles_from(2)


def test_few_are_chosen_of_each_theme_and_none_twice() -> None:
    puzzles = list(chosen([*all_puzzles(), *all_puzzles()], per_theme=5))
    assert {*Counter(puzzle.theme for puzzle in puzzles).values()} == {5}
    assert len({*puzzles}) == len(puzzles)


def test_grades_and_boards_take_turns() -> None:
    kinds = [(puzzle.position.game.grid.boxes, puzzle.grade) for puzzle in evenly(all_puzzles())]
    assert sorted(kinds[: len({*kinds})]) == sorted({*kinds})
