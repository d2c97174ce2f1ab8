"""The viewport on a board: choose a drawing, scroll it, cut its visible rows, locate clicks.

A `Viewport` is the part of a drawing that the pane shows. A drawing that fits is shown whole, in
the middle; with a larger one the last line of the pane is a sign that tells which part is
visible, and the drawing's head stays visible as a table's does. `board_rows` and `move_at` find
cells by the same `cell_at`, so a click means the move under it.

Everything here is a function of its arguments. The drawing changes only with the position and
the display options, so a pane that keeps it pays for `board_rows` alone when the cursor moves.
"""

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from boxroom_client.screen.text.rows import Row, filled
from boxroom_client.shell.output.painting import in_ascii, largest_that_fits, look_for
from boxroom_client.text_width import text_width
from boxroom_common.phrases import say
from boxroom_engine.games.drawing import Axis, Drawing, Ink, Look, Size, Span
from boxroom_engine.games.marks import SEAT_COLOURS
from boxroom_engine.games.protocol import Game, Move, Seat, State

SIGN = "class:board.sign"
_LAST = "class:board.last"


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of a drawing that a pane shows: its first cell, and its size in cells.

    `x` and `y` are negative where empty space comes before a centred drawing.
    """

    x: int
    y: int
    columns: int
    lines: int


# ---------------------------------------------------------------------- the drawing

_NORMAL_COLUMNS, _NORMAL_LINES = 40, 12
"""The least pane for scrolling in normal size: on grids, five boxes each way, and the sign."""


def choose_drawing(
    state: State,
    numbers: Sequence[int],
    *,
    columns: int,
    lines: int,
    size: Size | None = None,
    ascii_only: bool = False,
    names: bool = True,
    side: Seat | None = None,
) -> Drawing:
    """Draw `state` in `size` or, without one, in the size that suits `columns` by `lines` cells.

    That is the largest that fits. If none does, it is the larger of normal and compact that has
    to be scrolled in one direction only; else the normal one, whose moves are wide enough to
    read and to click, unless the pane shows too few of them.
    `numbers` are the glyph numbers of the seats, and `side` is the one that looks at the board.
    """
    look = look_for(state.game.kind, numbers, ascii_only=ascii_only, names=names, side=side)
    if size is None:  # games are hashable, as they promise, but mypy doesn't believe protocols
        size = _size_for_pane(state.game, look, columns, lines)  # type: ignore[arg-type]
    return state.draw(replace(look, size=size))


@lru_cache(maxsize=8)
def _size_for_pane(game: Game, look: Look, columns: int, lines: int) -> Size:
    """Return the size, chosen by the first position: once a game, and no move changes it."""
    initial = game.initial()
    if size := largest_that_fits(initial, look, columns, lines):
        return size
    for size in (Size.NORMAL, Size.COMPACT):
        drawing = initial.draw(replace(look, size=size))
        if scrolls_one_way(drawing.width, drawing.height, columns, lines):
            return size
    normal = initial.draw(replace(look, size=Size.NORMAL))
    is_wide_enough = columns >= min(normal.width, _NORMAL_COLUMNS)
    is_high_enough = lines >= min(normal.height + 1, _NORMAL_LINES)
    return Size.NORMAL if is_wide_enough and is_high_enough else Size.COMPACT


def scrolls_one_way(width: int, height: int, columns: int, lines: int) -> bool:
    """Whether a pane shows all columns, or all lines, of a drawing of that size."""
    return width <= columns or height < lines


# ---------------------------------------------------------------------- scrolling

_MARGIN_COLUMNS, _MARGIN_LINES = 6, 2
"""Margin around a move: on a grid in normal size, the next line each way."""


def scrolled_to(drawing: Drawing, viewport: Viewport, move: Move | None = None) -> Viewport:
    """Return `viewport`, moved as little as possible to show `move` and a margin around it.

    It never shows empty space instead of a part of the drawing, and centres a drawing that
    fits. Without a `move`, or for one that isn't open any more, it does no more than this.
    """
    width, height = drawing.width, drawing.height
    columns, lines = viewport.columns, _lines_for_board(width, height, viewport)
    head_columns, head_lines = _head(drawing, viewport)
    extent = (
        None if move is None else _extent(drawing, move, columns - head_columns, lines - head_lines)
    )
    across, down = extent or (None, None)
    if width <= columns:
        x = _in_the_middle(viewport.x, columns, width, leeway=1)
    else:
        x = _shifted(viewport.x, columns, width, across, margin=_MARGIN_COLUMNS, head=head_columns)
    if height <= lines:
        y = _in_the_middle(viewport.y, lines, height)
    else:
        y = _shifted(viewport.y, lines, height, down, margin=_MARGIN_LINES, head=head_lines)
    return replace(viewport, x=x, y=y)


def _extent(drawing: Drawing, move: Move, columns: int, lines: int) -> tuple[range, range] | None:
    """Return the columns and the rows of the spans of `move`; None if it isn't drawn.

    Where they don't fit into `columns` by `lines` cells, it is their middle.
    """
    xs: list[int] = []
    ys: list[int] = []
    for y, row in enumerate(drawing.rows):
        x = 0
        for span in row:
            end = x + len(span.text)
            if span.move == move:
                xs += (x, end)
                ys.append(y)
            x = end
    if not xs:
        return None
    across, down = range(min(xs), max(xs)), range(min(ys), max(ys) + 1)
    is_too_large = len(across) > columns or len(down) > lines
    if is_too_large and (place := drawing.place_of(move)):
        return range(place[0], place[0] + 1), range(place[1], place[1] + 1)
    return across, down


def _shifted(
    start: int, shown: int, size: int, target: range | None, *, margin: int, head: int
) -> int:
    """Return the start nearest to `start` from which `shown` cells hold `target` and a margin.

    The first `head` of these cells show something else.
    """
    if target is not None:
        margin = max(0, min(margin, (shown - head - len(target)) // 2))
        start = max(min(start, target.start - margin - head), target.stop + margin - shown)
    return max(0, min(start, size - shown))


def _in_the_middle(start: int, shown: int, size: int, leeway: int = 0) -> int:
    """Return the start that centres `size` cells, or `start` if that nearly does.

    Boards get a little narrower when their last moves are played, and a board that jumps by one
    cell would distract.
    """
    middle = (size - shown) // 2
    return start if size - shown <= start <= 0 and abs(start - middle) <= leeway else middle


def _lines_for_board(width: int, height: int, viewport: Viewport) -> int:
    """Return the lines of the pane without the sign, which a pane of one line doesn't have."""
    fits = width <= viewport.columns and height <= viewport.lines
    return viewport.lines if fits or viewport.lines < 2 else viewport.lines - 1


