"""Positions for any number of players, for the tests of bots that think."""

from hypothesis import strategies as st

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Seat


@st.composite
def table_positions(draw: st.DrawFn, most_sides: int = 5) -> Position:
    """Positions of two to five seats, some of which may have withdrawn; never one that is over."""
    side = st.integers(1, most_sides)
    rows, cols, border = draw(
        st.tuples(side, side, st.sampled_from(Border)).filter(
            lambda board: board != (1, 1, Border.FULL)
        )
    )
    game = Dots(rows, cols, border, draw(st.integers(2, 5)))
    position = game.initial()
    order = list(position.legal_moves())
    draw(st.randoms(use_true_random=False)).shuffle(order)
    for move in order[: draw(st.integers(0, len(order) - 1))]:
        position = position.play(move)
    leaving = draw(st.lists(st.integers(0, game.seats - 1), max_size=game.seats - 2, unique=True))
    for seat in leaving:
        position = position.withdraw(Seat(seat))
    return position
