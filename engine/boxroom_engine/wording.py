"""Parts of sentences: lists of names, and suggestions for misspelt names."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boxroom_engine.phrases import Phrase

_MOST_CHARS = 100
"""Characters of a word that are compared; no name is that long, and more would take time."""


def listed(names: Iterable[str], conjunction: str = "and") -> str:
    """Return the names as a sentence lists them: "Ada, Bob and Cleo"."""
    *first, last = names
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like `word`, or None if none is like it."""
    from difflib import get_close_matches  # here, because it is needed after mistakes only

    matches = get_close_matches(word[:_MOST_CHARS].lower(), list(known), n=1)
    return matches[0] if matches else None


def did_you_mean(
    word: str, known: Iterable[str], *, prefix: str = "", list_all: bool = False
) -> "Phrase":
    """Return the end of a sentence that refuses `word`, which isn't among the `known` names.

    It is ": did you mean dark?", or "; there are dark and light" if no name is like `word`.
    `prefix` stands before the suggested name; `list_all` adds all names to the suggestion.
    """
    from boxroom_engine.phrases import phrase  # here, for the same reason

    names = list(known)
    suggested = closest(word, names)
    if suggested is None:
        return phrase("guess.none", names=names)
    guess = prefix + suggested
    return phrase("guess.all", name=guess, names=names) if list_all else phrase("guess", name=guess)
