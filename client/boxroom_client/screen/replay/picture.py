"""The renderer of a replay: a game's screen with a progress line instead of the input.

`screen.picture` renders board, players and log, from the same `Model`.
"""

from dataclasses import dataclass

from boxroom_client.screen import picture
from boxroom_client.screen.keys.replay_table import footer_hints
from boxroom_client.screen.layout import NOWHERE, Rect
from boxroom_client.screen.model import Model
from boxroom_client.screen.panes import bars
from boxroom_client.screen.replay.playback import Playback
from boxroom_client.screen.text.rows import Row, row_width
from boxroom_client.screen.themes.symbols import Symbols
from boxroom_client.text_width import text_width
from boxroom_common.phrases import say

_LEAST_BAR = 10
"""Least cells of a useful progress bar."""
_MOST_BAR = 60


@dataclass(frozen=True, slots=True)
class ReplayPicture:
    """A rendered screen; invisible parts are `NOWHERE`."""

    rows: list[Row]
    board: Rect
    log: Rect
    bar: Rect
    """Cells of the progress bar."""


def draw(model: Model, playback: Playback, columns: int, lines: int) -> ReplayPicture:
    """Return the picture for a terminal of that size; `model` is at the position of `playback`."""
    seen = picture.draw(model, columns, lines, 0.0)
    if not seen.has_line:
        return ReplayPicture(seen.rows, NOWHERE, NOWHERE, NOWHERE)
    symbols = model.options.symbols
    bar = NOWHERE
    if playback.typed is not None:
        status = _asking(playback, columns, symbols)
    elif seen.footer is None:  # there is one line for both
        where: Row = [
            (
                "class:prompt",
                f" {say('terminal.replay.at', number=playback.at, last=playback.last)} ",
            )
        ]
        footer = bars.footer(
            footer_hints(), columns - row_width(where), keeps_last=True, symbols=symbols
        )
        status = [*where, *footer]
    else:
        status, bar = _status(playback, columns, len(seen.rows), symbols)
    rows = [*seen.rows, status]
    if seen.footer is not None:
        hints = footer_hints()
        rows.append(bars.footer(hints, columns, keeps_last=True, symbols=symbols))
    return ReplayPicture(rows, seen.board, seen.log, bar)


def position_at(bar: Rect, x: int, last: int) -> int:
    """Return the position for column `x` of the screen; the game's last one is `last`."""
    return round((x - bar.x) * last / max(1, bar.columns - 1))


def _asking(playback: Playback, columns: int, symbols: Symbols) -> Row:
    asked = f" {say('terminal.replay.go_to', number=playback.typed or '')}_ "
    then = f" {say('terminal.replay.then_enter', last=playback.last)}"
    row: Row = [("class:prompt", asked), ("class:footer", then)]
    return symbols.fitted(row, columns)


def _status(playback: Playback, columns: int, y: int, symbols: Symbols) -> tuple[Row, Rect]:
    """Return the progress line, with position, bar and pace, and the cells of the bar."""
    where: Row = [
        ("class:prompt", f" {say('terminal.replay.move', number=playback.at, last=playback.last)} ")
    ]
    key = "terminal.replay.playing" if playback.plays else "terminal.replay.paused"
    pace = f" {say(key, seconds=f'{playback.pace_s:g}')} "
    x = row_width(where) + 1
    width = min(_MOST_BAR, columns - x - text_width(pace) - 1)
    if width < _LEAST_BAR:
        return symbols.fitted([*where, ("class:footer", pace)], columns), NOWHERE
    done = round(width * playback.at / playback.last) if playback.last else width
    row: Row = [
        *where,
        ("", " "),
        ("class:prompt", ("=" if symbols.ascii_only else "━") * done),
        ("class:rule", symbols.across * (width - done)),
        ("", " "),
        ("class:footer", pace),
    ]
    return symbols.fitted(row, columns), Rect(x, y, width, 1)
