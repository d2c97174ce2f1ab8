"""Small pieces of sentences: full stops, names, signed numbers, and the options of a bot."""

import re

from boxroom_engine.bots.levels import LEVELS, title_of

_LEVEL = re.compile(rf"({'|'.join(LEVELS)})((?: \d+)?(?: \(bot\))?)")
"""The name of a bot that is a level, with its number in the room, and as in a record."""


def sentence(text: str, *, capital: bool = True) -> str:
    """Return `text` with a full stop and a capital, but not for a first word such as h31."""
    first, space, rest = text.partition(" ")
    if capital and not any(char.isdigit() for char in first):
        first = first[:1].upper() + first[1:]
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f"{first}{space}{rest}{stop}"


def called(name: str) -> str:
    """Return the name of a player as people read it: that of a level in their language.

    No person has such a name (`boxroom_common.look_alikes.mistake_in_new_name`).
    """
    found = _LEVEL.fullmatch(name)
    return name if found is None else f"{title_of(found[1])}{found[2]}"


def margin(value: float) -> str:
    """Return a number with its sign: "+2", "0", "−3"."""
    return f"{value:+g}".replace("-", "−") if value else "0"


def bot_options(bot: str | None) -> str:
    """Return the options after a bot's name, `max_ply=8, time=0.3`; empty if there are none."""
    return (bot or "").partition(":")[2].replace(",", ", ")
