"""The viewport on a board: choose a drawing, scroll it, cut its visible rows, locate clicks.

A `Viewport` is the part of a drawing that the pane shows. A drawing that fits is shown whole, in
the middle; with a larger one the last line of the pane is a sign that tells which part is
visible. `board_rows` and `move_at` use the same viewport, so a click means the move under it.

Everything here is a function of its arguments. The drawing changes only with the position and
the display options, so a pane that keeps it pays for `board_rows` alone when the cursor moves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from boxroom_client.screen.text.rows import Row, filled, text_width
from boxroom_client.shell.output.painting import largest_that_fits, look_for
from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.marks import SEAT_COLOURS
from boxroom_engine.games.protocol import Game, Move, State

GAP = "class:board.gap"
SIGN = "class:board.sign"


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
) -> Drawing:
    """Draw `state` in `size` or, without one, in the size that suits `columns` by `lines` cells.

    That is the largest that fits. If none does, it is the normal one, whose moves are wide
    enough to read and to click, unless the pane shows too few of them.
    `numbers` are the glyph numbers of the seats.
    """
    look = look_for(state.game.kind, numbers, ascii_only=ascii_only, names=names)
    if size is None:  # games are hashable, as they promise, but mypy doesn't believe protocols
        size = _size_for_pane(state.game, look, columns, lines)  # type: ignore[arg-type]
    return state.draw(replace(look, size=size))


@lru_cache(maxsize=8)
def _size_for_pane(game: Game, look: Look, columns: int, lines: int) -> Size:
    """Return the size, chosen by the first position: once a game, and no move changes it."""
    initial = game.initial()
    if size := largest_that_fits(initial, look, columns, lines):
        return size
    normal = initial.draw(replace(look, size=Size.NORMAL))
    is_wide_enough = columns >= min(normal.width, _NORMAL_COLUMNS)
    is_high_enough = lines >= min(normal.height + 1, _NORMAL_LINES)
    return Size.NORMAL if is_wide_enough and is_high_enough else Size.COMPACT


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
    extent = None if move is None else _extent(drawing, move, columns, lines)
    across, down = extent or (None, None)
    if width <= columns:
        x = _in_the_middle(viewport.x, columns, width, leeway=1)
    else:
        x = _shifted(viewport.x, columns, width, across, _MARGIN_COLUMNS)
    if height <= lines:
        y = _in_the_middle(viewport.y, lines, height)
    else:
        y = _shifted(viewport.y, lines, height, down, _MARGIN_LINES)
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


def _shifted(start: int, shown: int, size: int, target: range | None, margin: int) -> int:
    """Return the start nearest to `start` from which `shown` cells hold `target` and a margin."""
    if target is not None:
        margin = max(0, min(margin, (shown - len(target)) // 2))
        start = max(min(start, target.start - margin), target.stop + margin - shown)
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


# ---------------------------------------------------------------------- rows and clicks


def board_rows(
    drawing: Drawing,
    viewport: Viewport,
    *,
    numbers: Sequence[int],
    cursor: Move | None = None,
    premove: Move | None = None,
    is_fresh_bright: bool = False,
    ascii_only: bool = False,
) -> list[Row]:
    """Return the pane: `viewport.lines` rows of exactly `viewport.columns` cells.

    `viewport` comes from `scrolled_to`, and `numbers` are the glyph numbers of the seats. The
    last move has the style `board.fresh` or, unless `is_fresh_bright`, `board.last`; the move
    at the cursor has `board.cursor`, and the `premove` has `board.premove`, which are visible
    without colour.
    """
    width, height = drawing.width, drawing.height
    lines = _lines_for_board(width, height, viewport)
    fresh = "class:board.fresh" if is_fresh_bright else "class:board.last"
    marked = {premove: " class:board.premove"}
    marked[cursor] = marked.get(cursor, "") + " class:board.cursor"
    rows = [
        _row(drawing.rows[y] if 0 <= y < height else (), viewport, numbers, marked, fresh)
        for y in range(viewport.y, viewport.y + lines)
    ]
    if lines < viewport.lines:
        text = _sign(width, height, lines, viewport, ascii_only=ascii_only)
        rows.append(filled([(SIGN, text)], viewport.columns, SIGN))
    return rows


def move_at(drawing: Drawing, viewport: Viewport, x: int, y: int) -> Move | None:
    """Return the move in column `x` of line `y` of the pane, both from 0, if any."""
    lines = _lines_for_board(drawing.width, drawing.height, viewport)
    if not (0 <= x < viewport.columns and 0 <= y < lines):
        return None
    return drawing.move_at(viewport.x + x, viewport.y + y)


def _row(
    spans: Sequence[Span],
    viewport: Viewport,
    numbers: Sequence[int],
    marked: Mapping[Move | None, str],
    fresh: str,
) -> Row:
    """Return the visible cells of `spans`; each character is one cell wide."""
    columns = viewport.columns
    x = -viewport.x
    row: Row = [(GAP, " " * min(x, columns))] if x > 0 else []
    for text, ink, seat, move, is_fresh in spans:
        end = x + len(text)
        if x >= columns:
            break
        if end > 0:
            number = None if seat is None else numbers[seat]
            style = _style(ink, number, fresh if is_fresh else "")
            if move is not None and move in marked:
                style += marked[move]
            row.append((style, text[max(0, -x) : columns - x]))
        x = end
    rest = columns - max(x, 0)
    if rest > 0:
        row.append((GAP, " " * rest))
    return row


@lru_cache(maxsize=256)  # there are few kinds of spans, and many of each
def _style(ink: Ink, number: int | None, fresh: str) -> str:
    seat = "" if number is None else f"class:seat{number % len(SEAT_COLOURS)}"
    return " ".join(filter(None, (f"class:board.{ink.value}", seat, fresh)))


def _sign(width: int, height: int, lines: int, viewport: Viewport, *, ascii_only: bool) -> str:
    """Return the sign, the visible part and arrows to the rest: "◄   ▼ ►  across 3-17 of 121, …".

    It counts cells and not the board's own rows and columns, which only the game knows.
    """
    left, top = viewport.x, viewport.y
    right, bottom = left + viewport.columns, top + lines
    is_more = (left > 0, top > 0, bottom < height, right < width)
    signs = "<^v>" if ascii_only else "◄▲▼►"
    arrows = " ".join(sign if more else " " for sign, more in zip(signs, is_more, strict=True))
    across = f"across {max(left, 0) + 1}-{min(right, width)} of {width}"
    down = f"down {max(top, 0) + 1}-{min(bottom, height)} of {height}"
    whole = f"{arrows}  {across}, {down}"
    return whole if text_width(whole) <= viewport.columns else arrows[: viewport.columns]
