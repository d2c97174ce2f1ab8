"""Sentences for people, as keys with values that a language puts into words.

The engine reads no files, and so it knows no language. The module that does is named here, and
imported when words are first asked for; it gives the function that returns them (`speak_with`).
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Union

from msgspec import Struct

from boxroom_engine.errors import BoxroomError

_LANGUAGES = "boxroom_common.phrases"

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


def verbatim(text: str) -> Phrase:
    """Return a phrase with the words `text` in every language."""
    return Phrase("verbatim", {"text": text})


class LocalizedError(BoxroomError):
    """An error for players: `phrase` says it in any language, `str` in that of this process."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(said)
        self.phrase = said


def speak_with(words: Callable[[Phrase], str]) -> None:
    """Let `words` return the words of every phrase in this process."""
    _words.of = words


def _in_english(said: Phrase) -> str:
    """Import the module with the languages, which speaks English at first, and return words."""
    import_module(_LANGUAGES)
    return _words.of(said)


class _Words:
    """The words of this process."""

    def __init__(self) -> None:
        self.of: Callable[[Phrase], str] = _in_english


_words = _Words()