def _head(drawing: Drawing, viewport: Viewport) -> tuple[int, int]:
    """Return the columns and lines of the pane that always show the drawing's head.

    There are none where the board isn't scrolled, and where they would take too much space.
    """
    columns, lines = drawing.head
    has_columns = drawing.width > viewport.columns >= _HEADS * columns
    has_lines = drawing.height > viewport.lines >= _HEADS * lines
    return columns if has_columns else 0, lines if has_lines else 0


_HEADS = 3
"""Least size of a pane with a head, in sizes of the head."""


# ---------------------------------------------------------------------- rows and clicks


def cell_at(drawing: Drawing, viewport: Viewport, x: int, y: int) -> tuple[int, int]:
    """Return the cell of the drawing that the cell of the pane shows, both counted from 0."""
    head_columns, head_lines = _head(drawing, viewport)
    return _behind_head(x, viewport.x, head_columns), _behind_head(y, viewport.y, head_lines)


def _behind_head(at: int, start: int, head: int) -> int:
    return at if at < head else start + at


def board_rows(
    drawing: Drawing,
    viewport: Viewport,
    *,
    numbers: Sequence[int],
    recent: Set[tuple[int, int]] = frozenset(),
    cursor: Move | None = None,
    marked: Collection[Move] = (),
    is_fresh_bright: bool = False,
    ascii_only: bool = False,
) -> list[Row]:
    """Return the pane: `viewport.lines` rows of exactly `viewport.columns` cells.

    `viewport` comes from `scrolled_to`, and `numbers` are the glyph numbers of the seats. The
    last move has the style `board.fresh` or, unless `is_fresh_bright`, `board.last`; the spans
    that begin in the cells of `recent` have `board.last`, too. The move at the cursor has
    `board.cursor`, and the `marked` ones have `board.premove`. All are visible without colour.
    """
    lines = _lines_for_board(drawing.width, drawing.height, viewport)
    fresh = "class:board.fresh" if is_fresh_bright else _LAST
    styles: dict[Move | None, str] = dict.fromkeys(marked, " class:board.premove")
    styles[cursor] = styles.get(cursor, "") + " class:board.cursor"
    head, head_lines = _head(drawing, viewport)
    rows: list[Row] = []
    for line in range(lines):
        y = _behind_head(line, viewport.y, head_lines)
        spans = drawing.rows[y] if 0 <= y < drawing.height else ()
        row: Row = []
        for start, stop in ((0, head), (viewport.x + head, viewport.x + viewport.columns)):
            for x, text, span in _cut(spans, start, stop):
                number = None if span.seat is None else numbers[span.seat]
                is_recent = (x, y) in recent
                style = style_of(
                    span.ink, number, fresh if span.fresh else _LAST if is_recent else ""
                )
                if span.move is not None:
                    style += styles.get(span.move, "")
                row.append((style, text))
        rows.append(row)
    if lines < viewport.lines:
        text = _sign(drawing, lines, viewport, ascii_only=ascii_only)
        rows.append(filled([(SIGN, text)], viewport.columns, SIGN))
    return rows


