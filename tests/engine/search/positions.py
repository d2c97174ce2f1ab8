"""Positions of real games, so near to the end that every search finishes."""

import random

from hypothesis import strategies as st

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.games.registry import make_game


@st.composite
def late_dots(draw: st.DrawFn, most_seats: int = 2) -> Position:
    """Generate positions of up to 2×3 boxes with one to six moves left."""
    game = Dots(
        draw(st.integers(1, 2)),
        draw(st.integers(2, 3)),
        draw(st.sampled_from([Border.NONE, Border.HALF])),
        draw(st.integers(2, most_seats)),
    )
    position, left = game.initial(), draw(st.integers(1, 6))
    order = list(position.legal_moves())
    random.Random(draw(st.integers(0, 2**32))).shuffle(order)
    for move in order[: max(0, len(order) - left)]:
        position = position.play(move)
    return position


@st.composite
def late_noughts(draw: st.DrawFn, most_seats: int = 2) -> State:
    """Generate unfinished positions of noughts and crosses with at most five free cells."""
    state = make_game("noughts", {}, draw(st.integers(2, most_seats))).initial()
    order = draw(st.permutations(range(9)))
    for move in order[: draw(st.integers(4, 8))]:
        after = state.play(Move(move))
        if after.is_over:
            break
        state = after
    return state
