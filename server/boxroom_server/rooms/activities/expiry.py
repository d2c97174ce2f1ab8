"""Expiry of one room: it is closed when no member has been connected for a while."""

import asyncio

from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.rooms.host import RoomHost


class Expiry:
    """Closes `host` after `empty_room_s` without a connected member: an `Activity`."""

    def __init__(self, host: RoomHost, clock: Clock, empty_room_s: float) -> None:
        self._host = host
        self._clock = clock
        self._empty_room_s = empty_room_s
        self._timer: Cancellable | None = None  # runs while no member is connected
        self._closing: asyncio.Task[None] | None = None  # set when the room has expired
        self.start()

    def start(self) -> None:
        """Start the time if no member is connected, or stop it."""
        is_empty = not any(member.connected for member in self._host.room.members.values())
        if is_empty and self._timer is None:
            self._timer = self._clock.call_later(self._empty_room_s, self._expire)
        elif not is_empty:
            self._cancel_timer()

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Start or stop the time if members have come or gone."""
        if after.members is not before.members:
            self.start()

    async def stop(self) -> None:
        """Stop the time."""
        self._cancel_timer()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        self._timer = None
        if self._host.is_busy:
            self.start()  # a member may be coming in
        else:
            self._closing = asyncio.ensure_future(self._host.close())
