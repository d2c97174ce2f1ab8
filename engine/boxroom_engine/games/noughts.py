"""Noughts and crosses on 3×3 cells, for two or three players.

Three in a row wins; a full board without is a draw. Cells are numbered from 0, row by row. A
move is typed as the cell's number (`5`) or as its row and column (`1,2`).

A position as text is the cells, each `.` or the number of the seat that marked it, the seat
to move (`-` when the game is over) and the seats withdrawn (`-` for none): `0.1....../0/-`.
"""

import re
from collections.abc import Hashable, Iterator, Mapping
from operator import itemgetter

import msgspec

from boxroom_engine.games import turning, turns
from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    IllegalMove,
    MalformedMove,
    MoveOutOfRange,
)
from boxroom_engine.games.protocol import GameKind, Move, OptionValue, Outcome, Seat, State

SIDE = 3
CELLS = SIDE * SIDE

LINES = (
    *(tuple(range(row * SIDE, row * SIDE + SIDE)) for row in range(SIDE)),
    *(tuple(range(col, CELLS, SIDE)) for col in range(SIDE)),
    tuple(range(0, CELLS, SIDE + 1)),
    tuple(range(SIDE - 1, CELLS - 1, SIDE - 1)),
)
"""The cells of each row, each column and both diagonals."""

_IMAGES = tuple(itemgetter(*image) for image in turning.images((SIDE, SIDE)))
"""Each takes the cells in the order in which they lie on a board that is turned or mirrored."""

_CELL = re.compile(r"0*([0-9])")
_ROW_AND_COL = re.compile(r"0*([0-9])\s*,\s*0*([0-9])")
_NUMBERS = re.compile(r"[0-9]+(?:\s*,\s*[0-9]+)?")
_ATTEMPT = re.compile(r"[+-]?[0-9]\S*|[+-]?[0-9]+\s*,\s*\S+")
_POSITION = re.compile(r"([.0-9]{9})/([0-9]|-)/([0-9](?:,[0-9])*|-)")


class CellTaken(IllegalMove):
    """Somebody marked the cell before."""

    code = "cell_taken"


class Noughts(msgspec.Struct, frozen=True):
    """Noughts and crosses for `seats` players, 2 or 3."""

    seats: int

    @property
    def kind(self) -> GameKind:
        """The registry's entry that made this game."""
        return KIND

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """None so far."""
        return {}

    @property
    def longest(self) -> int:
        """The number of cells."""
        return CELLS

    @property
    def how_to_move(self) -> str:
        """What somebody needs to know who has never entered a move."""
        return (
            "To mark a cell, type its number: 0 to 8, row by row from the top left. Its row and"
            " column, counted from 0, do as well: 1,2 is cell 5."
        )

    def initial(self) -> "Position":
        """The empty board, seat 0 to move."""
        return Position(self, (None,) * CELLS, Seat(0))

    def looks_like_move(self, text: str) -> bool:
        """Whether a person who types `text` means a move: "5" and "1, 2", but also "-1"."""
        return _ATTEMPT.fullmatch(text.strip()) is not None

    def parse_move(self, text: str) -> Move:
        """The cell that `text` names, by its number or by its row and column.

        Raises:
            MalformedMove: it is neither.
            MoveOutOfRange: the board has no such cell.
        """
        text = text.strip()
        if (cell := _CELL.fullmatch(text)) and int(cell[1]) < CELLS:
            return Move(int(cell[1]))
        if place := _ROW_AND_COL.fullmatch(text):
            row, col = int(place[1]), int(place[2])
            if row < SIDE and col < SIDE:
                return Move(row * SIDE + col)
        shown = text if len(text) <= 16 else text[:15] + "…"
        if _NUMBERS.fullmatch(text):
            what = "rows and columns are 0 to 2" if "," in text else "cells are 0 to 8"
            raise MoveOutOfRange(f"{shown} is not on a 3×3 board: {what}")
        raise MalformedMove(
            f"{shown!r} is no move: type a cell, 0 to 8, or its row and column, such as 1,2"
        )

    def format_move(self, move: Move) -> str:
        """The number of the cell, as the board shows it."""
        return str(move)

    def parse_position(self, text: str) -> "Position":
        """The position that `text` describes.

        Raises:
            FormatError: it isn't written as the module says, or contradicts itself.
        """
        match = _POSITION.fullmatch(text)
        if match is None:
            raise FormatError("a position is 9 cells/seat to move/seats withdrawn, 0.1....../0/-")
        cells, to_move, withdrawn = (
            tuple(None if cell == "." else self._parse_seat(cell) for cell in match[1]),
            None if match[2] == "-" else self._parse_seat(match[2]),
            () if match[3] == "-" else tuple(map(self._parse_seat, match[3].split(","))),
        )
        if list(withdrawn) != sorted(set(withdrawn)) or len(withdrawn) == self.seats:
            raise FormatError(f"{match[3]} can't be the seats withdrawn: ascending, not all")
        winners = {seat for line in LINES if (seat := _owner(cells, line)) is not None}
        if len(winners) > 1:
            raise FormatError("two seats have three in a row, but the first one ends the game")
        if winners & set(withdrawn):
            raise FormatError("a seat with three in a row has won, so it can't have withdrawn")
        position = Position(self, cells, to_move, frozenset(withdrawn))
        is_over = bool(winners) or None not in cells or len(withdrawn) == self.seats - 1
        if is_over != position.is_over or to_move in withdrawn:
            right = "nobody ('-')" if is_over else "a seat that hasn't withdrawn"
            raise FormatError(f"{match[2]!r} can't be to move, but {right}")
        return position

    def _parse_seat(self, text: str) -> Seat:
        if int(text) >= self.seats:
            raise FormatError(f"seats are 0 to {self.seats - 1}, not {text}")
        return Seat(int(text))

    def format_position(self, state: State) -> str:
        """One line without spaces that describes `state`, which must be one of this game."""
        assert isinstance(state, Position)
        assert state.game == self
        cells = "".join("." if seat is None else str(seat) for seat in state.cells)
        to_move = "-" if state.to_move is None else state.to_move
        return f"{cells}/{to_move}/{','.join(map(str, sorted(state.withdrawn))) or '-'}"


