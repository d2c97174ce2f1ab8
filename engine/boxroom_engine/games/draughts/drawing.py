"""Drawings of draughts.

A square shows its number and the piece on it; kings have brackets, and pieces that can move a
pointer before them, as long as moves show their names. A move belongs to the square on
which it ends. A square on which several moves can end is divided between them, from left to right
by the squares on which they start; moves that find no room stand below the board::

    :::::1  A :::::2  A :::::3  A
    4  A :::::5  A :::::6    :::::
    :::::7    :::::8  A :::::9

A player whose men start at the top sees the board turned round.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from boxroom_engine.games.draughts.board import Board, Squares
from boxroom_engine.games.draughts.moves import Step
from boxroom_engine.games.draughts.pieces import Pieces
from boxroom_engine.games.drawing import Axis, Drawing, Ink, Look, Size, Span
from boxroom_engine.games.protocol import Game, Move, Seat

_CELL_SIZES = {Size.COMPACT: (3, 1), Size.NORMAL: (5, 1), Size.LARGE: (7, 3)}
"""Columns and rows of a square, for marks of one character."""


class Drawable(Protocol):
    """The part of `state.Position` that a drawing shows."""

    @property
    def game(self) -> Game: ...
    @property
    def pieces(self) -> Pieces: ...
    @property
    def steps(self) -> Mapping[Move, Step]: ...
    @property
    def last(self) -> Step | None: ...
    @property
    def movable(self) -> tuple[int, ...]: ...
    def starts_at_top(self, seat: Seat) -> bool: ...
    def legal_moves(self) -> Sequence[Move]: ...


def draw(board: Board, position: Drawable, look: Look) -> Drawing:
    """Draw `position` as `look` wants it."""
    is_turned = look.side is not None and position.starts_at_top(look.side)
    movable = frozenset(position.movable)
    sketch = _Sketch(board, position, look, _moves_by_end(position), movable, is_turned)
    rows = list(sketch.rows())
    below = tuple(sketch.moves_without_room())
    width, height = _cell_size(look)
    axes = Axis(0, width, width, board.size), Axis(0, height, height, board.size)
    return Drawing((*rows, below), None) if below else Drawing(tuple(rows), axes)


def _moves_by_end(position: Drawable) -> Mapping[Squares, list[Move]]:
    """Return the legal moves by the square on which they end, each ascending."""
    by_end: defaultdict[Squares, list[Move]] = defaultdict(list)
    for move in position.legal_moves():
        by_end[position.steps[move].path[-1]].append(move)
    return by_end


@dataclass(frozen=True, slots=True)
class _Sketch:
    """Builder of one drawing."""

    board: Board
    position: Drawable
    look: Look
    moves: Mapping[Squares, list[Move]]
    movable: frozenset[int]
    """Numbers, from 0, of the squares with pieces that can move."""
    is_turned: bool
    """True if the board is turned by half: its last square is at the top left then."""

    def rows(self) -> Iterator[tuple[Span, ...]]:
        """Yield the rows from the top."""
        width, height = _cell_size(self.look)
        light = Span((":" if self.look.ascii_only else "░") * width, Ink.DOT)
        for row in range(self.board.size):
            for y in range(height):
                spans: list[Span] = []
                for bit in self._dark_squares(row):
                    square = self._square(bit) if y == height // 2 else [_space(width)]
                    spans += [*square, light] if row % 2 else [light, *square]
                yield tuple(spans)

    def _dark_squares(self, row: int) -> Sequence[Squares]:
        """Return the squares of a row from the left; both count as the viewer sees them."""
        bits = self.board.bits[::-1] if self.is_turned else self.board.bits
        return bits[row * self.board.half : (row + 1) * self.board.half]

    def moves_without_room(self) -> Iterator[Span]:
        """Yield the moves that don't fit into the squares on which they end."""
        width, _ = _cell_size(self.look)
        for moves in self.moves.values():
            for move in moves[width:]:
                text = self.position.game.format_move(move)
                yield from (Span(text, Ink.NUMBER, move=move), _space(1))

    def _square(self, bit: Squares) -> list[Span]:
        """Return a square, divided between the moves that end there."""
        width, _ = _cell_size(self.look)
        spans, moves = self._undivided(bit), self.moves.get(bit, [])[:width]
        if self.is_turned:
            moves = moves[::-1]
        if not moves:
            return spans
        divided: list[Span] = []
        chars = [(each, char) for each in spans for char in each.text]
        for at, (span, char) in enumerate(chars):
            move = moves[at * len(moves) // width]
            ink = Ink.NUMBER if span.seat is None else span.ink
            part = span._replace(text=char, ink=ink, move=move)
            if divided and divided[-1]._replace(text=char) == part:
                part = part._replace(text=divided.pop().text + char)
            divided.append(part)
        return divided

    def _undivided(self, bit: Squares) -> list[Span]:
        look, (width, _) = self.look, _cell_size(self.look)
        seat = next((each for each in (0, 1) if self.position.pieces.of(each) & bit), None)
        number = str(self.board.number[bit]) if look.numbers else ""
        if seat is None:
            here = number or ("." if bit in self.moves else "")
            return [Span(here.ljust(width) if number else here.center(width), Ink.DOT)]
        is_king = bool(self.position.pieces.kings[seat] & bit)
        mark = look.marks[seat].center(look.widest_mark)
        fresh = self.position.last is not None and self.position.last.path[-1] == bit
        left, right = ("[", "]") if is_king else (" ", " ")
        if look.numbers and self.board.number[bit] - 1 in self.movable:
            left = ">"
        piece = Span(f"{left}{mark}{right}", Ink.DRAWN, Seat(seat), fresh=fresh)
        rest = width - len(piece.text)
        return [piece] if not rest else [Span(number.ljust(rest), Ink.DOT), piece]


def _cell_size(look: Look) -> tuple[int, int]:
    """Return the columns and rows of a square that has room for the longest mark."""
    width, height = _CELL_SIZES[look.size]
    return width + look.widest_mark - 1, height


def _space(width: int) -> Span:
    return Span(" " * width, Ink.GAP)
