"""The board in words."""

import pytest
from hypothesis import given
from tests.cases import each
from tests.engine.games.dots.boards import positions

from boxroom_client.shell.output.board_in_words import free_moves, turn_in_words
from boxroom_common.phrases import ENGLISH, use_language
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import kind_of


def after(game: str, moves: str, **options: str) -> State:
    """Return the position after `moves` of a game for two."""
    state = kind_of(game).make(options, 2).initial()
    for move in moves.split():
        state = state.play(state.game.parse_move(move))
    return state


@each(
    "moves, words",
    [
        ("", "12 lines are safe."),
        ("h0", "11 lines are safe."),
        ("h0 v0 h2", "1 line takes a box. 8 lines are safe."),
    ],
)
def test_a_turn_tells_the_lines_that_take_a_box_and_those_that_are_safe(
    moves: str, words: str
) -> None:
    assert turn_in_words(after("dots", moves, rows="2", cols="2")) == words


@each("game", ["noughts", "stonehenge", "subtract-square", "draughts"])
def test_other_games_have_moves_alone(game: str) -> None:
    state = after(game, "")
    assert turn_in_words(state) == ""
    (line,) = free_moves(state)
    assert f"{len(state.legal_moves())} moves are possible: " in line


def test_moves_in_a_row_are_said_by_the_first_and_the_last_one() -> None:
    assert [*free_moves(after("dots", "h1 v0 h3", rows="2", cols="2"))] == [
        "9 moves are possible: h0, h2, h4, h5, v1–v5.",
        "0 lines take a box.",
        "7 lines are safe: h0, h2, h4, h5, v3–v5.",
    ]
    assert [*free_moves(after("noughts", "4"))] == ["8 moves are possible: 0–3, 5–8."]
    assert [*free_moves(after("subtract-square", ""))] == ["4 moves are possible: 1, 4, 9, 16."]
    (draughts,) = free_moves(after("draughts", ""))
    assert draughts == "7 moves are possible: 9-13, 9-14, 10-14, 10-15, 11-15, 11-16, 12-16."


@pytest.fixture
def _german() -> object:
    use_language("de")
    yield
    use_language(ENGLISH)


@pytest.mark.usefixtures("_german")
def test_german() -> None:
    assert turn_in_words(after("dots", "")) == "60 Linien sind sicher."


@given(positions())
def test_all_counts_are_those_of_the_lists(position: Position) -> None:
    if position.is_over:
        return
    counts = [int(line.split()[0]) for line in free_moves(position)]
    assert counts[0] == len(position.legal_moves()) >= counts[1] + counts[2]
