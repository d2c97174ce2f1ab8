"""What a server allows in its rooms: limits, bots and times, chosen by who runs it."""

from collections.abc import Callable, Mapping

from msgspec import Struct


def bot_kind(bot: str) -> str:
    """The name at the beginning of `bot`, which may go on with options: `chain:max_ply=8`."""
    return bot.partition(":")[0]


def without_options(bot: str) -> str:
    """`bot` itself, where no bot has options.

    Raises:
        ValueError: there are some in it.
    """
    if ":" in bot:
        raise ValueError(f"bots have no options here: write just {bot_kind(bot)}")
    return bot


class RoomLimits(Struct, frozen=True):
    """The rules of the house; they bind `decide` and never change what has happened."""

    bots: Mapping[str, tuple[str, ...]] = {}
    """For each game the bots that can be seated in it, by their names, the weakest first."""
    plain_bot: Callable[[str], str] = without_options
    """One of them with its options, written plainly; raises a ValueError that says why not."""
    stand_in: str = "greedy"
    """The bot that plays for people who drop out or run out of time."""
    seats: int = 50
    members: int = 500
    spectators: int = 400
    longest_game: int = 5_000
    """The greatest board, counted in moves that one game can take."""
    chat_chars: int = 500
    name_chars: int = 24
    grace_ms: int = 120_000
    """How long the seat of a player who drops out is kept as it is."""
    missed_clocks: int = 3
    """Clocks that run out in a row before a player counts as dropped out."""

    def has_bot(self, bot: str, game: str) -> bool:
        """Whether `bot`, with or without options, can be seated in `game`."""
        return bot_kind(bot) in self.bots.get(game, ())
