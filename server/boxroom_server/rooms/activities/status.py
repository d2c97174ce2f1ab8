"""The status that the owner of a room tells the other servers of a cluster."""

from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.people.quotas import bots_in
from boxroom_server.rooms.host import RoomHost
from boxroom_server.rooms.names_in_rooms import names_in
from boxroom_server.rooms.open_rooms import is_listed_anew, open_entry
from boxroom_server.storage.peers import Peers, RoomStatus

PUBLISH_AFTER_S = 0.5
"""Time in which the changes of one room are collected."""


class StatusReports:
    """Publishes the status of the room of `host` when it changes: an `Activity` of its owner."""

    def __init__(self, host: RoomHost, log: str, peers: Peers, clock: Clock) -> None:
        self._host = host
        self._log = log
        self._peers = peers
        self._clock = clock
        self._timer: Cancellable | None = None  # runs while changes are collected

    def start(self) -> None:
        """Publish the status soon."""
        if self._timer is None:
            self._timer = self._clock.call_later(PUBLISH_AFTER_S, self._publish)

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Publish the status soon if it has changed."""
        if is_listed_anew(before, after):
            self.start()

    async def stop(self) -> None:
        """Publish no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _publish(self) -> None:
        self._timer = None
        at = self._peers.owner_name(self._log)
        self._peers.publish(self._log, status_of(self._host.room, at))


def status_of(room: Room, at: str = "") -> RoomStatus:
    """Return the status of a room that is hosted here; `at` is the name of its owner's server."""
    return RoomStatus(
        listed=open_entry(room, at),
        names=tuple(sorted(names_in(room))),
        bots=bots_in(room),
        connected=tuple(it.name for it in room.members.values() if it.connected),
        phase=room.phase.value,
        game=room.settings.game,
        seq=room.seq,
    )
