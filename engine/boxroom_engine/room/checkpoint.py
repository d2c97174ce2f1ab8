"""Everything that a room is, to go on from without its log: what a server keeps of a long one.

A `Snapshot` is what an audience sees; a checkpoint is what the room's next host must know, so
also which commands were accepted. `restored(checkpoint(room)) == room`, for any room.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from boxroom_engine.room.room import Accepted, Audience, Room
from boxroom_engine.room.view import Snapshot, restore, snapshot


class Checkpoint(Struct, frozen=True, omit_defaults=True):
    """A room after its event number `seen.seq`."""

    seen: Snapshot
    """As spectators see it, who see everything."""
    accepted: dict[str, tuple[tuple[int, int], ...]] = {}
    """For each member the remembered commands, oldest first: the id, and the seq it led to."""


def checkpoint(room: Room) -> Checkpoint:
    """What to keep of `room`."""
    accepted = {
        name: tuple((link.id, link.seq) for link in reversed([*newest.chain()]))
        for name, newest in room.accepted.items()
    }
    return Checkpoint(snapshot(room, Audience.SPECTATOR), accepted)


def restored(kept: Checkpoint) -> Room:
    """The room that `kept` was made of.

    Raises:
        GameError: its game or tokens aren't of a game known here.
    """
    accepted = {name: _chain(links) for name, links in kept.accepted.items() if links}
    return replace(restore(kept.seen), accepted=accepted)


def _chain(links: Sequence[tuple[int, int]]) -> Accepted:
    newest: Accepted | None = None
    for depth, (command_id, seq) in enumerate(links, 1):
        newest = Accepted(command_id, seq, newest, depth)
    assert newest is not None
    return newest
