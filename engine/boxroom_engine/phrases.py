"""Sentences for people, as keys with values that a language puts into words.

The engine reads no files, and so it knows no language. A package above it knows one and gives the
function that returns the words in this process (`speak_with`).
"""

from collections.abc import Callable, Sequence
from typing import Union

from msgspec import Struct

Value = Union[str, int, "Phrase", Sequence[Union[str, "Phrase"]]]
"""A value in a sentence: a text, a number, a part that is a phrase itself, or a list of parts."""


class Phrase(Struct, frozen=True, omit_defaults=True):
    """A sentence, or a part of one, in no language yet; `str` returns its words."""

    key: str
    """Name of the sentence in the tables of all languages."""
    values: dict[str, Value] = {}
    """Values by the names of their places; `n` chooses among plural forms, too."""

    def __str__(self) -> str:
        return _words.of(self)


def phrase(key: str, /, **values: Value) -> Phrase:
    """Return the phrase `key` with its values."""
    return Phrase(key, values)


def speak_with(words: Callable[[Phrase], str]) -> None:
    """Let `words` return the words of every phrase in this process."""
    _words.of = words


def _without_words(said: Phrase) -> str:
    values = ", ".join(f"{name}={value}" for name, value in said.values.items())
    return f"{said.key}({values})"


class _Words:
    """The words of this process: keys and values as long as no language is given."""

    def __init__(self) -> None:
        self.of: Callable[[Phrase], str] = _without_words


_words = _Words()
