"""Rules of Stonehenge: the game, its positions, its moves and its notation.

Two players claim cells in turn. The first player with at least half of the cells of a ley-line
takes it for good; the first player with at least half of all ley-lines wins, so there is no draw.
The text of a move is the letter of the cell.

A position as text is the cells in order, each `.` or the seat that claimed it, the ley-lines in
the order of `grid` in the same way, the seat to move and the seats withdrawn: `01./0.01.0/0/-`.
The text needs the ley-lines, as both players can have half of one.
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from boxroom_engine.games import turn_order
from boxroom_engine.games.base import GameBase, StateBase
from boxroom_engine.games.drawing import Drawing, Look
from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    IllegalMove,
    MalformedMove,
    MoveOutOfRange,
)
from boxroom_engine.games.geometry import Geometry
from boxroom_engine.games.notation import (
    check_to_move,
    format_to_move,
    format_withdrawn,
    has_only,
    parse_to_move,
    parse_withdrawn,
    shorten,
    without_stop,
)
from boxroom_engine.games.protocol import (
    GameKind,
    Move,
    Option,
    OptionValue,
    Outcome,
    Seat,
    State,
)
from boxroom_engine.games.stonehenge import drawing, geometry
from boxroom_engine.games.stonehenge.grid import MOST_SIZE, Grid, grid_of
from boxroom_engine.phrases import Phrase, phrase

SEATS = 2

_SIZE = Option("game.stonehenge.size", default=3, least=1, most=MOST_SIZE)
_LETTER = re.compile("[A-Za-z]")

Owners = tuple[Seat | None, ...]
"""Owner of each cell or of each ley-line."""


class CellClaimed(IllegalMove):
    """The cell is claimed already."""

    code = "cell_claimed"


@dataclass(frozen=True, slots=True)
class Stonehenge(GameBase):
    """Stonehenge with side length `size`, 1 to `MOST_SIZE`."""

    size: int

    @property
    def kind(self) -> GameKind:
        return KIND

    @property
    def seats(self) -> int:
        """Always two: among more players perhaps none would reach half of the ley-lines."""
        return SEATS

    @property
    def grid(self) -> Grid:
        """The board's tables."""
        return grid_of(self.size)

    @property
    def longest(self) -> int:
        """The number of cells."""
        return len(self.grid.places)

    @property
    def how_to_move(self) -> Phrase:
        """Sentences that tell a new player how to enter a move."""
        return phrase("how_to_move.stonehenge", last=self.grid.names[-1])

    def geometry(self) -> Geometry:
        return geometry.geometry_of(self.grid)

    def initial(self) -> "Position":
        grid = self.grid
        return Position(self, (None,) * len(grid.places), (None,) * len(grid.lines), Seat(0))

    def looks_like_move(self, text: str) -> bool:
        return has_only(_LETTER, text)

    def parse_move(self, text: str) -> Move:
        letter = without_stop(text).upper()
        if _LETTER.fullmatch(letter) is None:
            raise MalformedMove(
                phrase(
                    "move.stonehenge.malformed", text=repr(shorten(text)), last=self.grid.names[-1]
                )
            )
        if letter not in self.grid.names:
            raise MoveOutOfRange(
                phrase("move.stonehenge.cells", move=letter, last=self.grid.names[-1])
            )
        return Move(self.grid.names.index(letter))

    def format_move(self, move: Move) -> str:
        return self.grid.names[move]

    def parse_position(self, text: str) -> "Position":
        parts = text.split("/")
        if len(parts) != 4:
            raise FormatError(
                f"a position has 4 parts, cells/ley-lines/to move/withdrawn, not {len(parts)}"
            )
        cells = _parse_owners(parts[0], self.longest, "cells")
        lines = _parse_owners(parts[1], len(self.grid.lines), "ley-lines")
        to_move = parse_to_move(parts[2], SEATS)
        withdrawn = parse_withdrawn(parts[3], SEATS)
        self._check_lines(cells, lines)
        winners = [seat for seat in range(SEATS) if _has_half(lines, seat)]
        if len(winners) == SEATS or (winners and withdrawn):
            raise FormatError("the game is over as soon as one seat has half of the ley-lines")
        check_to_move(to_move, withdrawn, is_over=bool(winners or withdrawn))
        return Position(self, cells, lines, to_move, withdrawn)

    def _check_lines(self, cells: Owners, lines: Owners) -> None:
        """Check that each ley-line belongs to a seat with half of its cells."""
        for number, (line, owner) in enumerate(zip(self.grid.lines, lines, strict=True)):
            can = [seat for seat in range(SEATS) if _has_half([cells[c] for c in line.cells], seat)]
            if owner is None and can:
                raise FormatError(f"seat {can[0]} has half of ley-line {number}, so it isn't free")
            if owner is not None and owner not in can:
                raise FormatError(
                    f"seat {owner} hasn't half of ley-line {number}, so can't have it"
                )

    def format_position(self, state: State) -> str:
        assert isinstance(state, Position)
        assert state.game == self
        owners = f"{_format_owners(state.cells)}/{_format_owners(state.lines)}"
        return f"{owners}/{format_to_move(state.to_move)}/{format_withdrawn(state.withdrawn)}"


