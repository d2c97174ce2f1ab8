"""Cleaning of names and chat: no control, invisible or bidirectional characters.

Such characters could garble or forge a terminal's output. The server cleans all text that it
accepts, the client all text that it shows.
"""

import re
import unicodedata

EMOJI_JOINER = "\u200d"
_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
_ENDS = re.compile(rf"^[\s{EMOJI_JOINER}]+|[\s{EMOJI_JOINER}]+$")
_NAME_MARKS = frozenset(" _-.'")
_BLANKS = re.compile(
    # Letters and marks that show nothing (Unicode's Default_Ignorable_Code_Point, without Cf).
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
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


def clean_name(text: str, most_chars: int) -> str | None:
    """Return `text` as a name in NFC with single spaces, or None if it can't be one.

    A name has 1 to `most_chars` letters, marks, digits, spaces and `_ - . '`, and at least
    one letter or digit. No character is invisible, as two names could look the same by one.
    """
    name = " ".join(unicodedata.normalize("NFC", clean(text)).split())
    if not 1 <= len(name) <= most_chars or _BLANKS.search(name):
        return None
    if not all(char in _NAME_MARKS or unicodedata.category(char)[0] in "LMN" for char in name):
        return None
    return name if any(char.isalnum() for char in name) else None


def same_name(one: str, other: str) -> bool:
    """Whether two names count as the same: case makes no difference."""
    return fold(one) == fold(other)


def fold(name: str) -> str:
    """Return the form in which names are compared: NFKC, case-folded."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
