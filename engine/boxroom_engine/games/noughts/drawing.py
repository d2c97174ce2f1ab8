"""Drawings of noughts and crosses.

A board of more than two dimensions is drawn in slices, each below the coordinates that its cells
share. Slices that differ only in the last of these stand beside each other, as many as fit in a
terminal of the usual width; other slices stand below::

     0,·,·        1,·,·
     0 │ 1 │ 2    6 │ 7 │ 8
    ───┼───┼───  ───┼───┼───
     3 │ x │ 5    9 │ o │11
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from boxroom_engine.games.drawing import Axis, Drawing, Ink, Look, Size, Span
from boxroom_engine.games.noughts.board import Board
from boxroom_engine.games.noughts.layout import bands, title
from boxroom_engine.games.protocol import Move, Seat

_CELL_SIZES = {Size.COMPACT: (3, 1), Size.NORMAL: (5, 1), Size.LARGE: (9, 3)}
"""Columns and rows of a cell."""

_BETWEEN_SLICES = 2
"""Columns between two slices."""

_USUAL_WIDTH = 80
"""Default width of terminals."""

_Row = tuple[Span, ...]


class Drawable(Protocol):
    """The part of `state.Position` that a drawing shows."""

    @property
    def cells(self) -> tuple[Seat | None, ...]: ...
    @property
    def to_move(self) -> Seat | None: ...
    @property
    def last(self) -> Move | None: ...


def draw(board: Board, position: Drawable, won: AbstractSet[int], look: Look) -> Drawing:
    """Draw `position` as `look` wants it, with the cells in `won` as won."""
    sketch = _Sketch(board, position, won, look)
    rows: list[_Row] = []
    for band in map(_beside, sketch.bands()):
        rows += [(), *band] if rows else band
    return Drawing(tuple(rows), _axes(board, look.size))


def _axes(board: Board, size: Size) -> tuple[Axis, Axis] | None:
    """Return the columns and the rows of a board of two dimensions."""
    rows, cols = board.slice_shape
    if rows * cols != board.cells:
        return None
    width, height = _CELL_SIZES[size]
    return Axis(0, width + 1, width, cols), Axis(0, height + 1, height, rows)


def _beside(slices: Sequence[Sequence[_Row]]) -> list[_Row]:
    """Return the rows of `slices`, which are equally high, beside each other."""
    gap = (Span(" " * _BETWEEN_SLICES, Ink.GAP),)
    joined: list[_Row] = []
    for parts in zip(*slices, strict=True):
        first, *others = parts
        joined.append((*first, *chain.from_iterable((*gap, *part) for part in others)))
    return joined


@dataclass(frozen=True, slots=True)
class _Sketch:
    """Builder of one drawing."""

    board: Board
    position: Drawable
    won: AbstractSet[int]
    look: Look

    def bands(self) -> Iterator[list[list[_Row]]]:
        """Yield the bands from the top; a band is the slices that stand beside each other."""
        width = sum(len(span.text) for span in next(self._slice(0)))
        for band in bands(self.board, _USUAL_WIDTH, width, _BETWEEN_SLICES):
            yield [list(self._slice(first)) for first in band]

    def _slice(self, first: int) -> Iterator[_Row]:
        """Yield the rows, all equally wide, of the slice that begins with cell `first`."""
        rows, cols = self.board.slice_shape
        width, height = _CELL_SIZES[self.look.size]
        vertical, horizontal, crossing = "|-+" if self.look.ascii_only else "│─┼"
        rule = crossing.join([horizontal * width] * cols)
        name = title(self.board, first, "." if self.look.ascii_only else "·")
        rest = len(name) - len(rule)
        margin = (Span(" " * rest, Ink.GAP),) if rest > 0 else ()
        if name:
            yield (Span(name.center(len(rule)), Ink.DOT),)
        for row in range(first, first + rows * cols, cols):
            if row != first:
                yield (Span(rule, Ink.DOT), *margin)
            for y in range(height):
                spans = [self._cell(cell, y == height // 2) for cell in range(row, row + cols)]
                line = [part for span in spans for part in (Span(vertical, Ink.DOT), span)]
                yield (*line[1:], *margin)

    def _cell(self, cell: int, is_middle: bool) -> Span:
        look, seat = self.look, self.position.cells[cell]
        width, _ = _CELL_SIZES[look.size]
        if seat is not None:
            text = look.marks[seat] if is_middle else ""
            ink = Ink.OWNED if cell in self.won else Ink.DRAWN
            return Span(text.center(width), ink, seat, fresh=cell == self.position.last)
        text = "" if not is_middle else str(cell) if look.numbers else "."
        ink = Ink.NUMBER if look.numbers else Ink.OPEN
        # Once the game is over, no seat is to move, so a click on the cell means nothing.
        move = None if self.position.to_move is None else Move(cell)
        return Span(text.center(width), ink, move=move)
