"""Every message of the protocol, in both directions; docs/protocol.md is the explanation.

A message is one JSON object with a `type`. Client messages other than `hello` carry an `id`,
which the answer repeats. A member's commands are those of `boxroom_engine.room.commands`,
as they are written there.
"""

from typing import Annotated

from msgspec import Meta, Struct

from boxroom_engine.room.commands import AnyMemberCommand, CommandId, Text
from boxroom_engine.room.events import Event
from boxroom_engine.room.room import Audience, RequestedSettings, Settings
from boxroom_engine.room.view import Snapshot

PROTOCOL = 1
"""The version in the greeting; it changes when an older client would misunderstand."""

CLOSE_BAD_GREETING = 4000
"""The first message wasn't a `hello` that the server understands, or took too long."""
CLOSE_REPLACED = 4001
"""The same identity came in over another connection."""
CLOSE_NOT_WELCOME = 4003
"""Banned or released: this identity or address isn't welcome (any more)."""
CLOSE_TOO_FAST = 1008
"""Messages or frames kept coming faster than the server takes them (RFC 6455, 7.4.1: policy)."""

Seq = Annotated[int, Meta(ge=0, le=2**53 - 1)]
RoomName = Annotated[str, Meta(min_length=1, max_length=100)]
Secret = Annotated[str, Meta(min_length=16, max_length=200)]
Token = Annotated[str, Meta(min_length=8, max_length=100)]


class Request(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Asks something of the server itself; `id` is the client's own and repeated in the answer."""

    id: CommandId


class Hello(Struct, frozen=True, gc=False, tag="hello", omit_defaults=True):
    """The first message: who comes, and which protocol it speaks.

    `secret` is random and the client's own: the name belongs to it on this server. Fields of
    a later protocol are let pass, so that `protocol` decides, and not they.
    """

    protocol: Annotated[int, Meta(ge=0, le=2**31)]
    name: Text
    secret: Secret
    client: Annotated[str, Meta(max_length=100)] = ""


class ListRooms(Request, frozen=True, tag="list_rooms"):
    """Which rooms are open?"""


class CreateRoom(Request, frozen=True, tag="create_room"):
    """Make a room and come in as its host.

    `token` is random; repeated with the same token, the request leads to the same room.
    """

    token: Token
    settings: RequestedSettings = RequestedSettings()
    room: RoomName | None = None
    password: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    watch: bool = False


class JoinRoom(Request, frozen=True, tag="join_room"):
    """Come into a room, or back.

    Coming back, `after` is the number of the last event seen and `log` the room's `log`.
    """

    room: RoomName
    password: Annotated[str, Meta(max_length=200)] | None = None
    watch: bool = False
    after: Seq | None = None
    log: Annotated[str, Meta(max_length=100)] | None = None


AnyRequest = ListRooms | CreateRoom | JoinRoom
ClientMessage = Hello | AnyRequest | AnyMemberCommand


class GameOffered(Struct, frozen=True, gc=False):
    """A game that the server plays, and the bots it can seat in it."""

    game: str
    title: str
    bots: tuple[str, ...]


class Welcome(Struct, frozen=True, gc=False, tag="welcome"):
    """The answer to `hello`: the name as the server writes it, and what it offers."""

    protocol: int
    server: str
    name: str
    games: tuple[GameOffered, ...]


class Done(Struct, frozen=True, gc=False, tag="done"):
    """The request or command `id` is done; `seq` is the number of the last event of it."""

    id: int
    seq: int


class Refused(Struct, frozen=True, gc=False, tag="refused"):
    """The message `id` (0 when it had none) changed nothing; here is why."""

    id: int
    code: str
    message: str


class RoomListed(Struct, frozen=True, gc=False):
    """A room in the list: what it plays and how full it is."""

    room: str
    settings: Settings
    phase: str
    host: str | None
    people: int
    bots: int
    empty_seats: int
    spectators: int


class Rooms(Struct, frozen=True, gc=False, tag="rooms"):
    """The open rooms, those with an empty seat first."""

    id: int
    rooms: tuple[RoomListed, ...]


class InRoom(Struct, frozen=True, gc=False, tag="in_room"):
    """You are in a room; this is all of it, and events go on from `room.seq + 1`.

    `last_id` is the greatest id of your accepted commands in this room: go on above it.
    """

    you: str
    audience: Audience
    last_id: int
    room: Snapshot


class Resumed(Struct, frozen=True, gc=False, tag="resumed"):
    """You are back in the room; the events that you missed follow, from `after + 1`."""

    you: str
    room: str
    after: int
    last_id: int


class Events(Struct, frozen=True, gc=False, tag="events"):
    """What happened in the room: events numbered `seq`, `seq + 1` and so on."""

    seq: int
    at_ms: int
    events: tuple[Event, ...]


class Thinking(Struct, frozen=True, gc=False, tag="thinking"):
    """A bot has begun to think for `seat`. Not history: it has no number."""

    seat: int
    bot: str


class Hint(Struct, frozen=True, gc=False, tag="hint"):
    """What `bot` would play for `seat` in the position with this `ply` of game number `game`.

    For whoever asked, and nobody else. Not history: it has no number.
    """

    seat: int
    move: str
    ply: int
    game: int
    bot: str


class Notice(Struct, frozen=True, gc=False, tag="notice", omit_defaults=True):
    """Something to know that isn't history, such as a server that is about to stop.

    Come back after `retry_ms`, if it is there: others are told another time.
    """

    code: str
    message: str
    retry_ms: int | None = None


ServerMessage = (
    Welcome | Done | Refused | Rooms | InRoom | Resumed | Events | Thinking | Hint | Notice
)
