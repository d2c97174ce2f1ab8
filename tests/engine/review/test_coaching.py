"""A coach's words: about single moves, and about whole games."""

import pytest
from tests.engine.games.dots.recorded_games import LARGE, SMALL, exactly, positions_of

from boxroom_engine.games.protocol import Seat
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.review.coaching import CoachWords, coached_game, remark
from boxroom_engine.review.position import judged_position
from boxroom_engine.review.review import Reviewing

FROM_PLY = 30


def remarks(record: str, from_ply: int = 0) -> dict[str, CoachWords]:
    """Return what is said of each move of a game."""
    positions = positions_of(record)
    judge = exactly(positions[0].game)
    said = {}
    moves = record.rpartition("|")[2].split()
    for before, text in reversed([*zip(positions, moves, strict=False)][from_ply:]):
        judged = judged_position(before, before.ply, before.game.parse_move(text), judge)
        assert judged is not None
        if (words := remark(before, judged)) is not None:
            said[text] = words
    return said


def summed_up(record: str, seat: int) -> CoachWords:
    positions = positions_of(record, from_ply=FROM_PLY if record == LARGE else 0)
    judge = exactly(positions[0].game)
    reviewing = Reviewing(positions, judge)
    for _ in reviewing.findings():
        pass
    return coached_game(reviewing, Seat(seat), judge)


def test_a_move_that_changes_who_wins_is_told_with_what_was_given_away() -> None:
    said = {move: str(words.said) for move, words in remarks(SMALL).items()}
    assert said == {
        "h0": "h0 gave the draw away; v1 was better.",
        "h1": "h1 gave the win away: it leaves a box that could be taken; v1 was better: it takes a"
        " box.",
    }


def test_nothing_is_said_of_moves_that_only_cost_boxes() -> None:
    """Of the costly moves of a game, those are told after which another one wins."""
    positions = positions_of(LARGE, from_ply=FROM_PLY)
    reviewing = Reviewing(positions, exactly(positions[0].game))
    findings = {each.number: each for each in reviewing.findings()}
    winners = reviewing.judged.expected_winners
    turns = {findings[n].move for n in findings if winners[n - 1] != winners[n]}
    assert 0 < len(turns) < len(findings)
    assert remarks(LARGE, FROM_PLY).keys() == turns


def theme(name: str) -> dict[str, Phrase]:
    return {"theme": phrase(f"puzzle.theme.{name}")}


@pytest.mark.parametrize(
    ("seat", "well", "practise"), [(0, "take_all", "count"), (1, "count", "leave_two")]
)
def test_the_sum_names_a_theme_that_was_found_and_the_one_that_cost_most(
    seat: int, well: str, practise: str
) -> None:
    game = summed_up(LARGE, seat)
    assert game.theme == practise
    assert game.said == phrase(
        "coach.end",
        well=phrase("coach.well", **theme(well)),
        next=phrase("coach.practise", **theme(practise)),
    )


def test_a_game_without_themes_has_words_all_the_same() -> None:
    """One who resigns at once."""
    game = summed_up("dots rows=1 cols=1 border=none | Ada, Bob | ~0", 0)
    none = {"well": phrase("coach.well.none"), "next": phrase("coach.practise.none")}
    assert game == CoachWords(phrase("coach.end", **none))
