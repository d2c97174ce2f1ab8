"""What a server allows in its rooms: limits, bots and times, chosen by who runs it."""

from collections.abc import Mapping

from msgspec import Struct


class House(Struct, frozen=True):
    """The rules of the house; they bind `decide` and never change what has happened."""

    bots: Mapping[str, tuple[str, ...]] = {}
    """For each game the bots that can be seated in it."""
    stand_in: str = "greedy"
    """The bot that plays for people who drop out or run out of time."""
    seats: int = 50
    members: int = 500
    longest_game: int = 5_000
    """The greatest board, counted in moves that one game can take."""
    chat_chars: int = 500
    name_chars: int = 24
    grace_ms: int = 120_000
    """How long the seat of a player who drops out is kept as it is."""
    missed_clocks: int = 3
    """Clocks that run out in a row before a player counts as dropped out."""
