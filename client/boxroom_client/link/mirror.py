"""The client's copy of a room: a snapshot, and every event after it. No socket here.

The mirror follows the log without a gap or raises `OutOfSync`; it never guesses. It applies events
with the engine's own `evolve`, and so can't differ from the server's room.
"""

from boxroom_client.link.updates import ConnectionRestored, EnteredRoom, EventApplied
from boxroom_engine.errors import BoxroomError
from boxroom_engine.phrases import LocalizedError, phrase
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import room_from_snapshot
from boxroom_engine.wire.messages import Events, InRoom, Resumed

_INVALID = (AssertionError, LookupError, ValueError)
"""Errors that the engine, which trusts its callers, raises for invalid events and snapshots."""


class OutOfSync(BoxroomError):
    """A message doesn't follow on the last event; only a snapshot helps."""


class UnsupportedRoom(LocalizedError):
    """This client can't read the snapshot: the room has, for example, a newer game."""


class Mirror:
    """A copy of a room, as one of its members sees it."""

    def __init__(self) -> None:
        self.room: Room | None = None
        """The room; None before the first snapshot."""
        self.me: str | None = None
        """Name of the member; None before the first snapshot."""
        # Whether `room` is the result of all events so far, without a gap.
        self._in_sync = False

    @property
    def last_seen(self) -> tuple[str, int] | None:
        """Id of the log and seq of the last event; None if only a snapshot helps."""
        if self.room is None or not self._in_sync:
            return None
        return self.room.log, self.room.seq

    @property
    def is_watching(self) -> bool:
        """Whether the member is a spectator."""
        if self.room is None or self.me is None:
            return False
        return self.room.audience(self.me) is Audience.SPECTATOR

    def snapshot(self, *, back: bool) -> EnteredRoom:
        """Return the update with all that is known now. There must be a room."""
        assert self.room is not None
        assert self.me is not None
        return EnteredRoom(self.room, self.me, self.room.audience(self.me), back)

    def enter(self, message: InRoom) -> EnteredRoom:
        """Replace the room by the snapshot in `message`.

        Raises:
            UnsupportedRoom: this client can't read the snapshot.
        """
        try:
            room = room_from_snapshot(message.room)
        except _INVALID as error:
            raise UnsupportedRoom(phrase("refusal.cannot_follow", error=str(error))) from error
        back = self.room is not None and self.room.code == room.code
        self.room, self.me = room, message.you
        self._in_sync = True
        return self.snapshot(back=back)

    def resume(self, message: Resumed) -> ConnectionRestored:
        """Check that the server goes on where the mirror stands.

        Raises:
            OutOfSync: it doesn't.
        """
        here = (self.me, self.room.code, self.room.seq) if self.room is not None else None
        if not self._in_sync or (message.you, message.room, message.after) != here:
            raise self._out_of_sync(f"the server goes on after {message.after}")
        return ConnectionRestored()

    def apply(self, message: Events) -> list[EventApplied]:
        """Apply the events of one log entry: all of them, or none.

        Raises:
            OutOfSync: they don't follow on the last event, or are invalid in this room.
        """
        room = self.room
        if room is None or not self._in_sync or message.seq != room.seq + 1:
            raise self._out_of_sync(f"the server goes on with {message.seq}")
        applied = []
        for event in message.events:
            try:
                after = evolve(room, event, message.at_ms)
            except _INVALID as error:
                raise self._out_of_sync(f"event {room.seq + 1} can't be: {error}") from error
            applied.append(EventApplied(after.seq, event, room, after, message.at_ms))
            room = after
        self.room = room
        return applied

    def _out_of_sync(self, reason: str) -> OutOfSync:
        self._in_sync = False
        seq = self.room.seq if self.room is not None else 0
        return OutOfSync(f"{reason}, and this client has seen {seq}")
