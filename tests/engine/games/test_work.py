"""The work of a step in any game that a room may play, counted in bytecodes, not in time."""

import random
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.bytecodes import counting
from tests.cases import each

from boxroom_engine.games.noughts.state import MOST_CELLS
from boxroom_engine.games.protocol import Game, Seat
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Settings
from boxroom_engine.room.rules.playing import check_settings

MOST_BYTECODES = 50_000
"""One or two milliseconds."""

LARGEST: list[tuple[str, dict[str, Any]]] = [
    ("dots", {"rows": 49, "cols": 50}),
    ("dots", {"rows": 100, "cols": 24}),
    ("noughts", {"dims": "3,3,3,3,3", "line": 2}),
    ("noughts", {"dims": "20,20", "line": 20}),
    ("noughts", {"dims": "7,7,7", "line": 2}),
    ("noughts", {"dims": "500", "line": 2}),
    ("stonehenge", {"size": 5}),
    ("subtract-square", {"start": 1_000}),
    ("draughts", {"size": "12"}),
    ("draughts", {"rules": "international", "size": "10"}),
]


def steps_of(game: Game, rng: random.Random) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what a room does with the game: some moves, and its end."""
    state = game.initial()  # makes the tables
    for _ in range(5):
        if state.is_over:
            break
        move = rng.choice(state.legal_moves())
        yield "play", lambda state=state, move=move: state.play(move)  # type: ignore[misc]
        state = state.play(move)
    yield "initial", game.initial
    yield "legal_moves", state.legal_moves
    for seat in range(game.seats - 1):
        if not state.is_over:
            yield "withdraw", lambda state=state, seat=seat: state.withdraw(Seat(seat))  # type: ignore[misc]
            state = state.withdraw(Seat(seat))
    for name in ("scores", "outcome", "ply"):
        yield name, lambda state=state, name=name: getattr(state, name)  # type: ignore[misc]
    assert state.is_over


def assert_cheap(game: Game) -> None:
    for name, step in steps_of(game, random.Random(1)):
        with counting() as counter:
            step()
        assert counter.bytecodes < MOST_BYTECODES, f"{name} in {game}"


def is_accepted(game: str, options: dict[str, Any]) -> bool:
    """Return whether a room with these options may be made."""
    try:
        check_settings(Settings(game=game, options=options), RoomLimits())
    except CommandRefused:
        return False
    return True


@each("game, options", LARGEST)
def test_no_step_on_a_large_board_is_dear(game: str, options: dict[str, Any]) -> None:
    assert is_accepted(game, options)
    assert_cheap(make_game(game, options, 2))


def test_every_game_has_a_large_board_here() -> None:
    assert {game for game, _ in LARGEST} == set(KINDS)


@st.composite
def boards_of_noughts(draw: st.DrawFn) -> tuple[list[int], int]:
    """Draw dims of at most `MOST_CELLS` cells, and the length of a line."""
    dims: list[int] = []
    for _ in range(draw(st.integers(1, 8))):
        most = MOST_CELLS // prod(dims)
        if most >= 2:
            dims.append(draw(st.integers(2, most)))
    return dims, draw(st.integers(2, min(20, max(dims))))


@given(boards_of_noughts())
def test_no_step_on_any_board_of_noughts_is_dear(board: tuple[list[int], int]) -> None:
    dims, line = board
    options: dict[str, Any] = {"dims": ",".join(map(str, dims)), "line": line}
    if is_accepted("noughts", options):
        assert_cheap(make_game("noughts", options, 2))


def test_a_board_with_too_many_lines_is_refused_and_still_read() -> None:
    options: dict[str, Any] = {"dims": "3,2,2,2,2,2,2,2", "line": 2}
    assert not is_accepted("noughts", options)
    game = make_game("noughts", options, 2)  # of a room that was made before there was a limit
    assert game.work == 57_152
    state = game.initial().play(game.parse_move("0")).withdraw(Seat(1))
    with counting() as counter:
        assert state.scores == (0, 0)
        assert state.outcome is not None
        assert state.outcome.winners == (0,)
    assert counter.bytecodes < MOST_BYTECODES


def test_flying_kings_are_refused_where_a_capture_is_dear() -> None:
    """A board of 12 rows can be made on which one takes 60 ms."""
    assert not is_accepted("draughts", {"rules": "international", "size": "12"})
