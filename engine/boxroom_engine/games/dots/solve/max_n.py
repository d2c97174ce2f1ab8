"""Exact play for three and more: max^n, in which each player maximizes its own boxes.

What holds for two doesn't carry over: what one player loses isn't what a certain other one wins,
so there is no margin to cut by, and even to take a free box is now and then a mistake. So every
move in every position is looked at, but positions that are the same (`symmetry`) only once.

A position is worth a tuple: the boxes that each seat still gets, from the seat to move on around
the table, if each of them, on its turn, chooses by `preference`. So a value depends on what
is drawn and on how many play, and on nothing else: not on the score so far, nor on how the board
is turned. For two players it says the same as the margin to come of `solver`.

`search.max_n` finds the same in any game, but searches a position anew for every score. Here a
table of undrawn edges is enough.
"""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots.rules.grid import Border, grid_of, select
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.rules.symmetry import symmetry_of
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.games.turn_order import seat_after
from boxroom_engine.preference import choice_key, preference
from boxroom_engine.stopping import Stop

Boxes = tuple[int, ...]
"""Boxes to come, one number a seat: the seat to move first, then in the order of play."""

DEFAULT_TABLE_BYTES = 1 << 30

_ENTRY_BYTES = 256
"""About what a position in the table takes."""


class MaxNSolver:
    """Exact play for a number of players on boards of one size. Remembers its results.

    Args:
        rows: at least 1.
        cols: at least 1.
        players: how many are in play, at least 1; a single one gets all boxes without a search.
        table_bytes: the memory, about, for what it learns. When it is full, searches end as if
            they were stopped: it was too little, and to forget would only make them longer.
    """

    def __init__(
        self, rows: int, cols: int, players: int, table_bytes: int = DEFAULT_TABLE_BYTES
    ) -> None:
        self._grid = grid_of(rows, cols, Border.NONE)
        self._symmetry = symmetry_of(self._grid)  # equivalent positions are searched once
        self._most_values = max(1, table_bytes // _ENTRY_BYTES)
        self._players = players
        # The values of canonical positions, from the player to move on.
        self._values: dict[int, Boxes] = {0: (0,) * players}
        # Of the search that is running:
        self._stop: Stop | None = None
        self._nodes = 0  # positions searched so far

    def solve(self, position: Position, *, stop: Stop | None = None) -> Solved[tuple[int, ...]]:
        """Search the boxes to come of each seat, by its number, and all best moves.

        A move is best if it gives the player to move as many boxes as any other, and the
        other player with the most as few. A seat that withdrew gets none. `stop` is asked at
        every move that is looked at, and ends the search when it says so; what was known by then is
        right and is given back, with the best of the moves that were searched.

        Raises:
            ValueError: the game is over, or not as many seats are in play as the solver is for.
        """
        if position.to_move is None:
            raise ValueError("the game is over: nothing is left to solve")
        seats = _seats_from(position, position.to_move)
        if len(seats) != self._players:
            raise ValueError(f"{len(seats)} seats are in play, not {self._players}")
        undrawn = self._grid.all_drawn & ~position.edges
        left = sum(bool(sides & undrawn) for sides in self._grid.sides)
        if self._players == 1:
            all_boxes = _by_seat(position, seats, (left,))
            return Solved(all_boxes, all_boxes, position.legal_moves(), nodes=0, exact=True)
        self._stop, self._nodes = stop, 0
        reached, exact = self._try_moves(undrawn)
        least, most = self._bounds(reached.values(), left, exact=exact)
        wishes = {move: preference(boxes, 0) for move, boxes in reached.items()}
        best = max(wishes.values(), default=None)
        return Solved(
            least=_by_seat(position, seats, least),
            most=_by_seat(position, seats, most),
            best_moves=tuple(move for move in wishes if wishes[move] == best),
            nodes=self._nodes,
            exact=exact,
        )

    def _try_moves(self, undrawn: int) -> tuple[dict[Move, Boxes], bool]:
        """Values after each move that was searched, and whether all of them were."""
        reached: dict[Move, Boxes] = {}
        try:
            for edge in select(self._grid.moves, undrawn):
                won, after = self._draw(undrawn, edge)
                reached[edge] = _passed_on(won, self._value(after))
        except _Stopped:
            return reached, False
        return reached, True

    def _bounds(self, reached: Iterable[Boxes], left: int, *, exact: bool) -> tuple[Boxes, Boxes]:
        """The least and the most that each can get, with `left` boxes to come.

        If there is more to search, the player to move can do as well at least as it did so far.
        """
        if exact:
            value = _best(reached)
            return value, value
        own = max((boxes[0] for boxes in reached), default=0)
        others = self._players - 1
        return (own, *[0] * others), (left, *[left - own] * others)

    def _value(self, wanted: int) -> Boxes:
        """The value of a canonical position; without recursion, however large the board is."""
        opened = [] if wanted in self._values else [self._open(wanted)]
        while opened:
            node = opened[-1]
            unknown = next((a for _, a in node.options if a not in self._values), None)
            if unknown is None:
                reached = (_passed_on(won, self._values[after]) for won, after in node.options)
                self._values[node.undrawn] = _best(reached)
                opened.pop()
            else:
                opened.append(self._open(unknown))
        return self._values[wanted]

    def _open(self, undrawn: int) -> "_Node":
        self._nodes += 1
        if len(self._values) >= self._most_values:
            raise _Stopped
        edges = select(self._grid.moves, self._symmetry.one_of_each(undrawn, undrawn))
        return _Node(undrawn, [self._draw(undrawn, edge) for edge in edges])

    def _draw(self, undrawn: int, edge: Move) -> tuple[int, int]:
        """The number of boxes that `edge` completes, and the canonical position afterwards."""
        if self._stop is not None and self._stop():
            raise _Stopped
        after = undrawn ^ self._grid.bits[edge]
        won = sum(not sides & after for _, sides in self._grid.boxes_beside[edge])
        return won, self._symmetry.canonical(after)


class _Node(NamedTuple):
    """A position whose value is being searched."""

    undrawn: int
    options: list[tuple[int, int]]
    """For each move the boxes that it completes, and the canonical position afterwards."""


class _Stopped(BoxroomError):
    pass


def _passed_on(won: int, boxes: Boxes) -> Boxes:
    """The boxes to come before a move that wins so many, by those that come after it."""
    return (won + boxes[0], *boxes[1:]) if won else (boxes[-1], *boxes[:-1])


def _best(reached: Iterable[Boxes]) -> Boxes:
    """The value that the player to move chooses, of at least one."""
    return max(reached, key=partial(choice_key, seat=0))


def _seats_from(position: Position, first: Seat) -> list[Seat]:
    """The seats in play, `first` first, in the order of play."""
    seats = [first]
    while (after := seat_after(seats[-1], position.game.seats, position.withdrawn)) != first:
        seats.append(after)
    return seats


def _by_seat(position: Position, seats: Iterable[Seat], boxes: Boxes) -> tuple[int, ...]:
    """`boxes`, which are in the order of `seats`, in that of their numbers."""
    of_seat = dict(zip(seats, boxes, strict=True))
    return tuple(of_seat.get(Seat(seat), 0) for seat in range(position.game.seats))
