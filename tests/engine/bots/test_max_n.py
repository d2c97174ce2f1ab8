"""Max^n against games that are played in all ways, and against what is known."""

import math
import random

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games.dots.oracle import margin

from boxroom_engine.bots.max_n import values_of_moves
from boxroom_engine.bots.protocol import Limit
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import make_game


def no_limit() -> Limit:
    return Limit(math.inf, lambda: 0.0)


def played_out(state: State) -> list[float]:
    """What each seat ends with if all take the first of their best moves."""
    seat = state.to_move
    if seat is None:
        return [state.evaluate(Seat(each)) for each in range(state.game.seats)]
    ends = [played_out(state.play(move)) for move in state.legal_moves()]
    return max(ends, key=lambda end: end[seat])


@st.composite
def late_positions(draw: st.DrawFn, most_seats: int = 4) -> Position:
    """Positions of up to 2×2 boxes with one to six moves left."""
    game = Dots(
        draw(st.integers(1, 2)),
        2,
        draw(st.sampled_from([Border.NONE, Border.HALF])),
        draw(st.integers(2, most_seats)),
    )
    position, left = game.initial(), draw(st.integers(1, 6))
    order = list(position.legal_moves())
    random.Random(draw(st.integers(0, 2**32))).shuffle(order)
    for move in order[: max(0, len(order) - left)]:
        position = position.play(move)
    return position


@given(late_positions())
def test_it_is_what_comes_of_playing_everything_out(position: Position) -> None:
    seat = position.to_move
    assert seat is not None
    values = values_of_moves(position, no_limit())
    assert values == {
        move: played_out(position.play(move))[seat] for move in position.legal_moves()
    }


@given(late_positions(most_seats=2))
def test_for_two_it_is_minimax(position: Position) -> None:
    seat, grid = position.to_move, position.game.grid
    assert seat is not None
    values = values_of_moves(position, no_limit())
    to_come = margin(grid, grid.all_drawn ^ position.edges)
    assert values is not None
    assert max(values.values()) == position.evaluate(seat) + to_come


def test_noughts_and_crosses_is_a_draw() -> None:
    values = values_of_moves(make_game("noughts", {}, 2).initial(), no_limit())
    assert values == dict.fromkeys(range(9), 0.0)


def test_in_between_it_is_told_to_stop() -> None:
    looks = iter(range(100))
    limit = Limit(5, lambda: next(looks))
    assert values_of_moves(make_game("noughts", {}, 2).initial(), limit) is None
    assert next(looks) == 6
