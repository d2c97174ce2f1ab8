"""What a position of Dots and Boxes consists of: what is there to take, and what to give away.

The *degree* of a box is the number of its sides that aren't drawn. A box of degree one can be
taken. Drawing a side of a box of degree two gives that box away, and with it the whole chain
or loop of such boxes that it is part of, because taking each one makes the next one takeable.
An edge beside no such box is neutral. In the Nimstring picture boxes are vertices, undrawn
edges join them to each other and, at the side of the board, to the ground; boxes of degree
three or four are the joints at which chains end.

Source: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000), whose words these are.

Nothing here plays, chooses or knows of seats.
"""

from collections.abc import Iterable

from boxroom_engine.games.dots.grid import Grid, select
from boxroom_engine.games.dots.state import Position
from boxroom_engine.games.protocol import Move


def takeable(position: Position) -> tuple[Move, ...]:
    """The undrawn edges that complete a box now, or two, ascending."""
    grid = position.game.grid
    return select(grid.moves, _sides_at_degree(grid, position.edges, 1))


def neutral(position: Position) -> tuple[Move, ...]:
    """The undrawn edges that leave neither box beside them with exactly three sides, ascending.

    Also called safe: while nothing is takeable, to draw one gives nothing away.
    """
    grid = position.game.grid
    undrawn = grid.all_drawn & ~position.edges
    return select(grid.moves, undrawn & ~_sides_at_degree(grid, position.edges, 2))


def completed_by(grid: Grid, edges: int, edge: int) -> int:
    """How many boxes, 0 to 2, the undrawn `edge` completes when the set `edges` is drawn."""
    bit = grid.bits[edge]
    return sum(sides & ~edges == bit for _, sides in grid.boxes_beside[edge])


def captures_after(grid: Grid, edges: int, edge: int) -> int:
    """How many boxes can be taken in a row once the undrawn `edge` is added to `edges`.

    In which order they are taken makes no difference: taking one spoils no other.
    """
    drawn = edges | grid.bits[edge]
    last_sides = select(grid.moves, _sides_at_degree(grid, drawn, 1))
    return _captures(grid, grid.all_drawn & ~drawn, last_sides)


def sacrifices(position: Position) -> dict[Move, int]:
    """For every undrawn edge, ascending, how many boxes it lets the next player take in a row.

    The same as `captures_after` for each, but counted once for each chain and loop. It is only
    right where nothing is takeable; elsewhere nobody is forced to a sacrifice.
    """
    grid = position.game.grid
    undrawn = grid.all_drawn & ~position.edges
    costs: dict[int, int] = {}
    moves = select(grid.moves, undrawn)
    for move in moves:
        if move not in costs:
            cost = _captures(grid, undrawn ^ grid.bits[move], [move])
            costs.update(dict.fromkeys(_chain_of(grid, undrawn, move), cost))
    return {move: costs[move] for move in moves}


def _sides_at_degree(grid: Grid, edges: int, degree: int) -> int:
    """The set of the undrawn sides of all boxes with that many of them."""
    undrawn = grid.all_drawn & ~edges
    found = 0
    for sides in grid.sides:
        left = sides & undrawn
        if left.bit_count() == degree:
            found |= left
    return found


def _chain_of(grid: Grid, undrawn: int, edge: int) -> set[int]:
    """The edges that boxes of degree two join to `edge`: those of its chain or loop.

    Whichever of them is drawn, all the others are drawn in taking what it gives away.
    """
    chain = {edge}
    ends = [edge]
    while ends:
        link = ends.pop()
        for _, sides in grid.boxes_beside[link]:
            left = sides & undrawn
            if left.bit_count() == 2:
                following = (left ^ grid.bits[link]).bit_length() - 1
                if following not in chain:
                    chain.add(following)
                    ends.append(following)
    return chain


def _captures(grid: Grid, undrawn: int, near: Iterable[int]) -> int:
    """How many boxes can be taken in a row, beginning with those beside the edges of `near`.

    A joint is taken too when enough of its edges are: where a chain leads from a joint of
    degree three back to it, the third chain follows.
    """
    captured = 0
    beside = list(near)
    while beside:
        for _, sides in grid.boxes_beside[beside.pop()]:
            left = sides & undrawn
            if left.bit_count() == 1:
                undrawn ^= left
                last = left.bit_length() - 1
                captured += sum(not around & undrawn for _, around in grid.boxes_beside[last])
                beside.append(last)
    return captured
