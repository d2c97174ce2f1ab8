"""Explanations of the field's words, by the word that a person types."""

from collections.abc import Iterator

from boxroom_engine.games.registry import KINDS

_MOST_CHARS_OF_SMALL_WORDS = 6
"""Longest word that is looked for among the words alone, not in what they mean."""


def explanation(word: str) -> str | None:
    """Return the sentence about `word`, or else the first that uses it; None if there is none."""
    wanted = " ".join(word.lower().replace("-", " ").split())
    meanings = {
        known: meaning
        for kind in KINDS.values()
        for known, meaning in kind.abilities.glossary.items()
    }
    for known, meaning in meanings.items():
        if wanted in {known.replace("-", " "), known.split()[0].replace("-", " ")}:
            return f"{known.capitalize()}: {meaning}"
    for known, meaning in meanings.items():
        if len(wanted) > _MOST_CHARS_OF_SMALL_WORDS and wanted in meaning.replace("-", " "):
            return f"{known.capitalize()}: {meaning}"
    return None


def words() -> Iterator[str]:
    """Yield the lines that list all words."""
    for kind in KINDS.values():
        if glossary := kind.abilities.glossary:
            yield f"Words of {kind.title}: {', '.join(glossary)}."
    yield "/explain control explains one of them."
