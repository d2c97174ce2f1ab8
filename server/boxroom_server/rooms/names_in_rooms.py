"""The names that rooms know: those of members, and of people who hold a seat."""

from collections import Counter
from collections.abc import Iterable

from boxroom_engine.room.room import Room


class NamesInRooms:
    """The names in all rooms, found without looking into them.

    Of a room of which nothing is known, any name may be a member or a player.
    """

    def __init__(self) -> None:
        self._of_room: dict[str, frozenset[str]] = {}  # by log
        self._rooms: Counter[str] = Counter()  # number of rooms of each name, at least 1
        self._unknown: set[str] = set()  # logs of rooms whose names aren't known

    def __contains__(self, name: str) -> bool:
        return bool(self._unknown) or name in self._rooms

    def update(self, log: str, names: Iterable[str] | None) -> None:
        """Take over the names that a room knows now; None if they aren't known."""
        if names is None:
            self._unknown.add(log)
        else:
            self._unknown.discard(log)
        now, before = frozenset(names or ()), self._of_room.pop(log, frozenset())
        if now:
            self._of_room[log] = now
        self._count(now - before, before - now)

    def _count(self, added: frozenset[str], removed: frozenset[str]) -> None:
        self._rooms.update(added)
        for name in removed:
            self._rooms[name] -= 1
            if not self._rooms[name]:
                del self._rooms[name]


def names_in(room: Room) -> frozenset[str]:
    """Return the names that `room` knows."""
    return frozenset(room.members) | {holder.member for holder in room.seats if holder.member}
