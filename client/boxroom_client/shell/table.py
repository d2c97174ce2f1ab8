"""A table for a game at this computer: who sits at it, and what they play."""

from collections.abc import Iterable
from dataclasses import dataclass

from boxroom_client.profile.identity import NAME_CHARS
from boxroom_engine.room.room import Settings
from boxroom_engine.room.text import clean_name, same_name

USUAL_BOT = "greedy"
"""The bot to play against for who hasn't asked for another."""


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits at it, in the order of play, and what they play."""

    settings: Settings
    people: tuple[str, ...]
    bots: tuple[str, ...]
    """They sit after the people."""
    watcher: str | None
    """Who watches when nobody plays."""


def mistake_in_name(name: str, others: Iterable[str]) -> str | None:
    """Why nobody can sit down as `name` beside `others`; None if somebody can."""
    if clean_name(name, NAME_CHARS) is None:
        return (
            f"{name!r} can't be a name: it has 1 to {NAME_CHARS} letters, digits, spaces or _ - . '"
        )
    if any(same_name(name, other) for other in others):
        return f"two people are called {name}: they need different names"
    return None
