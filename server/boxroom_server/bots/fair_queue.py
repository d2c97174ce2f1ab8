"""Fair shares of the time of one worker: among the clients that wait, and the rooms of each client.

Start-time fair queuing (Goyal, Vin and Cheng, SIGCOMM 1996): the next turn is of the one whose
turns have taken least time. One that begins to wait counts as having taken as much as the one whose
turn was last, so that time without waiting earns nothing. So while two of them wait, the times that
they get differ by no more than one turn of either.
"""

from collections import deque
from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


class Asker(NamedTuple):
    """The room that asks, and the client whose room it is."""

    client: str
    room: str


class FairShares(Generic[Key]):
    """The keys that wait for a turn, and the time that each has used."""

    def __init__(self) -> None:
        self._waiting: dict[Key, None] = {}  # the one that has waited longest is first
        # Seconds, not from 0 but from `_floor_s` when the key came. Also of some that don't wait.
        self._used_s: dict[Key, float] = {}
        self._floor_s = 0.0  # used by the key whose turn was last, before that turn

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, key: Key) -> bool:
        return key in self._waiting

    def add(self, key: Key) -> None:
        """Let `key` wait for a turn, unless it does."""
        if key not in self._waiting:
            self._waiting[key] = None
            self._used_s[key] = max(self._used_s.get(key, 0.0), self._floor_s)

    def discard(self, key: Key) -> None:
        """Don't let `key` wait any more."""
        self._waiting.pop(key, None)

    def next(self) -> Key:
        """Return the key that is to have the next turn; of equals the one that waited longest."""
        return min(self._waiting, key=self._used_s.__getitem__)

    def begin_turn(self, key: Key) -> None:
        """Let `key`, the `next`, have its turn; it doesn't wait any more."""
        self.discard(key)
        self._floor_s = self._used_s[key]
        if len(self._used_s) > 2 * len(self._waiting) + 100:
            self._forget_idle()

    def charge(self, key: Key, seconds: float) -> None:
        """Add the time that a turn of `key` has taken; if none waits, all are equal again."""
        if self._waiting:
            self._used_s[key] = max(self._used_s.get(key, 0.0), self._floor_s) + seconds
        else:
            self._used_s.clear()

    def _forget_idle(self) -> None:
        """Forget those that don't wait and would begin with `_floor_s` if they came back."""
        self._used_s = {
            key: used_s
            for key, used_s in self._used_s.items()
            if key in self._waiting or used_s > self._floor_s
        }


class _Client(Generic[Item]):
    """The rooms of one client that wait, and what waits of each, in order."""

    def __init__(self) -> None:
        self.rooms = FairShares[str]()
        self.items: dict[str, deque[Item]] = {}

    def count(self) -> int:
        return sum(map(len, self.items.values()))


class FairQueue(Generic[Item]):
    """Items that wait, each for the turn of its asker."""

    def __init__(self) -> None:
        self._shares = FairShares[str]()  # of the clients
        self._clients: dict[str, _Client[Item]] = {}  # those that wait

    def __len__(self) -> int:
        return sum(client.count() for client in self._clients.values())

    def add(self, asker: Asker, item: Item) -> None:
        """Let `item` wait behind the others of its room."""
        client = self._clients.setdefault(asker.client, _Client())
        client.items.setdefault(asker.room, deque()).append(item)
        client.rooms.add(asker.room)
        self._shares.add(asker.client)

    def discard(self, asker: Asker, item: Item) -> None:
        """Remove an item that waits; do nothing if it doesn't."""
        client = self._clients.get(asker.client)
        if client is not None and item in client.items.get(asker.room, ()):
            client.items[asker.room].remove(item)
            if not client.items[asker.room]:
                self._remove_room(asker)

    def take(self) -> Item | None:
        """Remove the item whose turn is next, and return it; None if none waits."""
        if not self._shares:
            return None
        name = self._shares.next()
        client = self._clients[name]
        room = client.rooms.next()
        item = client.items[room].popleft()
        self._shares.begin_turn(name)
        client.rooms.begin_turn(room)
        if client.items[room]:
            client.rooms.add(room)
            self._shares.add(name)
        else:
            self._remove_room(Asker(name, room))
        return item

    def charge(self, asker: Asker, seconds: float) -> None:
        """Add the time that a turn has taken to those of its room and client."""
        self._shares.charge(asker.client, seconds)
        if asker.client in self._clients:
            self._clients[asker.client].rooms.charge(asker.room, seconds)

    def share(self, client: str) -> float:
        """Return the part of the time for one more item of `client` if all that wait had as much.

        The parts of all clients are equal, and so are those of the items of one client.
        """
        clients = len(self._shares) + (client not in self._shares)
        others = self._clients[client].count() if client in self._clients else 0
        return 1 / (clients * (1 + others))

    def _remove_room(self, asker: Asker) -> None:
        """Remove a room of which nothing waits, and its client if that was the last one."""
        client = self._clients[asker.client]
        del client.items[asker.room]
        client.rooms.discard(asker.room)
        if client.items:
            self._shares.add(asker.client)
        else:
            del self._clients[asker.client]
            self._shares.discard(asker.client)
