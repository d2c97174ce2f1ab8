"""The names that rooms know: those of members, and of people who hold a seat."""

from collections import Counter

from boxroom_server.rooms.host import RoomHost


class NamesInRooms:
    """The names in the rooms of a server that are awake, found without looking into the rooms."""

    def __init__(self) -> None:
        self._of_room: dict[RoomHost, frozenset[str]] = {}
        self._rooms: Counter[str] = Counter()  # number of rooms of each name, at least 1

    def __contains__(self, name: str) -> bool:
        return name in self._rooms

    def update(self, host: RoomHost) -> None:
        """Take over the names that the room of `host` knows now."""
        room = host.room
        now = frozenset(room.members) | {holder.member for holder in room.seats if holder.member}
        before = self._of_room.get(host, frozenset())
        self._of_room[host] = now
        self._count(now - before, before - now)

    def remove(self, host: RoomHost) -> None:
        """Forget the names of a room whose host stops."""
        self._count(frozenset(), self._of_room.pop(host, frozenset()))

    def _count(self, added: frozenset[str], removed: frozenset[str]) -> None:
        self._rooms.update(added)
        for name in removed:
            self._rooms[name] -= 1
            if not self._rooms[name]:
                del self._rooms[name]
