"""What a room's entry leads to, worked out ahead."""

from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import looks_alike, view
from boxroom_engine.wire.messages import Events
from boxroom_server.outbox import Outgoing


class Step:
    """An entry with all that follows from it, worked out before the log has kept it.

    What is needed for that was just looked at; when the log has come back after many other
    rooms, the processor would have to fetch it all again, which takes longer than the work.
    """

    __slots__ = ("after", "before", "entry", "for_players", "for_spectators")

    def __init__(self, before: Room, entry: Entry, after: Room) -> None:
        self.before = before
        self.entry = entry
        self.after = after
        self.for_spectators = Outgoing(Events(entry.seq, entry.at_ms, entry.events))
        self.for_players = self.for_spectators
        if not looks_alike(entry):
            seen = tuple(view(event, Audience.PLAYER) for event in entry.events)
            self.for_players = Outgoing(Events(entry.seq, entry.at_ms, seen))
