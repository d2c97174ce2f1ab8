"""Limits, bots and times of the rooms of a server, chosen by its operator."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from boxroom_engine.phrases import LocalizedError, Phrase, phrase
from boxroom_engine.room.text import same_name


def bot_kind(bot: str) -> str:
    """Return the name of `bot` without its options: `chain` for `chain:max_ply=8`."""
    return bot.partition(":")[0]


def without_options(bot: str) -> str:
    """Return `bot` unchanged; the `plain_bot` of a server whose bots have no options.

    Raises:
        LocalizedError: `bot` has options.
    """
    if ":" in bot:
        raise LocalizedError(phrase("bot.without_options", bot=bot_kind(bot)))
    return bot


def no_mistake(name: str) -> Phrase | None:
    """Return None: every name is all right."""
    return None


def first_same(name: str, others: Iterable[str]) -> str | None:
    """Return the first one of `others` that is the same name as `name`."""
    return next((other for other in others if same_name(name, other)), None)


class RoomLimits(Struct, frozen=True):
    """Limits that `decide` enforces; changing them never changes what has happened."""

    bots: Mapping[str, tuple[str, ...]] = {}
    """For each game the names of the bots that can play it, the weakest first."""
    levels: tuple[str, ...] = ()
    """The bots among them that are levels of strength, for people."""
    plain_bot: Callable[[str], str] = without_options
    """Normalises a bot with its options; raises a LocalizedError that names a wrong option."""
    mistake_in_new_name: Callable[[str], Phrase | None] = no_mistake
    """Returns why a person who sits down can't be called that; None if one can."""
    look_alike: Callable[[str, Iterable[str]], str | None] = first_same
    """Returns the first of some names that people would take for a name."""
    stand_in: str = "easy"
    """The bot that plays for people who drop out or run out of time."""
    events: int = 1_000_000
    """Events of a room; after these it ends as soon as its game is over."""
    seats: int = 50
    members: int = 500
    spectators: int = 400
    longest_game: int = 5_000
    """Size of the largest board: the most moves that one game can take."""
    chat_chars: int = 500
    name_chars: int = 24
    grace_ms: int = 120_000
    """How long the server keeps the seat of a player who drops out."""
    missed_clocks: int = 3
    """Clocks that run out in a row before a player counts as dropped out."""

    def bots_named_to_people(self, game: str) -> list[str]:
        """Return the bots of `game`, the levels before those that are named by their algorithm."""
        return sorted(self.bots.get(game, ()), key=lambda bot: bot not in self.levels)

    def has_bot(self, bot: str, game: str) -> bool:
        """Whether `bot`, with or without options, can play `game`."""
        return bot_kind(bot) in self.bots.get(game, ())
