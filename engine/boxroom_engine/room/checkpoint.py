"""Checkpoints: all of a room's state, so that a server needn't read a long log from its start.

A `Snapshot` holds what an audience may see; a checkpoint adds the accepted commands, which the
next server of the room needs. `room_from_checkpoint(checkpoint(room)) == room`, for any room.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from boxroom_engine.room.room import AcceptedCommand, Audience, Room
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot


class Checkpoint(Struct, frozen=True, omit_defaults=True):
    """A room after its event number `seen.seq`."""

    seen: Snapshot
    """The room as spectators see it; nothing is hidden from them."""
    accepted: dict[str, tuple[tuple[int, int], ...]] = {}
    """For each member the remembered commands, oldest first: the id, and the seq it led to."""


def checkpoint(room: Room) -> Checkpoint:
    """Return the checkpoint of `room`."""
    accepted = {
        name: tuple((link.id, link.seq) for link in reversed([*newest.chain()]))
        for name, newest in room.accepted.items()
    }
    return Checkpoint(snapshot(room, Audience.SPECTATOR), accepted)


def room_from_checkpoint(stored: Checkpoint) -> Room:
    """Return the room of which `stored` is the checkpoint.

    Raises:
        GameError: this version doesn't know its game, or can't read its tokens.
    """
    accepted = {name: _chain(links) for name, links in stored.accepted.items() if links}
    return replace(room_from_snapshot(stored.seen), accepted=accepted)


def _chain(links: Sequence[tuple[int, int]]) -> AcceptedCommand:
    newest: AcceptedCommand | None = None
    for depth, (command_id, seq) in enumerate(links, 1):
        newest = AcceptedCommand(command_id, seq, newest, depth)
    assert newest is not None
    return newest
