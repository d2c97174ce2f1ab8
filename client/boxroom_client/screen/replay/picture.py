"""The screen of a recorded game as rows: that of a game, and a line that says where in it one is.

The board with its players and the log is drawn by `picture`, from the same `Model`.
"""

from dataclasses import dataclass

from boxroom_client.screen import picture
from boxroom_client.screen.layout import NOWHERE, Rect
from boxroom_client.screen.model import Model
from boxroom_client.screen.panes import edges
from boxroom_client.screen.replay.keys import hints
from boxroom_client.screen.replay.playback import Reel
from boxroom_client.screen.text.styled import Row, row_width
from boxroom_client.screen.themes.signs import Signs, signs

_LEAST_BAR = 10
"""Cells of a bar in which one sees how far the game is."""
_MOST_BAR = 60


@dataclass(frozen=True, slots=True)
class ReplayPicture:
    """What is on the screen; what isn't seen is `NOWHERE`."""

    rows: list[Row]
    board: Rect
    log: Rect
    bar: Rect
    """The cells that show how far the game is."""


def draw(model: Model, reel: Reel, columns: int, lines: int) -> ReplayPicture:
    """The picture for a terminal of that size; `model` is at the position where `reel` is."""
    seen = picture.draw(model, columns, lines, 0.0)
    if not seen.has_line:
        return ReplayPicture(seen.rows, NOWHERE, NOWHERE, NOWHERE)
    ascii_only = model.look.ascii_only
    sign = signs(ascii_only=ascii_only)
    bar = NOWHERE
    if reel.typed is not None:
        status = _asking(reel, columns, sign)
    elif seen.footer is None:  # there is one line for both
        where: Row = [("class:prompt", f" {reel.at} of {reel.last} ")]
        footer = edges.footer(hints(), columns - row_width(where), ascii_only=ascii_only)
        status = [*where, *footer]
    else:
        status, bar = _status(reel, columns, len(seen.rows), sign)
    rows = [*seen.rows, status]
    if seen.footer is not None:
        rows.append(edges.footer(hints(), columns, ascii_only=ascii_only))
    return ReplayPicture(rows, seen.board, seen.log, bar)


def position_at(bar: Rect, x: int, last: int) -> int:
    """The position for which column `x` of the screen stands, of a game with `last` as its last."""
    return round((x - bar.x) * last / max(1, bar.columns - 1))


def _asking(reel: Reel, columns: int, sign: Signs) -> Row:
    asked = f" go to move {reel.typed}_ "
    row: Row = [("class:prompt", asked), ("class:footer", f" 0 to {reel.last}, then Enter")]
    return sign.fitted(row, columns)


def _status(reel: Reel, columns: int, y: int, sign: Signs) -> tuple[Row, Rect]:
    """Where in the game one is, in words and as a bar, and whether it goes on by itself."""
    where: Row = [("class:prompt", f" move {reel.at} of {reel.last} ")]
    pace = f" {'playing' if reel.plays else 'paused'}, {reel.pace_s:g} s a move "
    x = row_width(where) + 1
    width = min(_MOST_BAR, columns - x - len(pace) - 1)
    if width < _LEAST_BAR:
        return sign.fitted([*where, ("class:footer", pace)], columns), NOWHERE
    done = round(width * reel.at / reel.last) if reel.last else width
    row: Row = [
        *where,
        ("", " "),
        ("class:prompt", ("=" if sign.ascii_only else "━") * done),
        ("class:rule", sign.across * (width - done)),
        ("", " "),
        ("class:footer", pace),
    ]
    return sign.fitted(row, columns), Rect(x, y, width, 1)
