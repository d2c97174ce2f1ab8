"""Checkpoints: all that a log folds into, so that a server needn't read a long one from its start.

A `Snapshot` holds what an audience may see; a checkpoint adds the accepted commands, which the
next host of the room needs. For any room and its accepted commands,
`from_checkpoint(checkpoint(room, accepted))` returns the same.
"""

from msgspec import Struct
from msgspec.structs import replace

from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot


class Checkpoint(Struct, frozen=True, omit_defaults=True):
    """A room after its event number `seen.seq`."""

    seen: Snapshot
    """The room as spectators see it, with all private messages: nothing is hidden then."""
    accepted: dict[str, tuple[tuple[int, int], ...]] = {}
    """For each member the remembered commands, oldest first: the id, and the seq it led to."""


def checkpoint(room: Room, accepted: AcceptedCommands) -> Checkpoint:
    """Return the checkpoint of `room` and its accepted commands."""
    seen = snapshot(room, Audience.SPECTATOR)
    # What `room_from_snapshot` finds anyway.
    return Checkpoint(
        replace(seen, private=room.private, winners=(), movers=(), taken=()), accepted.stored()
    )


def from_checkpoint(stored: Checkpoint) -> tuple[Room, AcceptedCommands]:
    """Return the room and the accepted commands of which `stored` is the checkpoint.

    Raises:
        GameError: this version doesn't know its game, or can't read its tokens.
    """
    return room_from_snapshot(stored.seen), AcceptedCommands(stored.accepted)
