"""Quotas of rooms, and of bots in them, for each person and each client.

A room counts for the person who made it and for the address that it was made from, until it is
closed. Rooms that a server restores when it starts have no address.

Bots that stand in for people count, too. Those that a room itself lets play for people who drop out
are never refused, but others are while there are too many.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import refusal
from boxroom_engine.room.room import Room, StandInRequest
from boxroom_engine.room.text import fold
from boxroom_server.net.client_address import counted_as
from boxroom_server.options import Options


@dataclass(frozen=True, slots=True)
class _Origin:
    """Creator of a room and their client, as folded name and `counted_as`."""

    creator: str
    client: str


class Quotas:
    """Open rooms by creator and by client."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._rooms: dict[str, _Origin] = {}  # by folded code
        self._by_creator: dict[str, set[str]] = {}  # folded codes
        self._by_client: Counter[str] = Counter()  # number of rooms

    def check_room(self, name: str, address: str) -> None:
        """Refuse one more room if `name` at `address` may not make it."""
        most = self._options.rooms_per_name
        if len(self._by_creator.get(fold(name), ())) >= most:
            raise refusal("too_many_rooms.yours", n=most)
        most = self._options.rooms_per_address
        if address and self._by_client[counted_as(address)] >= most:
            raise refusal("too_many_rooms.address", n=most)

    def add_room(self, code: str, creator: str, address: str = "") -> None:
        """Count a room that was made or restored."""
        origin = _Origin(fold(creator), counted_as(address))
        self._rooms[fold(code)] = origin
        self._by_creator.setdefault(origin.creator, set()).add(fold(code))
        self._by_client[origin.client] += 1

    def remove_room(self, code: str) -> None:
        """Stop counting a room; do nothing if it isn't counted."""
        origin = self._rooms.pop(fold(code), None)
        if origin is None:
            return
        rooms = self._by_creator[origin.creator]
        rooms.discard(fold(code))
        if not rooms:
            del self._by_creator[origin.creator]
        self._by_client[origin.client] -= 1
        if not self._by_client[origin.client]:
            del self._by_client[origin.client]

    def client_of(self, code: str) -> str:
        """Return what tells the client that made a room apart; its creator if that is unknown."""
        origin = self._rooms.get(fold(code))
        if origin is None:
            return ""  # it is closed, or about to be
        return origin.client or f"name {origin.creator}"  # an address has no space

    def rooms_of_creator(self, code: str) -> Iterable[str]:
        """Return the folded codes of all rooms by the creator of `code`; none if that is closed."""
        origin = self._rooms.get(fold(code))
        return () if origin is None else tuple(self._by_creator[origin.creator])

    def check_bots(self, wanted: int, bots: int) -> None:
        """Refuse `wanted` more bots if one person's rooms, with `bots`, may not have them."""
        most = self._options.bots_per_name
        if wanted and wanted + bots > most:
            raise refusal("too_many_bots", n=most)


BotCommand = cmd.SeatBot | cmd.Fill | cmd.StandIn | cmd.Answer
"""A command of a member after which there may be more bots."""


def bots_in(room: Room) -> int:
    """Return the number of bots that play, also for people."""
    return sum(holder.bot is not None for holder in room.seats)


def bots_wanted(command: BotCommand, room: Room) -> int:
    """Return how many more bots there would be after `command`."""
    empty = room.empty_seats()
    match command:
        case cmd.Fill():
            return len(empty)
        case cmd.SeatBot(seat=None):
            return int(room.free_seats > 0)  # else it replaces another bot
        case cmd.SeatBot(seat=seat):
            return int(seat in empty)
        case cmd.StandIn():
            return 1
        case cmd.Answer():
            return int(command.agree and isinstance(room.request, StandInRequest))
        case _:
            assert_never(command)
