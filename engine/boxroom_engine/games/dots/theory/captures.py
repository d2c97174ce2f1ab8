"""Captures: boxes that can be taken in a position, and boxes that each move gives away.

A box of degree one, with one side undrawn, can be taken. Drawing a side of a box of degree two
gives that box away, and with it the whole chain or loop (see `strings`) that it is in, because
taking each box makes the next one takeable. An edge beside no such box is neutral, or safe.

Source: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000), whose words these are.

Every "take all that is on offer" of the theory, the bots and hints is `captures_in_a_row`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boxroom_engine.games.dots.rules.grid import Grid, select
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.strings import Chain, String, parts_of
from boxroom_engine.games.protocol import Move


class Capture(NamedTuple):
    """One edge of a run of captures: it completes one box, or two at once."""

    box: int
    """A box of which it is the last side."""
    edge: Move
    undrawn: int
    """The set of the edges that are undrawn afterwards."""


def degrees(position: Position) -> tuple[int, ...]:
    """For each box its degree, the number of its sides that aren't drawn: 0 when complete."""
    grid = position.game.grid
    undrawn = grid.all_drawn & ~position.edges
    return tuple((sides & undrawn).bit_count() for sides in grid.sides)


def on_offer(position: Position) -> tuple[int, ...]:
    """The boxes that one edge completes, those of degree one, ascending."""
    return tuple(box for box, degree in enumerate(degrees(position)) if degree == 1)


def takeable(position: Position) -> tuple[Move, ...]:
    """The undrawn edges that complete a box now, or two, ascending."""
    grid = position.game.grid
    return select(grid.moves, _sides_of_degree(grid, position.edges, 1))


def boxes_taken(position: Position) -> dict[Move, int]:
    """The number of boxes, 1 or 2, that each of the `takeable` edges completes."""
    grid, drawn = position.game.grid, position.edges
    return {edge: completed_by(grid, drawn, edge) for edge in takeable(position)}


def at_hand(position: Position) -> tuple[Move, ...]:
    """The `takeable` edges that complete a box beside a complete one, ascending."""
    grid, drawn = position.game.grid, position.edges
    beside = 0
    for sides in grid.sides:
        if not sides & ~drawn:
            beside |= sides
    return tuple(
        edge
        for edge in takeable(position)
        if any(
            sides & beside and sides & ~drawn == grid.bits[edge]
            for _, sides in grid.boxes_beside[edge]
        )
    )


def captures(position: Position) -> tuple[int, ...]:
    """The boxes that can be taken in a row from now on, in an order in which they can be.

    That is as many as can be taken without giving up the turn, whatever the order: taking one
    spoils no other.
    """
    grid = position.game.grid
    return tuple(_captures(grid, grid.all_drawn & ~position.edges, takeable(position)))


def neutral(position: Position) -> tuple[Move, ...]:
    """The undrawn edges that complete no box and leave none with exactly three sides, ascending.

    Also called safe: while nothing is takeable, to draw one gives nothing away.
    """
    grid = position.game.grid
    undrawn = grid.all_drawn & ~position.edges
    return select(grid.moves, undrawn & ~_sides_of_degree(grid, position.edges, 1, 2))


def is_critical(position: Position) -> bool:
    """Whether every move is a sacrifice: nothing is takeable and no neutral edge is left.

    From here on the chains are given away. The word is that of the student's General Solution
    (https://github.com/ArthurConmy/EPQ).
    """
    grid = position.game.grid
    is_full = position.edges == grid.all_drawn
    return not (is_full or takeable(position) or neutral(position))


def captures_in_a_row(grid: Grid, undrawn: int, near: Iterable[int]) -> Iterator[Capture]:
    """Take all that can be taken without giving up the turn, edge after edge.

    Every edge is the last side of its box when its turn comes, in whatever order boxes are taken,
    and the edges left at the end are the same in every order.

    Args:
        grid: the board.
        undrawn: the set of edges that aren't drawn.
        near: edges, drawn or not, beside which every box of degree one lies.
    """
    beside = list(near)
    while beside:
        for box, sides in grid.boxes_beside[beside.pop()]:
            left = sides & undrawn
            if left.bit_count() == 1:
                undrawn ^= left
                last = grid.moves[left.bit_length() - 1]
                beside.append(last)
                yield Capture(box, last, undrawn)


def after_taking_all(position: Position) -> Position:
    """The position in which the seat to move has taken everything that it can in this turn."""
    grid = position.game.grid
    near = takeable(position)
    for capture in captures_in_a_row(grid, grid.all_drawn & ~position.edges, near):
        position = position.play(capture.edge)
    return position


def completed_by(grid: Grid, edges: int, edge: int) -> int:
    """How many boxes, 0 to 2, the undrawn `edge` completes when the set `edges` is drawn."""
    bit = grid.bits[edge]
    return sum(sides & ~edges == bit for _, sides in grid.boxes_beside[edge])


def captures_after(grid: Grid, edges: int, edge: int) -> int:
    """How many boxes can be taken in a row after the undrawn `edge` is added to `edges`."""
    drawn = edges | grid.bits[edge]
    last_sides = select(grid.moves, _sides_of_degree(grid, drawn, 1))
    return len(_captures(grid, grid.all_drawn & ~drawn, last_sides))


def sacrifices(position: Position) -> dict[Move, int]:
    """The number of boxes that each undrawn edge, ascending, lets the next player take in a row.

    The same as `captures_after` for each, but counted once for each chain and loop: whichever
    of its edges is drawn, all the others are drawn in taking what it gives away. It is only
    right where nothing is takeable; elsewhere no player is forced to a sacrifice.
    """
    parts = parts_of(position)
    costs = dict.fromkeys(parts.neutral, 0)
    for string in parts.strings:
        costs.update(dict.fromkeys(string.edges, _given_with(position, string)))
    return dict(sorted(costs.items()))


def _given_with(position: Position, string: String) -> int:
    """How many boxes follow from drawing any edge of `string` while nothing is takeable.

    Its own, and more where a chain leads from a joint back to it: that joint may lose enough
    of its edges to be taken too, and a further chain with it.
    """
    if not isinstance(string, Chain) or string.ends[0] != string.ends[1] or string.ends[0] is None:
        return string.length
    grid, opening = position.game.grid, string.edges[0]
    undrawn = grid.all_drawn & ~position.edges ^ grid.bits[opening]
    return len(_captures(grid, undrawn, [opening]))


def _sides_of_degree(grid: Grid, edges: int, *degrees: int) -> int:
    """The set of the undrawn sides of all boxes that have one of `degrees`."""
    undrawn = grid.all_drawn & ~edges
    found = 0
    for sides in grid.sides:
        left = sides & undrawn
        if left.bit_count() in degrees:
            found |= left
    return found


def _captures(grid: Grid, undrawn: int, near: Iterable[int]) -> list[int]:
    """The boxes that can be taken in a row, beginning with those beside the edges of `near`."""
    return [
        box
        for _, edge, left in captures_in_a_row(grid, undrawn, near)
        for box, sides in grid.boxes_beside[edge]
        if not sides & left
    ]