class Position(msgspec.Struct, frozen=True, eq=False):
    """One position, made by `Noughts.initial` and `parse_position`, `play` and `withdraw`."""

    game: Noughts
    cells: tuple[Seat | None, ...]
    """For each cell the seat that marked it."""
    to_move: Seat | None
    """The seat to move, or None when the game is over."""
    withdrawn: frozenset[Seat] = frozenset()
    """The seats that gave up."""
    last: Move | None = None
    """The last cell marked, if known. For the eye only, so equal positions can differ in it."""

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Position) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct without `eq` brings its own, which asks for identity

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.game, self.cells, self.to_move, self.withdrawn

    @property
    def key(self) -> Hashable:
        """The same for all that turning and mirroring the board makes the same."""
        marks = tuple(-1 if seat is None else seat for seat in self.cells)
        return min(image(marks) for image in _IMAGES), self.to_move, self.withdrawn

    @property
    def ply(self) -> int:
        """How many cells are marked and how many seats withdrew."""
        return CELLS - self.cells.count(None) + len(self.withdrawn)

    @property
    def scores(self) -> tuple[int, ...]:
        """1 for the seat with three in a row, 0 for the others."""
        winners = {self.cells[line[0]] for line in self._won_lines()}
        return tuple(int(seat in winners) for seat in range(self.game.seats))

    @property
    def taken(self) -> tuple[int, ...]:
        """Nothing: marking a cell takes nothing else."""
        return ()

    @property
    def is_over(self) -> bool:
        """Whether there are three in a row, no free cells, or only one seat left."""
        return self.to_move is None

    @property
    def outcome(self) -> Outcome | None:
        """The seat with three in a row or the last one left; nobody if the board is full."""
        if self.to_move is not None:
            return None
        scores = self.scores
        left = [Seat(s) for s in range(self.game.seats) if s not in self.withdrawn]
        winners = left if len(left) == 1 else [seat for seat in left if scores[seat]]
        return Outcome(scores, tuple(winners))

    def legal_moves(self) -> tuple[Move, ...]:
        """Every free cell, ascending; none when the game is over."""
        if self.to_move is None:
            return ()
        return tuple(Move(cell) for cell, seat in enumerate(self.cells) if seat is None)

    def play(self, move: Move) -> "Position":
        """The position after the seat to move marked the cell `move`.

        Raises:
            GameIsOver: nobody is to move.
            MoveOutOfRange: the board has no such cell.
            CellTaken: it has, but it is marked.
        """
        seat = self.to_move
        if seat is None:
            raise GameIsOver("the game is over: no more moves can be played")
        if not 0 <= move < CELLS:
            raise MoveOutOfRange(f"{move} is not on a 3×3 board: cells are 0 to 8")
        if self.cells[move] is not None:
            free = ", ".join(map(str, self.legal_moves()))
            raise CellTaken(f"cell {move} is taken; free: {free}")
        cells = (*self.cells[:move], seat, *self.cells[move + 1 :])
        won = any(_owner(cells, line) is not None for line in LINES if move in line)
        after = (
            None
            if won or None not in cells
            else turns.seat_after(seat, self.game.seats, self.withdrawn)
        )
        return Position(self.game, cells, after, self.withdrawn, move)

    def withdraw(self, seat: Seat) -> "Position":
        """The position after `seat` gave up, on its own turn or another's.

        Raises:
            GameIsOver: there is nothing left to give up.
            IllegalMove: there is no such seat, or it has withdrawn before.
        """
        withdrawn, to_move = turns.withdraw(seat, self.game.seats, self.to_move, self.withdrawn)
        return msgspec.structs.replace(self, withdrawn=withdrawn, to_move=to_move)

    def evaluate(self, seat: Seat) -> float:
        """1 for a win, -1 for a loss, else 0."""
        outcome = self.outcome
        if outcome is None or not outcome.winners:
            return 0.0
        return 1.0 if seat in outcome.winners else -1.0

    def draw(self, look: Look) -> Drawing:
        """The board as text; three in a row are drawn as won."""
        width, height = _CELL_SIZES[look.size]
        vertical, horizontal, crossing = "|-+" if look.ascii_only else "│─┼"
        rule = Span(crossing.join([horizontal * width] * SIDE), Ink.DOT)
        won = {cell for line in self._won_lines() for cell in line}
        rows: list[tuple[Span, ...]] = []
        for row in range(SIDE):
            if row:
                rows.append((rule,))
            for y in range(height):
                spans: list[Span] = []
                for cell in range(row * SIDE, row * SIDE + SIDE):
                    if cell % SIDE:
                        spans.append(Span(vertical, Ink.DOT))
                    spans.append(self._draw_cell(cell, width, y == height // 2, look, won))
                rows.append(tuple(spans))
        return Drawing(tuple(rows))

    def _draw_cell(self, cell: int, width: int, is_middle: bool, look: Look, won: set[int]) -> Span:
        seat = self.cells[cell]
        if seat is not None:
            text = look.glyphs[seat] if is_middle else ""
            ink = Ink.OWNED if cell in won else Ink.DRAWN
            return Span(text.center(width), ink, seat, fresh=cell == self.last)
        text = "" if not is_middle else str(cell) if look.numbers else "."
        ink = Ink.NUMBER if look.numbers else Ink.OPEN
        # Nobody is to move once the game is over, so the cell is no place to click then.
        move = None if self.to_move is None else Move(cell)
        return Span(text.center(width), ink, move=move)

    def _won_lines(self) -> Iterator[tuple[int, ...]]:
        return (line for line in LINES if _owner(self.cells, line) is not None)


_CELL_SIZES = {Size.COMPACT: (3, 1), Size.NORMAL: (5, 1), Size.LARGE: (9, 3)}
"""Columns and rows of a cell."""


def _owner(cells: tuple[Seat | None, ...], line: tuple[int, ...]) -> Seat | None:
    """The seat that marked all cells of `line`, if one did."""
    first = cells[line[0]]
    return first if all(cells[cell] == first for cell in line) else None


def _build(options: Mapping[str, OptionValue], seats: int) -> Noughts:
    return Noughts(seats)


KIND = GameKind(
    name="noughts",
    title="Noughts and Crosses",
    rules="Mark one free cell on each turn. Three of your marks in a row win.",
    options=(),
    fewest_seats=2,
    most_seats=3,
    build=_build,
)
"""Noughts and crosses in the registry."""
