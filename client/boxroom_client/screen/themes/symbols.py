"""The symbols of the panes, in Unicode or ASCII, and the styles of the seats' colours."""

from collections.abc import Sequence
from dataclasses import dataclass

from boxroom_client.screen.text.rows import Fragment, Row, clipped, filled
from boxroom_client.shell.output.painting import in_ascii
from boxroom_engine.games.marks import SEAT_COLOURS


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols, one character each, but for `more`."""

    ascii_only: bool
    more: str
    """Stands where something was cut."""
    dot: str
    """Stands between the parts of a line."""
    turn: str
    """Stands before the seat to move."""
    above: str
    below: str
    across: str
    upright: str

    def text(self, text: str) -> str:
        """Return `text` in the terminal's characters."""
        return in_ascii(text) if self.ascii_only else text

    def fitted(self, row: Sequence[Fragment], columns: int, style: str = "") -> Row:
        """Return `row` in exactly `columns` cells, with `more` where it was cut."""
        return filled(clipped(row, columns, self.more), columns, style)


UNICODE = Symbols(
    ascii_only=False, more="…", dot="·", turn="▶", above="▲", below="▼", across="─", upright="│"
)
ASCII = Symbols(
    ascii_only=True, more="...", dot="-", turn=">", above="^", below="v", across="-", upright="|"
)


def symbols_for(*, ascii_only: bool) -> Symbols:
    """Return the symbols for a terminal."""
    return ASCII if ascii_only else UNICODE


def seat_style(number: int) -> str:
    """Return the style of the colour of glyph `number`."""
    return f"class:seat{number % len(SEAT_COLOURS)}"
