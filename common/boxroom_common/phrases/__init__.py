"""The sentences that players read, in each language: one table of keys in a JSON file.

A table has a text for each key. A text may have places, `{name}`, and may be one for each plural
form instead: `{"one": "{n} box", "other": "{n} boxes"}`, chosen by the value of `n`. A list is
joined by "and", or in a place such as `{names:or}` by "or". In a place such as `{seat+1}` stands
the next number, as people count from 1. A key that a table lacks is English.

The page reads the same files (`words.js`). A process speaks English until `use_language`.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from boxroom_engine.phrases import Phrase, Value, speak_with

Table = Mapping[str, str | Mapping[str, str]]
"""Texts by key, or for a key its plural forms."""

ENGLISH = "en"

_FOLDER = Path(__file__).parent


def _codes() -> tuple[str, ...]:
    """Return the codes of the tables beside this module, that of English first."""
    codes = {file.stem for file in _FOLDER.glob("*.json")}
    return (ENGLISH, *sorted(codes - {ENGLISH}))


LANGUAGES = _codes()
"""Codes of the languages; `<code>.json` is the table of each."""

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables with the language of the system; the first that is set counts (POSIX)."""

_PLACE = re.compile(r"\{(\w+)(?::(\w+)|(\+1))?\}")
"""A place, with the key of the word that joins a list, or for the number after its value."""


@cache
def table(language: str) -> Table:
    """Return the table of a language, one of `LANGUAGES`."""
    found: Table = json.loads((_FOLDER / f"{language}.json").read_bytes())
    return found


def translator(language: str) -> Callable[[Phrase], str]:
    """Return a function that puts phrases into the words of a language, one of `LANGUAGES`."""

    def words(said: Phrase) -> str:
        entry = table(language).get(said.key) or table(ENGLISH).get(said.key)
        if entry is None:
            return said.key
        if not isinstance(entry, str):
            entry = entry["one" if said.values.get("n") == 1 else "other"]
        return _PLACE.sub(lambda place: in_place(place, said.values), entry)

    def in_place(place: re.Match[str], values: Mapping[str, Value]) -> str:
        name, conjunction, next_number = place.groups()
        if name not in values:
            return place[0]
        value = values[name]
        if next_number and isinstance(value, int):
            return str(value + 1)
        return in_words(value, conjunction or "and")

    def in_words(value: Value, conjunction: str) -> str:
        if isinstance(value, Phrase):
            return words(value)
        if isinstance(value, str | int):
            return str(value)
        if not value:
            return ""
        *first, last = (in_words(each, conjunction) for each in value)
        return f"{', '.join(first)} {words(Phrase(conjunction))} {last}" if first else last

    return words


in_english = translator(ENGLISH)
"""Function that puts phrases into English, for messages that have a phrase or a tag as well."""


def use_language(language: str) -> None:
    """Speak a language, one of `LANGUAGES`, in this process from now on."""
    speak_with(translator(language))


def language_of_system(environ: Mapping[str, str]) -> str:
    """Return the language that `environ` asks for; English if there is no table of it."""
    locale = next((environ[name] for name in LOCALE_VARIABLES if environ.get(name)), "")
    language = re.split("[_.@]", locale)[0].lower()
    return language if language in LANGUAGES else ENGLISH


def say(key: str, /, **values: Value) -> str:
    """Return the words of the phrase `key` in the language of this process."""
    return str(Phrase(key, values))


def is_known(said: Phrase, levels: int = 5) -> bool:
    """Return whether the phrase has words, and its parts down to `levels` below it have some."""
    parts = (
        [value] if isinstance(value, str | int | Phrase) else value
        for value in said.values.values()
    )
    return (
        levels > 0
        and said.key in table(ENGLISH)
        and all(
            is_known(part, levels - 1)
            for each in parts
            for part in each
            if isinstance(part, Phrase)
        )
    )


use_language(ENGLISH)
