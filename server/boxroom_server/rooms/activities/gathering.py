"""The gathering of a room's members on the server of its owner: other servers needn't host it then.

A server that has members of a room which another one owns does one of two things. If no member is
connected to the owner, it becomes the owner. Otherwise it asks its members to come over, again and
again, but never so often that it costs more than it spares.
"""

import zlib

from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import Elsewhere
from boxroom_engine.wire.parts import ELSEWHERE
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.net.frames import encode_outgoing
from boxroom_server.rooms.host import RoomHost
from boxroom_server.storage.peers import Peers

SPREAD_S = 3.0
"""Time over which servers ask the members of many rooms, so that not all come over at once."""

AGAIN_S = 10.0
"""Time after which those are asked again who are still here."""


class Gathering:
    """Has the members of the room of `host` meet on its owner's server: an `Activity`."""

    def __init__(self, host: RoomHost, log: str, peers: Peers, clock: Clock) -> None:
        self._host = host
        self._log = log
        self._peers = peers
        self._clock = clock
        self._first_s = zlib.crc32(log.encode()) % 1_000 / 1_000 * SPREAD_S
        self._timer: Cancellable | None = None  # runs while members here have to be asked

    def start(self) -> None:
        """Have the members meet, if they don't."""
        if self._is_apart and not self._takes_room() and self._timer is None:
            self._timer = self._clock.call_later(self._first_s, self._ask)

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Look again if members have come or gone."""
        if after.members is not before.members:
            self.start()

    async def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()

    @property
    def waits_for_members(self) -> bool:
        """True if members of this server can go to the owner's."""
        return self._is_apart and any(ELSEWHERE in it.knows for it in self._host.connections)

    @property
    def _is_apart(self) -> bool:
        """True if members are connected to this server, and it doesn't own the room."""
        return self._has_members_at(self._peers.node) and not self._peers.owns(self._log)

    def _has_members_at(self, node: str) -> bool:
        members = self._host.room.members.values()
        return any(member.connected and member.node == node for member in members)

    def _takes_room(self) -> bool:
        """Take the room if its owner has no member, and this server can own it."""
        if self._has_members_at(self._peers.owner(self._log)):
            return False
        return self._peers.take(self._log)

    def _ask(self) -> None:
        """Ask the members here to come over, and look again later."""
        self._timer = None
        if not self._is_apart:
            return
        at = self._peers.owner_name(self._log)
        if not self._takes_room() and at not in ("", self._peers.name):
            asked = encode_outgoing(Elsewhere(0, at))
            for membership in self._host.connections:
                if ELSEWHERE in membership.knows:
                    membership.connection.send(asked)
        self._timer = self._clock.call_later(AGAIN_S, self._ask)


def is_split(room: Room) -> bool:
    """Return whether the connected members of a room are on several servers."""
    return len({it.node for it in room.members.values() if it.connected}) > 1
