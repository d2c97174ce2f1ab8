"""Control of a game for two: loony moves, handouts, and the long chain rule.

When only long chains and loops are left, neither player wants to open one, and the one who can
make the other do it is *in control*. Faced with an opened chain, a player in control takes all
boxes but two (of a loop, all but four) and declines those with a *double-dealing move*; the other
takes them by *double-crosses*, two boxes with one edge, and has to open the next. To open a long
chain or a loop is therefore *loony*: it leaves the next player to choose who opens the one after.

The theory is about two players. The strings of a position (see `strings`) are the same for any
number of them.

Sources: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000); Elwyn Berlekamp, John
Conway and Richard Guy, Winning Ways, chapter 16 (Academic Press, 1982).
"""

from collections.abc import Iterable
from enum import StrEnum

from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import captures_in_a_row, takeable
from boxroom_engine.games.dots.theory.strings import parts_of, parts_on
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.games.turn_order import seat_after


class Handout(StrEnum):
    """Kind of gift that opening a chain of one or two boxes is."""

    SINGLE = "single"
    """One box: either edge of a chain of one. The next player takes it and has to move on."""
    HALF_HEARTED = "half-hearted"
    """Two boxes or the choice: the first or last edge of a chain of two. The next player takes
    both and has to move on, or declines both by drawing the edge at the other end. A loony move.
    """
    HARD_HEARTED = "hard-hearted"
    """Two boxes and no choice: the edge in the middle of a chain of two. Each box is joined to
    nothing of degree two any more, so the next player takes both and has to move on."""


def handouts(position: Position) -> dict[Move, Handout]:
    """The kind of handout of each edge of the chains of one and two, ascending."""
    found: dict[Move, Handout] = {}
    for chain in parts_of(position).chains:
        if chain.length == 1:
            found.update(dict.fromkeys(chain.edges, Handout.SINGLE))
        elif chain.length == 2:
            first, middle, last = chain.edges
            found |= {first: Handout.HALF_HEARTED, last: Handout.HALF_HEARTED}
            found[middle] = Handout.HARD_HEARTED
    return dict(sorted(found.items()))


def double_dealing_moves(position: Position) -> tuple[Move, ...]:
    """The double-dealing moves that can be played at once, ascending.

    Each declines the last two boxes of a half-open string or the last four of a closed one, and
    leaves nothing of it but pairs. `Opened.double_dealing` says what to take before.
    """
    turns = (opened.double_dealing for opened in parts_of(position).opened)
    return tuple(sorted(turn[0] for turn in turns if turn and len(turn) == 1))


def is_loony(position: Position) -> bool:
    """Whether the player to move wins Nimstring from here, whatever else there is to play besides.

    Nimstring has the moves of Dots and Boxes, but boxes don't count: a player who can't move loses.
    In a loony position boxes are on offer that the player can either take, and move on elsewhere,
    or decline with a double-dealing move, and let the other do so; one of the two wins.
    """
    return _without_free_captures(position) is None


def control(position: Position) -> Seat | None:
    """The seat that is in control if the chains stay as they are, or None if neither can be.

    In a loony position that is the seat to move, and the other one if every move is loony.
    Otherwise it is the one that the long chain rule gives for the long chains of now
    (`control_if`). As long as there are neutral moves or joints, that is a forecast: a chain that
    is opened joins others at its ends. No seat is in control while there is no long chain and no
    loop.

    Raises:
        ValueError: not two seats are in play.
    """
    if position.to_move is None:
        return None
    seat, other = _two_seats(position)
    undrawn = _without_free_captures(position)
    if undrawn is None:
        return seat
    grid = position.game.grid
    parts = parts_on(grid, grid.all_drawn & ~undrawn)
    if not parts.long_chains and not parts.loops:
        return None
    if not parts.neutral and len(parts.long_chains) == len(parts.chains):
        return other
    return control_if(position, len(parts.long_chains))


def control_if(position: Position, long_chains: int) -> Seat:
    """The seat that will be in control if so many long chains are opened from here on.

    The *long chain rule*: on the empty board, control goes to the first seat if the dots less
    the edges of the border and the long chains together are even in number, else to the second.
    (A half border has `rows + cols` edges; none and a full one don't change the parity.)

    Proof, from any position: each move that completes no box passes the turn. With `e` edges
    undrawn, `b` boxes to complete and `d` moves to come that complete two at once, it is passed
    `e − b + d` times, and on an empty board `e − b` is the dots less the border's edges less 1.
    The player in control makes the last turn, because it takes the last chain or loop whole.
    Before that, every long chain brings one double-cross and every loop two. A chain taken whole
    brings none and a loop one, so `d` has the parity of `long_chains − 1` whichever is last.

    What can be taken now without a choice is taken first, by the seat to move. In a loony
    position that seat is in control, since it can choose.

    Raises:
        ValueError: not two seats are in play, or the game is over.
    """
    seat, other = _two_seats(position)
    undrawn = _without_free_captures(position)
    if undrawn is None:
        return seat
    boxes = sum(1 for sides in position.game.grid.sides if sides & undrawn)
    passes = undrawn.bit_count() - boxes + long_chains - 1
    return other if passes % 2 else seat


def _two_seats(position: Position) -> tuple[Seat, Seat]:
    """The seat to move and its only rival."""
    seat, seats, withdrawn = position.to_move, position.game.seats, position.withdrawn
    if seat is None or seats - len(withdrawn) != 2:
        raise ValueError("control is a matter between two seats, one of them to move")
    return seat, seat_after(seat, seats, withdrawn)


def _without_free_captures(position: Position) -> int | None:
    """The undrawn edges of `position` as `_take_without_choice` leaves them."""
    grid = position.game.grid
    return _take_without_choice(grid, grid.all_drawn & ~position.edges, takeable(position))


def _take_without_choice(grid: Grid, undrawn: int, near: Iterable[Move]) -> int | None:
    """The edges left of `undrawn` after all captures without a choice; None if it is loony.

    `near` is as for `captures_in_a_row`. In Nimstring it never hurts to take a box unless its last
    edge leads to a box of degree two (Winning Ways). Then the player can take both, or decline
    both by drawing the other edge of the second: the rest is the same, and either player can be
    the one to move in it. That is loony. Only where that other edge would take a third box, of
    degree one, there is no such choice, and the three may as well be taken.
    """
    for box, edge, left in captures_in_a_row(grid, undrawn, near):
        undrawn = left
        beyond = _across(grid, box, grid.bits[edge])
        other_edge = 0 if beyond is None else grid.sides[beyond] & undrawn
        if beyond is not None and other_edge.bit_count() == 1:
            third = _across(grid, beyond, other_edge)
            if third is None or grid.sides[third] & undrawn != other_edge:
                return None
    return undrawn


def _across(grid: Grid, box: int, side: int) -> int | None:
    """The box beyond the one edge in the set `side` as seen from `box`; None for the ground."""
    beside = grid.boxes_beside[side.bit_length() - 1]
    return next((other for other, _ in beside if other != box), None)
