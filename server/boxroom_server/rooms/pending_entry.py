"""An entry before it is saved, with the room and the messages that follow from it."""

from typing import Self

from msgspec import Struct

from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import is_same_for_all, view
from boxroom_engine.wire.messages import Events
from boxroom_server.net.frames import Outgoing


class PendingEntry(Struct, frozen=True, gc=False):
    """An entry with all that follows from it, computed before the log has saved it.

    The data for that is in the processor's cache at this time. When the log calls back, after
    many other rooms, fetching it again would take longer than the computation.
    """

    before: Room
    entry: Entry
    after: Room
    for_spectators: Outgoing
    for_players: Outgoing

    @classmethod
    def of(cls, before: Room, entry: Entry, after: Room) -> Self:
        """Return the pending form of `entry`, which leads from `before` to `after`."""
        for_spectators = for_players = Outgoing.of(Events(entry.seq, entry.at_ms, entry.events))
        if not is_same_for_all(entry):
            seen = tuple(view(event, Audience.PLAYER) for event in entry.events)
            for_players = Outgoing.of(Events(entry.seq, entry.at_ms, seen))
        return cls(before, entry, after, for_spectators, for_players)
