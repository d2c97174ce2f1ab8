"""Checker of the style strings in themes: `fg:#0072B2 bold`.

They are a subset of prompt_toolkit's style strings, small enough to explain every mistake: https://python-prompt-toolkit.readthedocs.io/en/stable/pages/advanced_topics/styling.html
"""

import re

from boxroom_engine.errors import BoxroomError
from boxroom_engine.wording import did_you_mean

ATTRIBUTES = ("bold", "italic", "underline", "reverse", "dim")

ANSI_COLOURS = (
    "ansidefault",
    "ansiblack",
    "ansired",
    "ansigreen",
    "ansiyellow",
    "ansiblue",
    "ansimagenta",
    "ansicyan",
    "ansigray",
    "ansibrightblack",
    "ansibrightred",
    "ansibrightgreen",
    "ansibrightyellow",
    "ansibrightblue",
    "ansibrightmagenta",
    "ansibrightcyan",
    "ansiwhite",
)
"""The terminal's own colours; listed here, because prompt_toolkit imports slowly."""

_GROUNDS = ("fg", "bg")
_HEX = re.compile(r"#[0-9A-Fa-f]{6}")


class StyleMistake(BoxroomError, ValueError):
    """The text isn't a style; the message names the wrong word and a correct one."""


def checked_style(text: str) -> str:
    """Return `text`, if it is a style, with single spaces between its words.

    Raises:
        StyleMistake: `text` isn't a style.
    """
    words = text.split()
    seen: set[str] = set()
    for word in words:
        what = _what_it_sets(word)
        if what in seen:
            raise StyleMistake(f"{what} is there twice: leave one of them out")
        seen.add(what)
    return " ".join(words)


def _what_it_sets(word: str) -> str:
    """Return the attribute that `word` sets: `fg`, `bg` or one of `ATTRIBUTES`."""
    ground, colon, colour = word.partition(":")
    if colon and ground in _GROUNDS:
        _check_colour(colour)
        return ground
    if word in ATTRIBUTES:
        return word
    if _is_colour(word):
        raise StyleMistake(f"{word} is a colour of what? Write fg:{word} or bg:{word}")
    words = (*ATTRIBUTES, *(f"{ground}:…" for ground in _GROUNDS))
    raise StyleMistake(f"{word!r} isn't a word for styles{did_you_mean(word, words)}")


def _check_colour(colour: str) -> None:
    if _is_colour(colour):
        return
    if colour.startswith("#"):
        raise StyleMistake(f"{colour!r} isn't a colour: six digits follow the #, as in #0072B2")
    known = did_you_mean(colour, ("#rrggbb", "default", *ANSI_COLOURS))
    raise StyleMistake(f"{colour!r} isn't a colour{known}")


def _is_colour(word: str) -> bool:
    return word == "default" or word in ANSI_COLOURS or bool(_HEX.fullmatch(word))
