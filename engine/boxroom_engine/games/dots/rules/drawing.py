"""Drawings of positions of Dots and Boxes as text.

The board is made of *dots*, *bars* (horizontal edges), *posts* (vertical edges) and *insides*
(of boxes). A drawn edge is a solid line. An edge that can be drawn shows its name or, where
names aren't wanted, a dotted line; so colour is never needed to tell them apart::

    •━━━━━•━━━━━•  h2 •       •━•━•·•
    ┃  A  ┃  B  ┃     v3      ┃A┃B┃ ┊
    •━━━━━•━━━━━•  h5 •       •━•━•·•

A compact board that would be too wide with names has rulers instead: at the left the name of
the first edge of each line, at the top what to add in each column. Everything that depends on
the size is decided in `_plan`; the rest is the same for all sizes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, assert_never

from boxroom_engine.games.dots.rules.grid import Grid, select
from boxroom_engine.games.drawing import Axis, Drawing, Ink, Look, Size, Span
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.phrases import phrase


class Drawable(Protocol):
    """The part of a position that a drawing shows; each is explained in `state.Position`."""

    @property
    def edges(self) -> int: ...
    @property
    def boxes_of(self) -> tuple[int, ...]: ...
    @property
    def drawn_by(self) -> tuple[int, ...]: ...
    @property
    def to_move(self) -> Seat | None: ...
    @property
    def last(self) -> Move | None: ...
    @property
    def taken(self) -> tuple[int, ...]: ...


def draw(grid: Grid, board: Drawable, look: Look) -> Drawing:
    """`board` in the size and the characters of `look`; all rows are equally wide."""
    sketch = _Sketch(grid, board, look)
    lines = [list(line) for line in sketch.lines()]
    width = max(map(_width, lines))
    for line in lines:
        line.append(_gap(width - _width(line)))
    rows = tuple(tuple(span for span in line if span.text) for line in lines)
    return Drawing(rows, sketch.axes(), sketch.head())


@dataclass(frozen=True, slots=True)
class _Strokes:
    """The characters of the lines, one cell each."""

    dot: str
    bar: str
    post: str
    open_bar: str
    open_post: str


_UNICODE = _Strokes(dot="•", bar="━", post="┃", open_bar="·", open_post="┊")
_ASCII = _Strokes(dot="+", bar="-", post="|", open_bar=".", open_post=":")


@dataclass(frozen=True, slots=True)
class _Plan:
    """Sizes of everything, in cells, and the labels that are shown."""

    width: int
    """Width of a bar, and so of an inside."""
    height: int
    """Height of a post, and so of an inside: odd, because names and glyphs stand in the middle."""
    reach: int
    """The least width of an open post: air around the line makes it easier to hit."""
    margin: int
    """Width left of the first dot: names reach over it, or a ruler stands there."""
    names: bool
    """Whether open edges show their names."""
    rulers: bool
    """Whether the margins have rulers, from which the names follow."""

    @property
    def middle(self) -> int:
        """The row within a post where its name stands."""
        return self.height // 2


_RULER_ROWS = 2
"""Rows of the ruler at the top."""

_USUAL_WIDTH = 80
"""Default width of a terminal: wider compact boards have rulers instead of names."""


def _plan(grid: Grid, look: Look) -> _Plan:
    """The sizes for `look`. But for rulers, toggling the names leaves the board in its place."""
    name, mark = max(len(grid.names[grid.horizontals - 1]), len(grid.names[-1])), look.widest_mark
    match look.size:
        case Size.LARGE:
            width, reach = max(9, name + 4, mark), max(3, name)
            return _Plan(width, 3, reach, _half(reach), look.numbers, rulers=False)
        case Size.NORMAL:
            width, reach = max(5, name + 2, mark), max(3, name)
            return _Plan(width, 1, reach, _half(reach), look.numbers, rulers=False)
        case Size.COMPACT:
            width = max(3, name, mark)
            if grid.cols * (width + 1) + name <= _USUAL_WIDTH:
                return _Plan(width, 1, 1, _half(name), look.numbers, rulers=False)
            margin = name + 1 if look.numbers else 0
            return _Plan(mark, 1, 1, margin, names=False, rulers=look.numbers)
        case never:
            assert_never(never)


class _Sketch:
    """One drawing under construction, line by line."""

    def __init__(self, grid: Grid, board: Drawable, look: Look) -> None:
        self.grid = grid
        self.board = board
        self.look = look
        self.plan = _plan(grid, look)
        """Sizes and labels."""
        self.strokes = _ASCII if look.ascii_only else _UNICODE
        """Characters of the lines."""
        self.drawn_by = _seat_of_each(board.drawn_by, grid.edges)
        """For each edge the seat that drew it, as far as known."""
        self.owned_by = _seat_of_each(board.boxes_of, grid.boxes)
        """For each box the seat that owns it."""

    def lines(self) -> Iterator[Sequence[Span]]:
        """All rows, from top to bottom."""
        grid = self.grid
        if self.plan.rulers:
            yield from self._column_ruler()
        for row in range(grid.rows):
            yield self._bars(row)
            for y in range(self.plan.height):
                yield self._posts(row, y)
        yield self._bars(grid.rows)
        if self.plan.rulers:
            yield self._legend()

    def axes(self) -> tuple[Axis, Axis]:
        """The columns and the rows of boxes."""
        plan, (_, above) = self.plan, self.head()
        return (
            Axis(plan.margin + 1, plan.width + 1, plan.width, self.grid.cols),
            Axis(above + 1, plan.height + 1, plan.height, self.grid.rows),
        )

    def head(self) -> tuple[int, int]:
        """The columns and the rows of the rulers."""
        return (self.plan.margin, _RULER_ROWS) if self.plan.rulers else (0, 0)

    def _bars(self, row: int) -> Sequence[Span]:
        """A line of dots and the horizontal edges between them."""
        first = row * self.grid.cols
        dot = Span(self.strokes.dot, Ink.DOT)
        line = [self._margin(first), dot]
        for edge in range(first, first + self.grid.cols):
            line += self._bar(Move(edge))
            line.append(dot)
        return line

    def _bar(self, edge: Move) -> Sequence[Span]:
        width, name, move = self.plan.width, self.grid.names[edge], self._move(edge)
        if self._is_drawn(edge):
            return [self._drawn(edge, self.strokes.bar * width)]
        if not self.plan.names:
            return [Span(self.strokes.open_bar * width, Ink.OPEN, move=move)]
        if self.plan.height == 1:  # dots around the names would be clutter on a small board
            return [Span(name.center(width), Ink.NUMBER, move=move)]
        label = f" {name} "
        left, right = label.center(width, self.strokes.open_bar).split(label)
        return [
            Span(left, Ink.OPEN, move=move),
            Span(label, Ink.NUMBER, move=move),
            Span(right, Ink.OPEN, move=move),
        ]

    def _posts(self, row: int, y: int) -> Sequence[Span]:
        """Row `y` of a line of boxes: the vertical edges and the insides between them."""
        first = self.grid.edges_of[row * self.grid.cols][2]
        posts = [self._post(Move(first + col), y) for col in range(self.grid.cols + 1)]
        named = first if y == self.plan.middle else None
        line = [self._margin(named, _left_of_dot(posts[0])), posts[0]]
        for col, (left, right) in enumerate(pairwise(posts)):
            width = self.plan.width - _right_of_dot(left) - _left_of_dot(right)
            line.append(self._inside(row * self.grid.cols + col, width, y))
            line.append(right)
        return line

    def _post(self, edge: Move, y: int) -> Span:
        """Row `y` of a vertical edge; wider than one cell it is centred on its dots."""
        if self._is_drawn(edge):
            return self._drawn(edge, self.strokes.post)
        move, reach = self._move(edge), self.plan.reach
        if self.plan.names and y == self.plan.middle:
            return Span(self.grid.names[edge].center(reach), Ink.NUMBER, move=move)
        return Span(self.strokes.open_post.center(reach), Ink.OPEN, move=move)

    def _inside(self, box: int, width: int, y: int) -> Span:
        seat = self.owned_by.get(box)
        if seat is None:
            return _gap(width)
        mark = self.look.marks[seat] if y == self.plan.middle else ""
        return Span(mark.center(width), Ink.OWNED, seat, fresh=box in self.board.taken)

    def _is_drawn(self, edge: Move) -> bool:
        return bool(self.board.edges & self.grid.bits[edge])

    def _move(self, edge: Move) -> Move | None:
        """The move that an open edge stands for; None if the game is over."""
        return None if self.board.to_move is None else edge

    def _drawn(self, edge: Move, text: str) -> Span:
        """A drawn edge; without a seat if the border or a parsed position drew it."""
        fresh = edge == self.board.last
        return Span(text, Ink.DRAWN, self.drawn_by.get(edge), fresh=fresh)

    def _margin(self, first: int | None, overlap: int = 0) -> Span:
        """The left margin but for `overlap` cells; `first` is the edge that a ruler names."""
        width = self.plan.margin - overlap
        if first is None or not self.plan.rulers:
            return _gap(width)
        return Span(f"{self.grid.names[first]} ".rjust(width), Ink.NUMBER)

    def _column_ruler(self) -> Iterator[Sequence[Span]]:
        """The number of each column of boxes: a row of tens, where they change, and of units."""
        cols = range(self.grid.cols)
        tens = (str(col // 10) if col and col % 10 == 0 else "" for col in cols)
        units = (str(col % 10) for col in cols)
        for digits in tens, units:
            text = "".join(digit.ljust(self.plan.width + 1) for digit in digits)
            yield [_gap(self.plan.margin + 1), Span(text.rstrip(), Ink.NUMBER)]

    def _legend(self) -> Sequence[Span]:
        """An example of the use of the rulers; boards that have them have many columns."""
        names, column = self.grid.names, 7
        _, bar, _, _ = self.grid.edges_of[0]
        text = phrase("ruler", move=names[bar], column=column, sum=names[bar + column])
        return [_gap(self.plan.margin), Span(str(text), Ink.NUMBER)]


def _seat_of_each(sets: Sequence[int], size: int) -> dict[int, Seat]:
    """For each member of the sets, which have one set for each seat, its seat."""
    return {
        member: Seat(seat)
        for seat, members in enumerate(sets)
        for member in select(range(size), members)
    }


def _gap(width: int) -> Span:
    return Span(" " * width, Ink.GAP)


def _width(line: Sequence[Span]) -> int:
    return sum(len(span.text) for span in line)


def _left_of_dot(post: Span) -> int:
    """How many cells of a post are left of the dots above and below it."""
    return _half(len(post.text))


def _right_of_dot(post: Span) -> int:
    return len(post.text) - 1 - _left_of_dot(post)


def _half(width: int) -> int:
    """How much of something `width` cells wide is left of its middle cell."""
    return (width - 1) // 2
