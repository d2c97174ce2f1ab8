"""Watchers of the list of open rooms: clients that are sent its changes.

Changes are collected, encoded once for all watchers, and sent at most once in `EVERY_S`, of no more
rooms than a page of the list has; the rest comes later. A watcher pays for what it is sent, and
no tick sends to more than `WATCHERS_AT_ONCE` of them, so that they keep no game waiting.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Protocol

import msgspec

from boxroom_server.clock import Clock
from boxroom_server.net.frames import Outgoing, text_frame

EVERY_S = 1.0
"""Time in which changes are collected."""

WATCHERS_AT_ONCE = 50
"""Watchers that are sent a message in one tick."""


class ListWatcher(Protocol):
    """A client that watches the list."""

    def rooms_changed(self, outgoing: Outgoing) -> None:
        """Send a `RoomsChanged` to the client."""


class ListWatchers:
    """The watchers of one server's list of open rooms."""

    def __init__(self, clock: Clock, most_rooms: int) -> None:
        self._clock = clock
        self._most_rooms = most_rooms  # in one message
        self._watchers: dict[ListWatcher, None] = {}
        # Entries in JSON by code, the longest changed first; None for rooms that left the list.
        self._changed: dict[str, bytes | None] = {}
        self._is_sending = False  # whether a message is collected, or not yet sent to all

    def __len__(self) -> int:
        return len(self._watchers)

    def add(self, watcher: ListWatcher) -> None:
        """Send `watcher` all changes from now on."""
        self._watchers[watcher] = None

    def discard(self, watcher: ListWatcher) -> None:
        """Send `watcher` no more changes, if it was sent any."""
        self._watchers.pop(watcher, None)
        if not self._watchers:
            self._changed.clear()  # as it isn't kept up to date without watchers

    def room_changed(self, code: str, entry: bytes | None) -> None:
        """Tell all watchers the new entry of a room, in JSON; None if it left the list."""
        if not self._watchers:
            return
        self._changed[code] = entry
        if not self._is_sending:
            self._schedule()

    def _schedule(self) -> None:
        self._is_sending = True
        self._clock.call_later(EVERY_S, self._send_changes)

    def _send_changes(self) -> None:
        if self._changed:
            self._send(self._next_message(), iter(list(self._watchers)))
        else:  # the last watcher has left
            self._is_sending = False

    def _next_message(self) -> Outgoing:
        """Return the `RoomsChanged` of the rooms whose changes have waited longest."""
        codes = list(islice(self._changed, self._most_rooms))
        entries = {code: self._changed.pop(code) for code in codes}
        rooms = b",".join(entry for entry in entries.values() if entry is not None)
        gone = msgspec.json.encode([code for code, entry in entries.items() if entry is None])
        payload = b'{"type":"rooms_changed","rooms":[%b],"gone":%b}' % (rooms, gone)
        return Outgoing(payload, text_frame(payload))

    def _send(self, outgoing: Outgoing, watchers: Iterator[ListWatcher]) -> None:
        """Send a message to some of `watchers`, and in the next tick to the next ones.

        The time to the next message begins with the last of them, so that none overtakes another.
        """
        some = list(islice(watchers, WATCHERS_AT_ONCE))
        if len(some) == WATCHERS_AT_ONCE:
            self._clock.call_later(0.0, partial(self._send, outgoing, watchers))
        elif self._changed:
            self._schedule()
        else:
            self._is_sending = False
        for watcher in some:
            if watcher in self._watchers:
                watcher.rooms_changed(outgoing)
