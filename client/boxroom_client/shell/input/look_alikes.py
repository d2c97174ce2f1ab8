"""The plain forms of lines in characters that only look like those of moves and commands.

People type such lines with another keyboard, with an input method that makes wide letters, or on
purpose. Only a copy takes the plain form, to recognise the line. The page has the same function
(`look_alikes.js`).
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from boxroom_client.shell.input.look_alike_table import TABLE

_BETWEEN_WORDS = re.compile(r"([\s,;.]+)")
_LETTER_AND_NUMBER = re.compile("[a-z][lIO]+")
_NUMBER = str.maketrans("lIO", "110")
_BLANK_LETTERS = "\u115f\u1160"


def plain_forms(text: str) -> tuple[str, ...]:
    """Return what `text` looks like in ASCII, as far as it does, without `text` itself.

    As `O` may be a letter or a digit, the first form prefers letters, and the last one digits. A
    word of letters of one script is a word, not a move, and stays as it is, but for `hl` and `vO`,
    which can hardly be told from `h1` and `v0`.
    """
    copy = "".join(filter(_is_shown_alone, unicodedata.normalize("NFKC", text)))
    words = _BETWEEN_WORDS.split(copy)
    forms = ("".join(_plain_word(word, digits) for word in words) for digits in (False, True))
    return tuple(form for form in dict.fromkeys(forms) if form != text)


def _is_shown_alone(char: str) -> bool:
    """Whether `char` is neither invisible nor a mark on the character before it."""
    category = unicodedata.category(char)
    return not (category.startswith("M") or category == "Cf" or char in _BLANK_LETTERS)


def _plain_word(word: str, digits: bool) -> str:
    if not word.isalpha():
        return "".join(_plain_char(char, digits) for char in word)
    if len(word) == 1 and not word.isascii():
        return _plain_char(word, digits=False)
    if len(set(map(_is_latin, word))) == 2:
        return "".join(_plain_char(char, digits) for char in word)
    is_move = digits and _LETTER_AND_NUMBER.fullmatch(word)
    return word[0] + word[1:].translate(_NUMBER) if is_move else word


def _is_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith("LATIN ")


def _plain_char(char: str, digits: bool) -> str:
    """Return a digit or a letter that `char` looks like; one of the other kind if need be."""
    if (digit := unicodedata.decimal(char, None)) is not None:
        return str(digit)
    likes = _plain_chars().get(char, "")
    wanted = next((like for like in likes if like.isdigit() == digits), None)
    if char.isascii():
        return wanted if digits and wanted else char
    return wanted or likes[:1] or char


@cache
def _plain_chars() -> Mapping[str, str]:
    """Return the plain characters that each other character looks like."""
    found: defaultdict[str, str] = defaultdict(str)
    for plain, likes in TABLE.items():
        for like in likes:
            found[like] += plain
    return found
