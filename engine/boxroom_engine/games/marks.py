"""What a player is known by on every board and beside it: a character and a colour.

A glyph and a colour go with a player, whatever the game; where a game has marks of its own, such
as x and o, they stand instead of the glyphs. Nothing is meant to depend on colour alone, so there
are more glyphs than colours. How a shell shows a colour is its own affair.
"""

from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits

_SHAPES = "●■▲◆★▼○□△◇☆▽"
_LETTERS = ascii_uppercase + ascii_lowercase + digits


def glyph(number: int, *, ascii_only: bool = False) -> str:
    """The character for glyph `number`, one cell wide.

    Shapes come first (letters only, in ASCII), then capital and small letters and digits.
    They are all different up to 74 (62 in ASCII); a larger room uses them again in turn.
    """
    table = _LETTERS if ascii_only else _SHAPES + _LETTERS
    return table[number % len(table)]


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands for a player in one game; `GameKind.mark` makes it."""

    number: int
    """Of the glyph and the colour that go with the player, from 0."""
    own: str | None = None
    """The character that the game has for the player's seat; None: it is the glyph."""

    def text(self, *, ascii_only: bool = False) -> str:
        """The character, one cell wide."""
        return glyph(self.number, ascii_only=ascii_only) if self.own is None else self.own


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour in the two forms that terminals take, of which pictures take the first."""

    red: int
    green: int
    blue: int
    indexed: int
    """The nearest of the 256 colours of xterm."""

    @property
    def hex(self) -> str:
        """As HTML and SVG write it."""
        return f"#{self.red:02X}{self.green:02X}{self.blue:02X}"


SEAT_COLOURS = (
    Colour(0x00, 0x72, 0xB2, 25),  # blue
    Colour(0xD5, 0x5E, 0x00, 166),  # vermillion
    Colour(0x00, 0x9E, 0x73, 36),  # bluish green
    Colour(0xCC, 0x79, 0xA7, 175),  # reddish purple
    Colour(0xE6, 0x9F, 0x00, 178),  # orange
    Colour(0x56, 0xB4, 0xE9, 74),  # sky blue
)
"""Okabe and Ito's colours, which colour-blind people tell apart, without black and yellow.

Yellow can't be read on white. Those that read best on black and on white alike come first.
Sources: Okabe and Ito, "Color Universal Design" (2008), https://jfly.uni-koeln.de/color/
"""

FAINT = Colour(0x80, 0x80, 0x80, 244)
"""For what is there but isn't to catch the eye; as far from black as from white."""


def seat_colour(number: int) -> Colour:
    """The colour that goes with glyph `number`; the glyphs last longer than the colours."""
    return SEAT_COLOURS[number % len(SEAT_COLOURS)]
