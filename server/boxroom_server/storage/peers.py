"""The protocol of the other servers that share a storage, and a server that has none.

The servers of a cluster are its *nodes*. A member is connected to one node, and any node can host a
room: its log makes the order. One of them is the room's *owner*. It alone computes the moves of the
room's bots, watches its clocks, saves its checkpoints and finished games, and closes it when it is
empty. This only spares the others the work: two owners, for a moment, do no harm, because the log
takes each of their entries once.

A node can have a *name*, by which a balancer leads clients to it. Then the members of the rooms
that it owns meet there, so that the others needn't host these rooms.
"""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from boxroom_engine.wire.messages import RoomListed
from boxroom_server.storage.room_log import RoomRecord


class RoomStatus(Struct, frozen=True, omit_defaults=True):
    """All that servers have to know of a room that they don't host."""

    listed: RoomListed | None = None
    """The room's entry in the list of open rooms; None if it isn't open."""
    names: tuple[str, ...] = ()
    """Names of its members, and of people who hold a seat."""
    bots: int = 0
    """Number of bots with a seat of their own."""
    connected: tuple[str, ...] = ()
    """Names of the members who are connected to any server."""
    phase: str = ""
    """Phase of the room; "" if no server has published it yet."""
    game: str = ""
    """Name of the game that is chosen."""
    seq: int = 0
    """Number of the last event when this was published, which moves and chat alone don't cause."""


class PeersFollower(Protocol):
    """The receiver of changes by other servers; also of some by this one."""

    def room_added(self, record: RoomRecord) -> None:
        """Take in a room that was made."""

    def room_removed(self, log: str) -> None:
        """Take out a room that was closed."""

    def owner_changed(self, log: str) -> None:
        """Start or stop what only the owner of a room does, by `Peers.owns`."""

    def node_lost(self, node: str) -> None:
        """Let the members of a node that is gone drop out of the rooms that are owned here."""

    def status_changed(self, log: str, status: RoomStatus | None) -> None:
        """Take in what the owner of a room tells of it; None if the room is gone."""


class Peers(Protocol):
    """The nodes of a cluster, as one of them sees the others."""

    @property
    def node(self) -> str:
        """Id of this server; another one each time it starts."""

    @property
    def name(self) -> str:
        """Name of this server for the balancer, the same after each start; "" if it has none."""

    def owns(self, log: str) -> bool:
        """Return whether this server owns the room with that log."""

    def owner(self, log: str) -> str:
        """Return the id of the node that owns the room; "" if none does, as far as is known."""

    def owner_name(self, log: str) -> str:
        """Return the name of the room's owner; "" if it has none, or is leaving the cluster."""

    def take(self, log: str) -> bool:
        """Own the room soon, unless its owner changes meanwhile; return False if that can't be.

        Only a node with a name takes rooms, and none that is leaving.
        """

    async def withdraw(self) -> bool:
        """Leave the rooms of this node to the others; return False if that can't be.

        Only a node with a name does that, where there are others.
        """

    def is_here(self, node: str) -> bool:
        """Return whether `node` is a server that is running, as far as is known."""

    def publish(self, log: str, status: RoomStatus) -> None:
        """Tell the other servers the status of a room that is owned here."""

    def statuses(self) -> Mapping[str, RoomStatus]:
        """Return the statuses of rooms by log."""

    async def find_room(self, code: str) -> RoomRecord | None:
        """Return the room with that folded code, if another server has made it just now."""

    def follow(self, follower: PeersFollower) -> None:
        """Have `follower` receive all changes from now on."""


class NoPeers:
    """The peers of a server that has its storage alone."""

    node = ""
    name = ""

    def owns(self, log: str) -> bool:
        return True

    def owner(self, log: str) -> str:
        return self.node

    def owner_name(self, log: str) -> str:
        return ""

    def take(self, log: str) -> bool:
        return False

    async def withdraw(self) -> bool:
        return False

    def is_here(self, node: str) -> bool:
        """Return whether `node` is this server."""
        return node == self.node

    def publish(self, log: str, status: RoomStatus) -> None:
        pass

    def statuses(self) -> Mapping[str, RoomStatus]:
        return {}

    async def find_room(self, code: str) -> RoomRecord | None:
        return None

    def follow(self, follower: PeersFollower) -> None:
        pass  # no other server changes anything
