"""The signs and colours of the panes, and their likeness for terminals with ASCII only."""

from collections.abc import Sequence
from dataclasses import dataclass

from boxroom_client.screen.text.styled import Fragment, Row, clipped, filled
from boxroom_client.shell.output.painting import in_ascii
from boxroom_engine.games.marks import SEAT_COLOURS


@dataclass(frozen=True, slots=True)
class Signs:
    """One character each, but for `more`, which stands where something was cut."""

    ascii_only: bool
    more: str
    dot: str
    """Stands between the parts of a line."""
    turn: str
    """Stands before the seat to move."""
    above: str
    below: str
    across: str
    upright: str

    def text(self, text: str) -> str:
        """`text` in the terminal's characters."""
        return in_ascii(text) if self.ascii_only else text

    def fitted(self, row: Sequence[Fragment], columns: int, style: str = "") -> Row:
        """`row` in exactly `columns` cells, with `more` where it was cut."""
        return filled(clipped(row, columns, self.more), columns, style)


_SIGNS = Signs(
    ascii_only=False, more="…", dot="·", turn="▶", above="▲", below="▼", across="─", upright="│"
)
_IN_ASCII = Signs(
    ascii_only=True, more="...", dot="-", turn=">", above="^", below="v", across="-", upright="|"
)


def signs(*, ascii_only: bool) -> Signs:
    """The signs for a terminal."""
    return _IN_ASCII if ascii_only else _SIGNS


def seat_style(number: int) -> str:
    """The style in the colour that goes with glyph `number`."""
    return f"class:seat{number % len(SEAT_COLOURS)}"
