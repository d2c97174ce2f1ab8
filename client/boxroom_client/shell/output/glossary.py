"""Explanations of the field's words, by the word that a person types."""

from collections.abc import Iterator, Set

from boxroom_common.phrases import say
from boxroom_engine.games.protocol import GameKind
from boxroom_engine.games.registry import KINDS

_MOST_CHARS_OF_SMALL_WORDS = 6
"""Longest word that is looked for among the words alone, not in what they mean."""


def explanation(word: str) -> str | None:
    """Return the sentence about `word`, or else the first that uses it; None if there is none.

    Words are known in English, too, as books have them.
    """
    wanted = _comparable(word)
    known = [each for kind in KINDS.values() for each in kind.abilities.glossary]
    for each in known:
        if wanted in _names(each) | _names(_translated(each)):
            return _explained(each)
    for each in known:
        if len(wanted) > _MOST_CHARS_OF_SMALL_WORDS and wanted in _comparable(_meaning(each)):
            return _explained(each)
    return None


def words() -> Iterator[str]:
    """Yield the lines that list all words."""
    for kind in KINDS.values():
        if kind.abilities.glossary:
            yield say("terminal.glossary.words", game=kind.named, words=", ".join(_words_of(kind)))
    yield say("terminal.glossary.one")


def _words_of(kind: GameKind) -> Iterator[str]:
    return map(_translated, kind.abilities.glossary)


def _explained(word: str) -> str:
    known = _translated(word)
    return f"{known[0].upper()}{known[1:]}: {_meaning(word)}"


def _translated(word: str) -> str:
    return say(f"word.{word}")


def _meaning(word: str) -> str:
    return say(f"meaning.{word}")


def _names(word: str) -> Set[str]:
    """Return what `word` may be called: all of it, or its first part."""
    return {_comparable(word), _comparable(word.split(maxsplit=1)[0])}


def _comparable(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").split())
