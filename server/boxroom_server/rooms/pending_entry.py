"""What a room's entry leads to, worked out ahead."""

from typing import Self

from msgspec import Struct

from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import is_same_for_all, view
from boxroom_engine.wire.messages import Events
from boxroom_server.net.outbox import Outgoing


class PendingEntry(Struct, frozen=True, gc=False):
    """An entry with all that follows from it, worked out before the log has kept it.

    What is needed for that was just looked at; when the log has come back after many other
    rooms, the processor would have to fetch it all again, which takes longer than the work.
    """

    before: Room
    entry: Entry
    after: Room
    for_spectators: Outgoing
    for_players: Outgoing

    @classmethod
    def of(cls, before: Room, entry: Entry, after: Room) -> Self:
        """What `entry`, which leads from `before` to `after`, comes to."""
        for_spectators = for_players = Outgoing.of(Events(entry.seq, entry.at_ms, entry.events))
        if not is_same_for_all(entry):
            seen = tuple(view(event, Audience.PLAYER) for event in entry.events)
            for_players = Outgoing.of(Events(entry.seq, entry.at_ms, seen))
        return cls(before, entry, after, for_spectators, for_players)
