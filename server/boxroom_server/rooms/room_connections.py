"""The connections of one room's members, and the messages that each of them is sent."""

from collections.abc import Callable, Iterator, KeysView, Set
from dataclasses import dataclass
from typing import Protocol

from msgspec.structs import replace
from websockets.frames import CloseCode

from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.events import (
    Dropped,
    Entry,
    Joined,
    Kicked,
    Left,
    Renamed,
    Returned,
    Woken,
)
from boxroom_engine.room.room import Audience, Member, Room
from boxroom_engine.room.view import has_private, snapshot, view_of_member
from boxroom_engine.wire.messages import (
    CLOSE_REPLACED,
    Coaching,
    Events,
    Hint,
    InRoom,
    Notice,
    Resumed,
    ServerMessage,
)
from boxroom_engine.wire.parts import known_events, parts_of
from boxroom_server.clock import Clock
from boxroom_server.net.frames import Outgoing, encode_outgoing
from boxroom_server.rooms.replay_buffer import ReplayBuffer
from boxroom_server.rooms.sequencer import PreparedEntry

REPLACED = "you came in over another connection"
"""Reason with which the older of a member's connections is closed."""

THOUGHT_GONE = "another server thought that this one was gone: come in again"
"""Reason with which connections are closed whose members have dropped out by mistake."""


class MemberConnection(Protocol):
    """The connection of a member, as its room uses it."""

    @property
    def is_closing(self) -> bool:
        """Whether nothing can be sent any more."""

    def send(self, outgoing: Outgoing) -> None:
        """Send a message; without effect on a connection that is closing or lost."""

    def close(self, code: int, reason: str) -> None:
        """Close the connection behind all sent messages."""


@dataclass(eq=False, slots=True)
class Membership:
    """One session's membership in one room: the member's name and connection."""

    name: str
    connection: MemberConnection
    address: str = ""
    """The client's IP address; "" if it is unknown."""
    knows: Set[str] = frozenset()
    """Parts of the protocol that the client named in its hello."""
    verifier: bytes = b""
    """Verifier of the secret that owned the name at the hello; see `recognition`."""
    let_in: Callable[[], None] = lambda: None
    """Called when the room lets the member in, before it sends anything."""
    link: str = ""
    """Link of the game that may begin as the member comes back."""
    in_room: bool = False
    """Whether the host sends it the room's events; only `RoomConnections` changes it."""


