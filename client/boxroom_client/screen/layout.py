"""The layout of the panes of a game's screen, for a terminal of any size.

The board comes first, but never pushes the log off the screen. In most terminals players and
log fit beside the board; elsewhere they stand below it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

LEAST_COLUMNS = 40
LEAST_LINES = 12

_SIDE_LEAST = 30
"""Columns that players and log need beside the board."""
_SIDE_MOST = 60
"""Columns beyond which sentences are hard to read."""
_BROAD = 100
"""Columns that are enough for players and log beside a board that doesn't fit."""
_FOOTER_FROM = 16
"""Lines of a terminal from which on one is used for hints."""
_LOG_ROOMY = 8
"""Lines of log beyond which players and rules may have more."""
_ENTRY = 16
"""Approximate columns of a player in a line of players."""


class Arrangement(Enum):
    """An arrangement of the panes."""

    WIDE = "wide"
    """The board on the left, players above the log on the right."""
    STACKED = "stacked"
    """The board, a line or two of players, the log."""
    TOO_SMALL = "too-small"
    """Only a notice."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of cells: the first column and line, and the numbers of both."""

    x: int
    y: int
    columns: int
    lines: int

    def holds(self, size: tuple[int, int]) -> bool:
        """Whether `size`, a width and a height, fits into it."""
        width, height = size
        return width <= self.columns and height <= self.lines


NOWHERE = Rect(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class PaneLayout:
    """The rectangles of the panes. They cover the whole screen and don't overlap.

    In `Arrangement.TOO_SMALL` there is only `notice`, and title, board and input are `NOWHERE`.
    """

    arrangement: Arrangement
    title: Rect = NOWHERE
    banner: Rect | None = None
    board: Rect = NOWHERE
    players: Rect | None = None
    log: Rect | None = None
    input: Rect = NOWHERE
    footer: Rect | None = None
    rules: tuple[Rect, ...] = ()
    """Lines drawn between panes: one column wide, or one line high."""
    notice: Rect | None = None

    def panes(self) -> Iterator[Rect]:
        """Yield all visible rectangles, rules too."""
        panes = (self.title, self.banner, self.board, self.players, self.log, self.input)
        for pane in (*panes, self.footer, *self.rules, self.notice):
            if pane is not None and pane != NOWHERE:
                yield pane


def lay_out(
    columns: int, lines: int, *, board: tuple[int, int], seats: int, banner: int
) -> PaneLayout:
    """Return the panes on a screen of `columns` by `lines` cells.

    `board` is the preferred width and height of the board. Its pane is at least as large, or as
    large as the others allow: at least half of the lines between title and input, but for the
    `banner` lines of a banner.
    """
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        return PaneLayout(Arrangement.TOO_SMALL, notice=Rect(0, 0, columns, lines))
    top = 1 + banner
    bottom = 2 if lines >= _FOOTER_FROM else 1
    body = Rect(0, top, columns, lines - top - bottom)
    # A banner comes and goes: the panes give it lines, but their arrangement stays the same.
    is_wide = _goes_beside(columns, lines - 1 - bottom, board)
    rects = _beside(body, board, seats) if is_wide else _stacked(body, board, seats)
    return PaneLayout(
        Arrangement.WIDE if is_wide else Arrangement.STACKED,
        title=Rect(0, 0, columns, 1),
        banner=Rect(0, 1, columns, banner) if banner else None,
        board=rects.board,
        players=rects.players,
        log=rects.log,
        rules=rects.rules,
        input=Rect(0, lines - bottom, columns, 1),
        footer=Rect(0, lines - 1, columns, 1) if bottom > 1 else None,
    )


@dataclass(frozen=True, slots=True)
class _Body:
    """The panes between the fixed lines."""

    board: Rect
    players: Rect
    log: Rect
    rules: tuple[Rect, ...]


def _goes_beside(columns: int, lines: int, board: tuple[int, int]) -> bool:
    """Whether players and log go beside the board, in a body of that size.

    They do where the board stays whole. A board that is too large for either arrangement gets
    all lines, if there are columns to spare.
    """
    width, height = board
    if width + 1 + _SIDE_LEAST <= columns:
        return True
    is_whole_when_stacked = width <= columns and height + 1 + _least_log(lines) <= lines
    return columns >= _BROAD and not is_whole_when_stacked


def _beside(body: Rect, board: tuple[int, int], seats: int) -> _Body:
    width, _ = board
    side = max(_SIDE_LEAST, min(_SIDE_MOST, body.columns - width - 1))
    left = body.columns - side - 1
    # The log has half of the lines at least: a long list of seats matters less.
    players = min(seats, body.lines - 1 - body.lines // 2)
    rule = body.y + players
    x = left + 1
    return _Body(
        board=Rect(0, body.y, left, body.lines),
        players=Rect(x, body.y, side, players),
        log=Rect(x, rule + 1, side, body.lines - players - 1),
        rules=(Rect(left, body.y, 1, body.lines), Rect(x, rule, side, 1)),
    )


def _stacked(body: Rect, board: tuple[int, int], seats: int) -> _Body:
    _, wanted = board
    columns = body.columns
    players = 2 if seats * _ENTRY > columns and body.lines >= _FOOTER_FROM else 1
    height = min(wanted, body.lines - players - _least_log(body.lines))
    log = body.lines - height - players
    if log + players - seats > _LOG_ROOMY:
        log, players = log + players - seats, seats
    rule = 1 if log > _LOG_ROOMY else 0
    log -= rule
    below = body.y + height
    bottom = body.y + body.lines
    return _Body(
        board=Rect(0, body.y, columns, height),
        players=Rect(0, below, columns, players),
        log=Rect(0, bottom - log, columns, log),
        rules=(Rect(0, below + players, columns, 1),) if rule else (),
    )


def _least_log(lines: int) -> int:
    """Return the least lines of log below a large board, in a body of `lines`."""
    return 3 if lines >= LEAST_LINES else 2
