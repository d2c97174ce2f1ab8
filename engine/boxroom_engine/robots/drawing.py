"""Pictures of the robot-writing challenge's board: as SVG, and by matplotlib if it is installed.

Coordinates stand along the left and the lower side, because authors of robots write them. A box
has its owner's letter besides a colour, so nothing depends on colour.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from boxroom_engine.games.marks import FAINT, SEAT_COLOURS
from boxroom_engine.games.picture import svg_document

if TYPE_CHECKING:  # matplotlib is optional
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class DrawnBoard(Protocol):
    """The attributes of `robots.Board` that a picture shows.

    A protocol, because `Board` itself imports this module for its `_repr_svg_`.
    """

    @property
    def size(self) -> int:
        """Boxes on each side."""

    @property
    def lines(self) -> Sequence[tuple[int, int, int, int]]:
        """The drawn lines, as `(i, j, r, s)`."""

    @property
    def red_boxes(self) -> Sequence[tuple[int, int]]:
        """The bottom left dots of red's boxes."""

    @property
    def blue_boxes(self) -> Sequence[tuple[int, int]]:
        """The bottom left dots of blue's boxes."""


_BLUE, _RED = SEAT_COLOURS[0].hex, SEAT_COLOURS[1].hex

_BOX_PX = 40
_MARGIN_PX = 30
_DOT_PX = 3
_PX_AN_INCH = 96

_STYLES = """\
.boxroom-board text { font: 13px sans-serif; text-anchor: middle; }
.boxroom-board line { stroke: #24292f; stroke-width: 2; }
.boxroom-board circle { fill: #24292f; }
@media (prefers-color-scheme: dark) {
  .boxroom-board line { stroke: #e6edf3; }
  .boxroom-board circle { fill: #e6edf3; }
}
"""
"""Rules for this class only: in some notebooks a style applies to all other pictures too."""


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board as an SVG picture, which notebooks show."""

    svg: str

    def _repr_svg_(self) -> str:
        """Return the picture, for notebooks."""
        return self.svg


def drawboard(board: DrawnBoard, size: float = 3) -> "Figure | BoardPicture":
    """Return the board as a picture, `size` inches wide and high.

    It is a matplotlib figure, which has a `savefig`, and which a notebook shows after `%matplotlib
    inline`. Without matplotlib it is a `BoardPicture`, and a warning says how to get a figure.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        warnings.warn(
            "drawboard draws as SVG, because matplotlib isn't installed; for a figure:"
            " pip install 'boxroom[figures]'",
            stacklevel=2,
        )
        return BoardPicture(board_svg(board, round(size * _PX_AN_INCH)))
    figure = Figure(figsize=(size, size))
    _plot(board, figure.add_subplot())
    return figure


def _plot(board: DrawnBoard, axes: "Axes") -> None:
    dots = range(board.size + 1)
    axes.set_aspect("equal")
    axes.set_xticks(dots)
    axes.set_yticks(dots)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelcolor=FAINT.hex)
    for (x, y), letter, colour in _owned(board):
        axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=colour, alpha=0.25)
        axes.text(x + 0.5, y + 0.5, letter, color=colour, ha="center", va="center")
    for i, j, r, s in board.lines:
        axes.plot([i, r], [j, s], color="black")
    axes.plot([x for x in dots for _ in dots], [y for _ in dots for y in dots], "ko", clip_on=False)


def board_svg(board: DrawnBoard, width_px: int | None = None) -> str:
    """Return the board as an SVG document: dark on light pages, light on dark ones.

    It is `width_px` wide and high; None: as large as its boxes need.
    """
    side = board.size * _BOX_PX + 2 * _MARGIN_PX
    title = f"A board of {board.size}×{board.size} boxes, {len(board.lines)} lines"
    parts = (*_boxes(board), *_lines(board), *_dots(board))
    zoom = 1 if width_px is None else width_px / side
    return svg_document(side, side, title, (_STYLES,), parts, css_class="boxroom-board", zoom=zoom)


def _boxes(board: DrawnBoard) -> Iterator[str]:
    for (i, j), letter, colour in _owned(board):
        x, y = _pixel_position(board, i, j + 1)  # its upper left corner
        half = _BOX_PX // 2
        yield (
            f'<rect x="{x}" y="{y}" width="{_BOX_PX}" height="{_BOX_PX}" fill="{colour}"'
            ' opacity="0.25"/>'
        )
        yield f'<text x="{x + half}" y="{y + half + 4}" fill="{colour}">{letter}</text>'


def _lines(board: DrawnBoard) -> Iterator[str]:
    for i, j, r, s in board.lines:
        (x1, y1), (x2, y2) = _pixel_position(board, i, j), _pixel_position(board, r, s)
        yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _dots(board: DrawnBoard) -> Iterator[str]:
    """Yield the dots, and their coordinates beside the first column and below the lowest row."""
    for i in range(board.size + 1):
        x, below = _pixel_position(board, i, 0)
        _, y = _pixel_position(board, 0, i)
        yield f'<text x="{x}" y="{below + 20}" fill="{FAINT.hex}">{i}</text>'
        yield f'<text x="{_MARGIN_PX - 15}" y="{y + 4}" fill="{FAINT.hex}">{i}</text>'
        for j in range(board.size + 1):
            x, y = _pixel_position(board, i, j)
            yield f'<circle cx="{x}" cy="{y}" r="{_DOT_PX}"/>'


def _owned(board: DrawnBoard) -> Iterator[tuple[tuple[int, int], str, str]]:
    """Yield every owned box with its owner's letter and colour."""
    yield from ((box, "R", _RED) for box in board.red_boxes)
    yield from ((box, "B", _BLUE) for box in board.blue_boxes)


def _pixel_position(board: DrawnBoard, x: int, y: int) -> tuple[int, int]:
    """Return the pixel position of the dot `(x, y)`; SVG counts down from the upper left."""
    return _MARGIN_PX + x * _BOX_PX, _MARGIN_PX + (board.size - y) * _BOX_PX
