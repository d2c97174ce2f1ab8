"""Every bot that Boxroom knows, by name."""

from collections.abc import Mapping
from difflib import get_close_matches

from boxroom_engine.bots.greedy import Greedy
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.uniform import Uniform
from boxroom_engine.games.protocol import GameKind

_ALL: tuple[Bot, ...] = (Uniform(), Greedy())

BOTS: Mapping[str, Bot] = {bot.name: bot for bot in _ALL}
"""The bots in the order in which they are offered: by strength, the weakest first."""

_MOST_CHARS_SHOWN = 32


class UnknownBot(ValueError):
    """There is no bot of that name; the sentence says which there are."""


def bot_of(name: str) -> Bot:
    """The bot called `name`.

    Raises:
        UnknownBot: there is none.
    """
    bot = BOTS.get(name)
    if bot is None:
        raise UnknownBot(_unknown(name[:_MOST_CHARS_SHOWN]))
    return bot


def bots_for(kind: GameKind) -> tuple[str, ...]:
    """The names of the bots that play games of this kind, the weakest first."""
    return tuple(name for name, bot in BOTS.items() if bot.supports(kind))


def _unknown(name: str) -> str:
    known = ", ".join(BOTS)
    close = get_close_matches(name.lower(), BOTS, n=1)
    if close:
        return f"there is no bot {name!r}: did you mean {close[0]}? There are {known}"
    return f"there is no bot {name!r}; there are {known}"
