"""The room as this client knows it: a snapshot, and every event after it. No socket here.

The mirror follows the log without a gap or says `OutOfSync`; it never guesses. It folds
with the engine's own `evolve`, and so can't drift from the server's room.
"""

from boxroom_client.link.updates import ConnectionRestored, EnteredRoom, EventApplied
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import restore
from boxroom_engine.wire.messages import Events, InRoom, Resumed

_NONSENSE = (AssertionError, LookupError, ValueError)
"""What the engine raises at events or snapshots that can't be; it trusts its callers."""


class OutOfSync(Exception):
    """What came doesn't follow on what is known; only a snapshot helps."""


class UnsupportedRoom(Exception):
    """The snapshot is of a room that this client doesn't understand, such as a newer game's."""


class Mirror:
    """A room's image, and whose eyes it is seen with."""

    def __init__(self) -> None:
        self.room: Room | None = None
        self.me: str | None = None
        self._in_step = False

    @property
    def last_seen(self) -> tuple[str, int] | None:
        """The log and the last seq to go on from, or None if only a snapshot will do."""
        if self.room is None or not self._in_step:
            return None
        return self.room.log, self.room.seq

    @property
    def is_watching(self) -> bool:
        """Whether we are in the room without a seat."""
        if self.room is None or self.me is None:
            return False
        return self.room.audience(self.me) is Audience.SPECTATOR

    def snapshot(self, *, back: bool) -> EnteredRoom:
        """All that is known now. There has to be a room."""
        assert self.room is not None
        assert self.me is not None
        return EnteredRoom(self.room, self.me, self.room.audience(self.me), back)

    def enter(self, message: InRoom) -> EnteredRoom:
        """Begin from a snapshot, for the first time or anew.

        Raises:
            CannotFollow: the snapshot can't be made a room here.
        """
        try:
            room = restore(message.room)
        except _NONSENSE as error:
            raise UnsupportedRoom(
                f"this client doesn't understand that room, a newer one may: {error}"
            ) from error
        back = self.room is not None
        self.room, self.me = room, message.you
        self._in_step = True
        return self.snapshot(back=back)

    def resume(self, message: Resumed) -> ConnectionRestored:
        """Go on where the mirror stands.

        Raises:
            OutOfStep: the server goes on elsewhere.
        """
        here = (self.me, self.room.code, self.room.seq) if self.room is not None else None
        if not self._in_step or (message.you, message.room, message.after) != here:
            raise self._out_of_step(f"the server goes on after {message.after}")
        return ConnectionRestored()

    def happen(self, message: Events) -> list[EventApplied]:
        """Take in the events of one entry: all of them, or none.

        Raises:
            OutOfStep: they don't follow on the last one, or can't happen in this room.
        """
        room = self.room
        if room is None or not self._in_step or message.seq != room.seq + 1:
            raise self._out_of_step(f"the server goes on with {message.seq}")
        happened = []
        for event in message.events:
            try:
                after = evolve(room, event)
            except _NONSENSE as error:
                raise self._out_of_step(f"event {room.seq + 1} can't be: {error}") from error
            happened.append(EventApplied(after.seq, event, room, after))
            room = after
        self.room = room
        return happened

    def _out_of_step(self, what: str) -> OutOfSync:
        self._in_step = False
        seq = self.room.seq if self.room is not None else 0
        return OutOfSync(f"{what}, and this client has seen {seq}")
