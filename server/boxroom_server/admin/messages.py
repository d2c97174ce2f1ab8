"""Requests of `boxroom admin` to a server, the server's answers, and errors of the socket."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from boxroom_server.storage.ledger import BanRecord

MAX_LINE_BYTES = 16_384
"""Length of the longest line that a server reads."""

Word = Annotated[str, Meta(min_length=1, max_length=200)]


class _Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A request."""


class ListRooms(_Request, frozen=True, tag="list"):
    """List the rooms."""


class ShowRoom(_Request, frozen=True, tag="show"):
    """Show a room."""

    room: Word


class Kick(_Request, frozen=True, tag="kick"):
    """Remove a member from a room for as long as the room exists."""

    room: Word
    name: Word


class Ban(_Request, frozen=True, tag="ban"):
    """Ban a name, an address or a network."""

    who: Word
    reason: Annotated[str, Meta(max_length=500)] = ""


class Unban(_Request, frozen=True, tag="unban"):
    """Lift a ban."""

    who: Word


class ListBans(_Request, frozen=True, tag="bans"):
    """List the bans."""


class Release(_Request, frozen=True, tag="release"):
    """Take a name from its owner, so that anybody may claim it."""

    name: Word


class CloseRoom(_Request, frozen=True, tag="close"):
    """Close a room, and the connections of its members."""

    room: Word


class Drain(_Request, frozen=True, tag="drain"):
    """Stop the server that is asked, as after SIGTERM."""


class ListNames(_Request, frozen=True, tag="names"):
    """List the names that have an owner."""

    prefix: Annotated[str, Meta(max_length=200)] = ""


Request = (
    ListRooms | ShowRoom | Kick | Ban | Unban | ListBans | Release | CloseRoom | Drain | ListNames
)


class _Answer(Struct, frozen=True, tag_field="answer"):
    """An answer."""


class Done(_Answer, frozen=True, tag="done"):
    """The request was executed; the sentence describes the result."""

    message: str


class Refused(_Answer, frozen=True, tag="refused"):
    """The request wasn't executed; the sentence gives the reason."""

    message: str


class RoomSummary(Struct, frozen=True):
    """A room in the list; of a sleeping room only the code and the age are known.

    Of a room that only other servers host, the `seq` is that of the last change but moves and chat.
    """

    room: str
    phase: str
    game: str
    people: int
    bots: int
    seq: int
    age_s: int


class RoomList(_Answer, frozen=True, tag="rooms"):
    """All rooms, the oldest first."""

    rooms: tuple[RoomSummary, ...]


class SeatInfo(Struct, frozen=True):
    """The holder of a seat; all fields are None if it is empty."""

    name: str | None
    member: str | None
    bot: str | None


class MemberInfo(Struct, frozen=True):
    """A member, and the connection that it uses."""

    name: str
    address: str | None
    """None if the member isn't connected to this server."""
    here_s: int | None
    """Seconds since the member connected to this server; None if it didn't."""
    node: str = ""
    """The other server that the member is connected to; "" if it is this one or none."""


class EventInfo(Struct, frozen=True):
    """An event without chat texts."""

    seq: int
    at_ms: int
    event: dict[str, Any]


class RoomDetails(_Answer, frozen=True, tag="room"):
    """All about a room but its chat."""

    room: str
    log: str
    phase: str
    host: str | None
    seq: int
    age_s: int
    settings: dict[str, Any]
    seats: tuple[SeatInfo, ...]
    members: tuple[MemberInfo, ...]
    barred: tuple[str, ...]
    events: tuple[EventInfo, ...]
    """The last ones, at most `EVENTS_SHOWN`."""


class BanList(_Answer, frozen=True, tag="bans"):
    """All bans, the oldest first."""

    bans: tuple[BanRecord, ...]


class NameInfo(Struct, frozen=True):
    """A name that has an owner."""

    name: str
    used_ms: int
    """Time of the owner's last visit, to the day."""
    is_here: bool
    """Whether the owner is connected to this server, or is in a room at another one."""


class NameList(_Answer, frozen=True, tag="names"):
    """Names in alphabetical order; `left_out` more exist."""

    names: tuple[NameInfo, ...]
    left_out: int


Answer = Done | Refused | RoomList | RoomDetails | BanList | NameList

DECODE_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Errors of the two decoders: bad UTF-8 and deep nesting have errors of their own."""

decode_request: Callable[[bytes], Request] = msgspec.json.Decoder(Request).decode
"""Returns the request in a line; raises one of `DECODE_ERRORS` if there is none."""

decode_answer: Callable[[bytes], Answer] = msgspec.json.Decoder(Answer).decode
"""Returns the answer in a line, in the same way."""


def encode(message: Request | Answer) -> bytes:
    """Return `message` as a line."""
    return msgspec.json.encode(message) + b"\n"


def reason_of(error: OSError) -> str:
    """Return why a socket can't be used; of a path that is too long only Python says it."""
    return error.strerror or "its path is too long for a socket"
