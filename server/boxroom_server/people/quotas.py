"""How much of a server one person or one client may have: rooms, and bots in them.

Rooms count for who made them, as long as they last, and for the address from which that was
done. Rooms that a server finds when it starts have no address.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.room import Room
from boxroom_engine.room.text import fold
from boxroom_server.net.client_address import counted_as
from boxroom_server.options import Options


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a room comes from."""

    creator: str
    client: str


class Quotas:
    """Who has made which of the rooms there are."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._rooms: dict[str, _Origin] = {}
        self._by_creator: dict[str, set[str]] = {}
        self._by_client: Counter[str] = Counter()

    def refuses_room(self, name: str, address: str) -> Refusal | None:
        """Why `name` at `address` may not have one more room; None if that is all right."""
        most = self._options.rooms_per_name
        if len(self._by_creator.get(fold(name), ())) >= most:
            return Refusal(
                "too_many_rooms",
                f"you have made {most} rooms: go into one of them, or wait until empty ones close",
            )
        most = self._options.rooms_per_address
        if address and self._by_client[counted_as(address)] >= most:
            return Refusal(
                "too_many_rooms",
                f"{most} rooms were made from your address: join one, or wait until some close",
            )
        return None

    def opened(self, code: str, creator: str, address: str = "") -> None:
        """There is a room more."""
        origin = _Origin(fold(creator), counted_as(address))
        self._rooms[fold(code)] = origin
        self._by_creator.setdefault(origin.creator, set()).add(fold(code))
        self._by_client[origin.client] += 1

    def closed(self, code: str) -> None:
        """The room is gone; it may have been gone before."""
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

    def beside(self, code: str) -> Iterable[str]:
        """The room `code` and the others of who made it, folded; none if it is gone."""
        origin = self._rooms.get(fold(code))
        return () if origin is None else tuple(self._by_creator[origin.creator])

    def refuses_bots(self, wanted: int, rooms: Iterable[Room]) -> Refusal | None:
        """Why the `rooms` of one person may not have `wanted` more bots; None if they may."""
        most = self._options.bots_per_name
        if wanted and wanted + sum(map(bots_in, rooms)) > most:
            return Refusal(
                "too_many_bots", f"the rooms of one person have at most {most} bots: unseat some"
            )
        return None


def bots_in(room: Room) -> int:
    """Bots with a seat of their own; those that stand in for somebody don't count."""
    return sum(holder.bot is not None and holder.member is None for holder in room.seats)


def bots_wanted(command: cmd.SeatBot | cmd.Fill, room: Room) -> int:
    """How many bots `command` would seat, if it is granted."""
    return 1 if isinstance(command, cmd.SeatBot) else len(room.empty_seats())