def move_at(drawing: Drawing, viewport: Viewport, x: int, y: int) -> Move | None:
    """Return the move in column `x` of line `y` of the pane, both from 0, if any."""
    lines = _lines_for_board(drawing.width, drawing.height, viewport)
    if not (0 <= x < viewport.columns and 0 <= y < lines):
        return None
    return drawing.move_at(*cell_at(drawing, viewport, x, y))


def changes(drawing: Drawing, before: Drawing) -> frozenset[tuple[int, int]]:
    """Return the first cells of the spans that were drawn or won since the drawing `before`.

    Both are of one game in one size.
    """
    found = set()
    for y, (row, old) in enumerate(zip(drawing.rows, before.rows, strict=False)):
        cells = [(span.ink, span.seat) for span in old for _ in span.text]
        x = 0
        for span in row:
            middle = x + len(span.text) // 2
            is_same = middle < len(cells) and cells[middle] == (span.ink, span.seat)
            if span.ink in (Ink.DRAWN, Ink.OWNED) and not is_same:
                found.add((x, y))
            x += len(span.text)
    return frozenset(found)


def _cut(spans: Sequence[Span], start: int, stop: int) -> Iterator[tuple[int, str, Span]]:
    """Yield the cells from `start` to `stop`: first cell, text and span; gaps fill them up.

    A name that isn't whole is left out, as `v267` would look like 267.
    """
    x = 0
    if start < min(0, stop):
        yield start, " " * (min(0, stop) - start), _GAP
    for span in spans:
        end = x + len(span.text)
        if x < stop and end > start:
            first, last = max(0, start - x), min(len(span.text), stop - x)
            text = span.text[first:last]
            if span.ink is Ink.NUMBER and len(text) < len(span.text):
                text = _whole_words(span.text, first, last)
            yield x, text, span
        x = end
    rest = stop - max(x, start, 0)
    if rest > 0:
        yield max(x, start), " " * rest, _GAP


_GAP = Span(" ", Ink.GAP)


def _whole_words(text: str, first: int, last: int) -> str:
    """Return `text[first:last]` with spaces for words that aren't whole."""
    shown = text[first:last]
    if first > 0 and not text[first - 1].isspace():
        rest = shown.lstrip("".join(set(shown) - {" "}))
        shown = rest.rjust(len(shown))
    if last < len(text) and not text[last].isspace():
        rest = shown.rstrip("".join(set(shown) - {" "}))
        shown = rest.ljust(len(shown))
    return shown


@lru_cache(maxsize=256)  # there are few kinds of spans, and many of each
def style_of(ink: Ink, number: int | None, fresh: str) -> str:
    """Return the style of a span with that ink, of the player with the glyph `number`."""
    seat = "" if number is None else f"class:seat{number % len(SEAT_COLOURS)}"
    return " ".join(filter(None, (f"class:board.{ink.value}", seat, fresh)))


def _sign(drawing: Drawing, lines: int, viewport: Viewport, *, ascii_only: bool) -> str:
    """Return the sign, arrows to the rest and the visible part: "▲ ▼  rows 3–9 of 30".

    A board that isn't one grid has only arrows.
    """
    left, top = viewport.x, viewport.y
    right, bottom = left + viewport.columns, top + lines
    is_more = (left > 0, top > 0, bottom < drawing.height, right < drawing.width)
    signs = "<^v>" if ascii_only else "◄▲▼►"
    arrows = " ".join(sign if more else " " for sign, more in zip(signs, is_more, strict=True))
    parts = []
    if drawing.axes is not None:
        head_columns, head_lines = _head(drawing, viewport)
        columns, rows = drawing.axes
        parts = [
            *_visible("terminal.scroll.row", rows, top + head_lines, bottom),
            *_visible("terminal.scroll.column", columns, left + head_columns, right),
        ]
    texts = [", ".join(parts[:count]) for count in range(len(parts), 0, -1)]
    texts = ["; ".join([*texts[:1], say("terminal.scroll.how")]), *texts]
    shown = (f"{arrows}  {in_ascii(text) if ascii_only else text}" for text in texts)
    fitting = (text for text in shown if text_width(text) <= viewport.columns)
    return next(fitting, arrows[: viewport.columns])


def _visible(key: str, axis: Axis, start: int, stop: int) -> Iterator[str]:
    """Yield the columns or rows of the board within these cells, unless all are visible."""
    number = range(axis.count)
    whole = [
        index + 1
        for index in number
        if start <= axis.first + index * axis.step
        and axis.first + index * axis.step + axis.size <= stop
    ]
    if not whole:
        nearest = ((start + stop) // 2 - axis.first) // axis.step
        whole = [max(1, min(nearest + 1, axis.count))]
    if len(whole) < axis.count:
        shown = str(whole[0]) if len(whole) == 1 else f"{whole[0]}–{whole[-1]}"
        yield say(key, n=len(whole), shown=shown, of=axis.count)
