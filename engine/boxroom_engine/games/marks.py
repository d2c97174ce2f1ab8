"""Marks of players: the text and the colour that identify a player on a board and beside it.

A player keeps a glyph and a colour from game to game; a game with marks of its own, such as x and
o, shows them instead of the glyphs. Nothing may depend on colour alone, so there are more glyphs
than colours. Each shell decides how it shows a colour.
"""

from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits

_SHAPES = "●■▲◆★▼○□△◇☆▽"
_LETTERS = ascii_uppercase + ascii_lowercase + digits


def glyph(number: int, *, ascii_only: bool = False) -> str:
    """Return the text of glyph `number`: no two have the same, and all its cells are one wide.

    Shapes come first (letters only, in ASCII), then capital and small letters and digits, all of
    one character. After these 74 (62 in ASCII) the text is the number itself, counted from 1.
    """
    table = _LETTERS if ascii_only else _SHAPES + _LETTERS
    return table[number] if number < len(table) else str(number + 1)


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark of a player in one game; `GameKind.mark` makes it."""

    number: int
    """Number of the player's glyph and colour, from 0."""
    own: str | None = None
    """The game's own character for the seat; None: the player's glyph."""

    def text(self, *, ascii_only: bool = False) -> str:
        """Return the character or, of a glyph with a high number, the characters."""
        return glyph(self.number, ascii_only=ascii_only) if self.own is None else self.own


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour as RGB, for pictures and some terminals, and as an index, for other terminals."""

    red: int
    green: int
    blue: int
    indexed: int
    """Number of the nearest of the 256 colours of xterm."""

    @property
    def hex(self) -> str:
        """The colour in the notation of HTML and SVG."""
        return f"#{self.red:02X}{self.green:02X}{self.blue:02X}"


SEAT_COLOURS = (
    Colour(0x00, 0x72, 0xB2, 25),  # blue
    Colour(0xD5, 0x5E, 0x00, 166),  # vermillion
    Colour(0x00, 0x9E, 0x73, 36),  # bluish green
    Colour(0xCC, 0x79, 0xA7, 175),  # reddish purple
    Colour(0xE6, 0x9F, 0x00, 178),  # orange
    Colour(0x56, 0xB4, 0xE9, 74),  # sky blue
)
"""Okabe and Ito's colours, which colour-blind people can tell apart, without black and yellow.

Yellow is illegible on white. Colours that are legible on both black and white come first.
Sources: Okabe and Ito, "Color Universal Design" (2008), https://jfly.uni-koeln.de/color/
"""

FAINT = Colour(0x80, 0x80, 0x80, 244)
"""Grey of unimportant things; it contrasts equally with black and white."""


def seat_colour(number: int) -> Colour:
    """Return the colour of glyph `number`; there are fewer colours than glyphs, so they repeat."""
    return SEAT_COLOURS[number % len(SEAT_COLOURS)]
