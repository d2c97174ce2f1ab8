"""Cleaning of names and chat: no control, invisible or bidirectional characters.

Such characters could garble or forge a terminal's output. The server cleans all text that it
accepts, the client all text that it shows.
"""

import re
import unicodedata
from collections.abc import Callable

EMOJI_JOINER = "\u200d"
_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
_ENDS = re.compile(rf"^[\s{EMOJI_JOINER}]+|[\s{EMOJI_JOINER}]+$")
_NAME_MARKS = frozenset(" _-.'")
_BLANKS = re.compile(
    # Letters, marks and digits with the property Default_Ignorable_Code_Point in Unicode's file
    # DerivedCoreProperties.txt, which Python's unicodedata lacks; the same in versions 14 to 16.
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
    # Others that show nothing by their names in UnicodeData.txt: joiners of Tifinagh consonants and
    # of Brahmi numbers, the filler of Khitan, and the full and half blank of Egyptian hieroglyphs.
    r"\u2d7f\U0001107f\U00016fe4\U00013441\U00013442]"
)


def clean(text: str) -> str:
    """Return `text` on one line, without control, bidirectional or other invisible characters.

    It replaces line breaks and tabs by one space, and drops the categories Cc, Cf (but for the
    emoji joiner), Cs, Co and Cn, and spaces and joiners at either end.
    """
    one_line = _BREAKS.sub(" ", text)
    return _ENDS.sub("", "".join(char for char in one_line if _is_visible(char)))


def _is_visible(char: str) -> bool:
    category = unicodedata.category(char)
    return not category.startswith("C") or char == EMOJI_JOINER


def clean_name(
    text: str, most_chars: int, is_known: Callable[[str], bool] = lambda name: False
) -> str | None:
    """Return `text` as a name in NFC with single spaces, or None if it can't be one.

    A name has 1 to `most_chars` letters, marks, digits, spaces and `_ - . '`, and at least
    one letter or digit. No character shows nothing, as two names could look the same by one; only
    a name that `is_known` from an earlier version may have such characters.
    """
    name = " ".join(unicodedata.normalize("NFC", clean(text)).split())
    if not 1 <= len(name) <= most_chars or (_BLANKS.search(name) and not is_known(name)):
        return None
    if not all(char in _NAME_MARKS or unicodedata.category(char)[0] in "LMN" for char in name):
        return None
    return name if any(char.isalnum() for char in name) else None


def is_number(name: str) -> bool:
    """Whether `name` has nothing but digits, so that it could be taken for the number of a seat."""
    return re.sub(r"[\s_.'-]", "", unicodedata.normalize("NFKC", name)).isdecimal()


def same_name(one: str, other: str) -> bool:
    """Whether two names count as the same: case makes no difference."""
    return fold(one) == fold(other)


def fold(name: str) -> str:
    """Return the form in which names are compared: NFKC, case-folded."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