class RoomConnections:
    """The connected members of one room, with one connection each."""

    def __init__(self, replay_buffer: ReplayBuffer, clock: Clock) -> None:
        self._replay_buffer = replay_buffer
        self._clock = clock
        self._by_name: dict[str, Membership] = {}  # by the member's name
        self.names: KeysView[str] = self._by_name.keys()
        """Names of the connected members; always up to date."""

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def __iter__(self) -> Iterator[Membership]:
        """Iterate over a copy, so that members may be removed meanwhile."""
        return iter(list(self._by_name.values()))

    def get(self, name: str | None) -> Membership | None:
        """Return the membership of `name`; None if that member isn't connected."""
        return self._by_name.get(name) if name is not None else None

    def add(
        self, membership: Membership, room: Room, last_id: int, after: tuple[str, int] | None
    ) -> None:
        """Send `membership` the events that it has missed, and all events from now on.

        `last_id` is the id of its last accepted command. `after` is the log and the number of the
        last event that the client knows; if that is another log, or the events since then aren't
        buffered, the whole room is sent.
        """
        replaced = self._by_name.get(membership.name)
        if replaced is not None and replaced is not membership:
            self._close(replaced, CLOSE_REPLACED, REPLACED)
        membership.let_in()
        self._by_name[membership.name] = membership
        membership.in_room = True
        for message in self._messages_on_entry(membership, room, last_id, after):
            membership.connection.send(encode_outgoing(message))

    def _messages_on_entry(
        self, membership: Membership, room: Room, last_id: int, after: tuple[str, int] | None
    ) -> Iterator[ServerMessage]:
        missed = None
        if after is not None and after[0] == room.log:
            missed = self._replay_buffer.after(after[1], room.seq)
        if missed is not None and _was_kicked(membership.name, missed):
            missed = None
        if missed is not None:
            missed = _known(missed, membership.knows)
        if after is None or missed is None:
            yield self._in_room(membership, room, last_id)
            return
        audience = room.audience(membership.name)
        yield Resumed(membership.name, room.code, after[1], last_id, audience)
        for events in missed:
            yield _seen(events, audience, room.members.get(membership.name))

    def _in_room(self, membership: Membership, room: Room, last_id: int) -> InRoom:
        audience = room.audience(membership.name)
        now_ms = self._clock.now_ms()
        seen = snapshot(room, audience, room.members.get(membership.name))
        return InRoom(membership.name, audience, last_id, seen, now_ms)

    def remove(self, membership: Membership) -> None:
        """Stop sending to `membership`."""
        membership.in_room = False
        if self._by_name.get(membership.name) is membership:
            del self._by_name[membership.name]

    def keep(self, members: Set[str]) -> None:
        """Remove the connections of all but `members`."""
        for name in self._by_name.keys() - members:
            self.remove(self._by_name[name])

    def close_all(self, reason: str, code: int = CloseCode.GOING_AWAY) -> None:
        """Close all connections, as the room has ended, or its host has."""
        for membership in self:
            self._close(membership, code, reason)

    def leave_to_others(self, entry: Entry, room: Room, node: str) -> None:
        """Close the connections of members that aren't connected to this `node`, by `entry`.

        A member may have come to another server, or another one has noted that this one is gone.
        Or it goes on under another name, over another connection.
        """
        for event in entry.events:
            if isinstance(event, Renamed):
                if (membership := self._by_name.get(event.member)) is not None:
                    self._close(membership, CLOSE_REPLACED, REPLACED)
            elif isinstance(event, Joined | Returned):
                membership = self._by_name.get(event.member)
                if membership is not None and event.node != node:
                    self._close(membership, CLOSE_REPLACED, REPLACED)
            elif isinstance(event, Dropped | Left):
                membership = self._by_name.get(event.member)
                if membership is not None and not room.is_connected(event.member):
                    self._close(membership, CloseCode.SERVICE_RESTART, THOUGHT_GONE)
            elif isinstance(event, Woken):
                self.close_all(THOUGHT_GONE, CloseCode.SERVICE_RESTART)

    def _close(self, membership: Membership, code: int, reason: str) -> None:
        self.remove(membership)
        membership.connection.close(code, reason)

    def publish(self, saved: PreparedEntry, accepted: AcceptedCommands) -> None:
        """Send all members an entry that has been saved, as each of them may see it.

        `accepted` are the accepted commands with that entry.
        """
        parts = parts_of(saved.entry.events)
        is_same_for_all = saved.for_players is saved.for_spectators
        is_private = bool(parts) and has_private(saved.entry)
        for membership in self._by_name.values():
            if is_private or (parts and not parts <= membership.knows):
                self._send_known(membership, saved, accepted)
            elif is_same_for_all or saved.after.audience(membership.name) is Audience.SPECTATOR:
                membership.connection.send(saved.for_spectators)
            else:
                membership.connection.send(saved.for_players)

    def _send_known(
        self, membership: Membership, saved: PreparedEntry, accepted: AcceptedCommands
    ) -> None:
        """Send an entry with private messages, or parts that `membership`'s client doesn't know."""
        entry, room = saved.entry, saved.after
        events = known_events(entry.events, membership.knows)
        message: ServerMessage
        if events is None:
            message = self._in_room(membership, room, accepted.last_id(membership.name))
        else:
            audience, member = room.audience(membership.name), room.members.get(membership.name)
            message = _seen(Events(entry.seq, entry.at_ms, events), audience, member)
        membership.connection.send(encode_outgoing(message))

    def send_all(self, outgoing: Outgoing) -> None:
        """Send all members the same message."""
        for membership in self._by_name.values():
            membership.connection.send(outgoing)

    def send_one(self, name: str, message: Hint | Coaching | Notice) -> None:
        """Send the member `name`, if connected, a message for it alone."""
        membership = self._by_name.get(name)
        if membership is not None:
            membership.connection.send(encode_outgoing(message))


def _was_kicked(name: str, missed: list[Events]) -> bool:
    """Return whether a member was removed meanwhile, and came back after an `unbar`.

    A player who was removed from a game comes back as a spectator. So what was hidden before is
    missing, too, and only the whole room has it.
    """
    return any(
        type(event) is Kicked and event.member == name
        for events in missed
        for event in events.events
    )


def _seen(events: Events, audience: Audience, member: Member | None) -> Events:
    seen = tuple(view_of_member(event, audience, member) for event in events.events)
    return replace(events, events=seen)


def _known(missed: list[Events], knows: Set[str]) -> list[Events] | None:
    """Return the missed events for a client that knows these parts; None: it needs the room."""
    known = []
    for events in missed:
        seen = known_events(events.events, knows)
        if seen is None:
            return None
        known.append(replace(events, events=seen))
    return known
