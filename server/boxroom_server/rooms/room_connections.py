"""The members of one room who are connected, and what each of them is sent."""

from collections.abc import Iterator

from boxroom_engine.room.decide import last_accepted_id
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import snapshot, view
from boxroom_engine.wire.messages import (
    CLOSE_REPLACED,
    Events,
    InRoom,
    Resumed,
    ServerMessage,
)
from boxroom_server.net.outbox import Outgoing
from boxroom_server.rooms.membership import Membership
from boxroom_server.rooms.pending_entry import PendingEntry
from boxroom_server.rooms.replay_buffer import ReplayBuffer


class RoomConnections:
    """By their names; one connection each."""

    def __init__(self, recent: ReplayBuffer) -> None:
        self._recent = recent
        self._by_name: dict[str, Membership] = {}

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def __iter__(self) -> Iterator[Membership]:
        """All of them as they are now, whoever goes meanwhile."""
        return iter(list(self._by_name.values()))

    def get(self, name: str | None) -> Membership | None:
        """The member `name`; None if it isn't connected."""
        return self._by_name.get(name) if name is not None else None

    def admit(self, guest: Membership, room: Room, after: tuple[str, int] | None) -> None:
        """From here on `guest` is sent what happens: what it missed, in one step with that.

        That is what happened after event number `after[1]`, if that is of this room's log and
        still known, or else the whole room.
        """
        replaced = self._by_name.get(guest.name)
        if replaced is not None and replaced is not guest:
            self.dismiss(replaced)
            replaced.outbox.close(CLOSE_REPLACED, "you came in over another connection")
        self._by_name[guest.name] = guest
        guest.in_room = True
        audience = room.audience(guest.name)
        last_id = last_accepted_id(room, guest.name)
        missed = None
        if after is not None and after[0] == room.log:
            missed = self._recent.after(after[1], room.seq)
        if after is None or missed is None:
            seen = snapshot(room, audience)
            guest.outbox.send(Outgoing.of(InRoom(guest.name, audience, last_id, seen)))
            return
        guest.outbox.send(Outgoing.of(Resumed(guest.name, room.code, after[1], last_id)))
        for events in missed:
            seen_events = tuple(view(event, audience) for event in events.events)
            guest.outbox.send(Outgoing.of(Events(events.seq, events.at_ms, seen_events)))

    def dismiss(self, guest: Membership) -> None:
        """`guest` isn't sent anything any more."""
        guest.in_room = False
        if self._by_name.get(guest.name) is guest:
            del self._by_name[guest.name]

    def hand_on(self, step: PendingEntry) -> None:
        """Send everybody what has happened, as they see it."""
        outgoing = step.for_spectators
        if step.for_players is outgoing:
            for guest in self._by_name.values():
                guest.outbox.send(outgoing)
            return
        for guest in self._by_name.values():
            is_player = step.after.audience(guest.name) is Audience.PLAYER
            guest.outbox.send(step.for_players if is_player else outgoing)

    def send_all(self, outgoing: Outgoing) -> None:
        """Send everybody the same."""
        for guest in self._by_name.values():
            guest.outbox.send(outgoing)

    def tell(self, name: str, message: ServerMessage) -> None:
        """Tell the member `name` alone, if still here."""
        guest = self._by_name.get(name)
        if guest is not None:
            guest.outbox.send(Outgoing.of(message))