@dataclass(frozen=True, slots=True)
class Position(StateBase):
    """One position, made by `Stonehenge.initial` and `parse_position`, `play` and `withdraw`."""

    game: Stonehenge
    cells: Owners
    """The seat that claimed each cell."""
    lines: Owners
    """The seat that took each ley-line."""
    to_move: Seat | None
    """The seat to move, or None when the game is over."""
    withdrawn: frozenset[Seat] = frozenset()
    """The seat that withdrew, if any."""
    last: Move | None = field(default=None, compare=False)
    """The last cell claimed, if known; only drawings use it, so equal positions can differ."""
    taken: tuple[int, ...] = field(default=(), compare=False)
    """Numbers of the ley-lines that the last move took."""

    @property
    def key(self) -> Hashable:
        """The owners of cells and ley-lines, the seat to move and the seats withdrawn."""
        return self.cells, self.lines, self.to_move, self.withdrawn

    @property
    def ply(self) -> int:
        return len(self.cells) - self.cells.count(None) + len(self.withdrawn)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.lines.count(Seat(seat)) for seat in range(SEATS))

    @property
    def outcome(self) -> Outcome | None:
        """The winner is the seat with half of the ley-lines, or the one that didn't withdraw."""
        if self.to_move is not None:
            return None
        if self.withdrawn:
            winner = next(seat for seat in range(SEATS) if seat not in self.withdrawn)
        else:
            winner = next(seat for seat in range(SEATS) if _has_half(self.lines, seat))
        return Outcome(self.scores, (Seat(winner),))

    def legal_moves(self) -> tuple[Move, ...]:
        if self.to_move is None:
            return ()
        return tuple(Move(cell) for cell, seat in enumerate(self.cells) if seat is None)

    def play(self, move: Move) -> "Position":
        seat, grid = self.to_move, self.game.grid
        if seat is None:
            raise GameIsOver(phrase("move.over"))
        if not 0 <= move < len(self.cells):
            raise MoveOutOfRange(
                phrase("move.stonehenge.number", move=move, last=len(self.cells) - 1)
            )
        if self.cells[move] is not None:
            free = ", ".join(map(self.game.format_move, self.legal_moves()))
            raise CellClaimed(phrase("move.stonehenge.claimed", move=grid.names[move], free=free))
        cells = (*self.cells[:move], seat, *self.cells[move + 1 :])
        taken = tuple(
            line
            for line in grid.lines_of[move]
            if self.lines[line] is None
            and _has_half([cells[cell] for cell in grid.lines[line].cells], seat)
        )
        lines = tuple(seat if line in taken else owner for line, owner in enumerate(self.lines))
        after = (
            None if _has_half(lines, seat) else turn_order.seat_after(seat, SEATS, self.withdrawn)
        )
        return Position(self.game, cells, lines, after, last=move, taken=taken)

    def withdraw(self, seat: Seat) -> "Position":
        withdrawn, to_move = turn_order.withdraw(seat, SEATS, self.to_move, self.withdrawn)
        return Position(self.game, self.cells, self.lines, to_move, withdrawn, self.last)

    def evaluate(self, seat: Seat) -> float:
        """Return 1 for a win, -1 for a loss; earlier, the lead in ley-lines as a share of all."""
        outcome = self.outcome
        if outcome is not None:
            return 1.0 if seat in outcome.winners else -1.0
        ahead = 2 * self.scores[seat] - sum(self.scores)
        return ahead / len(self.lines)

    def draw(self, look: Look) -> Drawing:
        return drawing.draw(self.game.grid, self, look)


def _has_half(owners: Sequence[Seat | None], seat: int) -> bool:
    """Whether at least half of `owners` are `seat`."""
    return 2 * owners.count(Seat(seat)) >= len(owners)


def _parse_owners(text: str, number: int, what: str) -> Owners:
    if re.fullmatch("[.01]*", text) is None or len(text) != number:
        raise FormatError(f"{number} {what} are each written ., 0 or 1, not {shorten(text)!r}")
    return tuple(None if owner == "." else Seat(int(owner)) for owner in text)


def _format_owners(owners: Owners) -> str:
    return "".join("." if owner is None else str(owner) for owner in owners)


def _build(options: Mapping[str, OptionValue], seats: int) -> Stonehenge:
    return Stonehenge(int(options[_SIZE.name]))


KIND = GameKind(
    name="stonehenge",
    options=(_SIZE,),
    fewest_seats=SEATS,
    most_seats=SEATS,
    build=_build,
    only_the_win_counts=True,
    prize=("ley-line", "ley-lines"),
    marks="12",
)
"""Stonehenge in the registry."""
