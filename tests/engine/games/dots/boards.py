"""Boards and positions for the tests of what the theory says about them.

Small boards are gone through exhaustively: every set of drawn edges is a position that a game
can lead to, so nothing that a definition forgets stays unseen.
"""

import random
from collections.abc import Iterator, Set

from hypothesis import strategies as st

from boxroom_engine.games.dots import Border, Dots, Grid, Position
from boxroom_engine.games.dots.theory.captures import degrees, neutral, sacrifices, takeable
from boxroom_engine.games.protocol import Seat

SMALL = [
    Dots(1, 1, Border.NONE, 2),
    Dots(1, 3, Border.NONE, 2),
    Dots(1, 6, Border.FULL, 2),
    Dots(2, 2, Border.NONE, 2),
    Dots(2, 2, Border.HALF, 2),
    Dots(2, 3, Border.HALF, 2),
    Dots(2, 4, Border.FULL, 2),
    Dots(3, 3, Border.FULL, 2),
]
"""With 4 to 12 free edges, 15,000 positions together, loops of 4 to 8 boxes among them."""

LARGER = [
    Dots(1, 5, Border.NONE, 2),
    Dots(2, 3, Border.NONE, 2),
    Dots(2, 4, Border.HALF, 2),
    Dots(3, 3, Border.HALF, 2),
    Dots(3, 4, Border.FULL, 2),
]
"""With 16 to 18 free edges, 650,000 positions together, 138,000 of them endgames."""


def name_of(game: Dots) -> str:
    """A name for a test with `game`."""
    return f"{game.rows}x{game.cols}-{game.border}"


def every_set_of_edges(grid: Grid) -> Iterator[int]:
    """Every set of drawn edges, those with more edges before those with fewer of them."""
    free = grid.all_drawn & ~grid.start
    some = free
    while some:
        yield grid.start | some
        some = (some - 1) & free
    yield grid.start


def position_at(game: Dots, edges: int) -> Position:
    """The position with `edges` drawn, all boxes taken by seat 0, and seat 0 to move."""
    grid = game.grid
    taken = sum(1 << box for box, sides in enumerate(grid.sides) if not sides & ~edges)
    nobody = (0,) * (game.seats - 1)
    to_move = None if edges == grid.all_drawn else Seat(0)
    return Position.of(game, edges, (taken, *nobody), (0, *nobody), to_move)


def every_position(game: Dots) -> Iterator[Position]:
    """Every position of `game`, with all boxes owned by one seat; see `position_at`."""
    return (position_at(game, edges) for edges in every_set_of_edges(game.grid))


def drawn_but(rows: int, cols: int, undrawn: str) -> Position:
    """The board with everything drawn but the edges named, by turns."""
    position = Dots(rows, cols, Border.NONE, 2).initial()
    for move in position.legal_moves():
        if position.game.format_move(move) not in undrawn.split():
            position = position.play(move)
    return position


def drawn_in(position: Position) -> frozenset[int]:
    """The numbers of the edges that are drawn."""
    return frozenset(e for e in range(position.game.grid.edges) if position.edges >> e & 1)


def three_sided(grid: Grid, drawn: Set[int]) -> list[int]:
    """The boxes with exactly three of their sides in `drawn`."""
    return [box for box, around in enumerate(grid.edges_of) if len(drawn & set(around)) == 3]


@st.composite
def positions(draw: st.DrawFn, most_sides: int = 5) -> Position:
    """Positions in which a game was played at random up to some move."""
    rows, cols, border = draw(
        st.tuples(
            st.integers(1, most_sides), st.integers(1, most_sides), st.sampled_from(Border)
        ).filter(lambda board: board != (1, 1, Border.FULL))
    )
    position = Dots(rows, cols, border, 2).initial()
    order = list(position.legal_moves())
    draw(st.randoms(use_true_random=False)).shuffle(order)
    for move in order[: draw(st.integers(0, len(order)))]:
        position = position.play(move)
    return position


@st.composite
def still_positions(draw: st.DrawFn) -> Position:
    """Positions in which nothing can be taken any more."""
    position = draw(positions())
    while edges := takeable(position):
        position = position.play(edges[0])
    return position


def critical_position(game: Dots, rng: random.Random) -> Position:
    """A position to which neutral moves lead, at random, and no further."""
    position = game.initial()
    order = list(position.legal_moves())
    rng.shuffle(order)
    for move in order:
        if move in neutral(position):
            position = position.play(move)
    return position


def endgame_position(game: Dots, rng: random.Random) -> Position:
    """A position with nothing left but chains and loops that aren't opened.

    Joints are dissolved by opening the chains that lead to them, those that cost least first.
    """
    position = critical_position(game, rng)
    grid = game.grid
    while joints := [box for box, degree in enumerate(degrees(position)) if degree > 2]:
        costs = sacrifices(position)
        edges = [edge for edge in costs if any(edge in grid.edges_of[box] for box in joints)]
        position = position.play(min(edges, key=lambda edge: (costs[edge], edge)))
        while takes := takeable(position):
            position = position.play(takes[0])
    return position
