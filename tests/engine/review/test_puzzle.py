"""Lines of puzzles, the puzzles of a theme, and those of a day."""

from datetime import date, timedelta

import pytest

from boxroom_common.puzzles import all_puzzles
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.errors import FormatError
from boxroom_engine.review.puzzle import GRADES, PER_DAY, Puzzle, of_the_day, with_theme

LINE = "2x2 b6f/0,0/0/- h3 leave_four 2"


def test_a_line_is_read_and_written() -> None:
    puzzle = Puzzle.parse(LINE)
    assert (puzzle.theme, puzzle.grade) == (Theme.LEAVE_FOUR, 2)
    assert puzzle.best == (puzzle.position.game.parse_move("h3"),)
    assert puzzle.name == "b6f/0,0/0/-"
    assert puzzle.format() == LINE


@pytest.mark.parametrize(
    "line",
    [
        "",
        "2x2 b6f/0,0/0/- h3 leave_four",
        "2x b6f/0,0/0/- h3 leave_four 2",
        "0x2 b6f/0,0/0/- h3 leave_four 2",
        "2x2 b6f h3 leave_four 2",
        "2x2 b6f/0,0/0/- h99 leave_four 2",
        "2x2 b6f/0,0/0/- h3 leave_five 2",
        "2x2 b6f/0,0/0/- h3 leave_four two",
    ],
)
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(FormatError, match="no puzzle"):
        Puzzle.parse(line)


def test_to_leave_some_is_mixed_with_to_take_all() -> None:
    mixed = {Theme.LEAVE_TWO, Theme.LEAVE_FOUR, Theme.TAKE_ALL}
    for theme in Theme:
        expected = mixed if theme in mixed else {theme}
        assert {puzzle.theme for puzzle in with_theme(all_puzzles(), theme)} == expected


def test_the_puzzles_of_a_day_come_up_again_when_all_have() -> None:
    puzzles, first = all_puzzles(), date(2026, 11, 28)
    days = -(-len(puzzles) // PER_DAY)
    seen = {each for n in range(days) for each in of_the_day(puzzles, first + timedelta(n))}
    assert seen == {*puzzles}


def test_the_puzzles_of_a_day_are_mixed_and_get_harder() -> None:
    today = of_the_day(all_puzzles(), date(2026, 11, 28))
    assert len({*today}) == PER_DAY
    assert len({puzzle.theme for puzzle in today}) > 3
    assert [puzzle.grade for puzzle in today] == sorted(puzzle.grade for puzzle in today)
    assert {puzzle.grade for puzzle in today} == {*GRADES}
