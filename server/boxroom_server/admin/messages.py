"""What is asked of a server by who runs it, and what it answers."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

MOST_BYTES = 16_384
"""The longest line that a server reads."""

Word = Annotated[str, Meta(min_length=1, max_length=200)]


class _Wish(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """What is asked."""


class ListRooms(_Wish, frozen=True, tag="list"):
    """Which rooms are there?"""


class ShowRoom(_Wish, frozen=True, tag="show"):
    """What is that room like?"""

    room: Word


class Kick(_Wish, frozen=True, tag="kick"):
    """Send somebody out of a room, for its life."""

    room: Word
    name: Word


class Ban(_Wish, frozen=True, tag="ban"):
    """Don't let a name, an address or a network in any more."""

    who: Word
    reason: Annotated[str, Meta(max_length=500)] = ""


class Unban(_Wish, frozen=True, tag="unban"):
    """Let them in again."""

    who: Word


class ListBans(_Wish, frozen=True, tag="bans"):
    """Who is banned?"""


class Release(_Wish, frozen=True, tag="release"):
    """Let a name be anybody's again."""

    name: Word


class CloseRoom(_Wish, frozen=True, tag="close"):
    """End a room, whoever is in it."""

    room: Word


class Drain(_Wish, frozen=True, tag="drain"):
    """Stop, as after SIGTERM."""


class ListNames(_Wish, frozen=True, tag="names"):
    """Which names have an owner?"""

    prefix: Annotated[str, Meta(max_length=200)] = ""


Wish = (
    ListRooms | ShowRoom | Kick | Ban | Unban | ListBans | Release | CloseRoom | Drain | ListNames
)


class _Answer(Struct, frozen=True, tag_field="answer"):
    """What is answered."""


class Done(_Answer, frozen=True, tag="done"):
    """It is done; the sentence says what that led to."""

    message: str


class NotDone(_Answer, frozen=True, tag="refused"):
    """It isn't; the sentence says why."""

    message: str


class RoomLine(Struct, frozen=True):
    """A room in the list; while it sleeps nothing is known but its code and its age."""

    room: str
    phase: str
    game: str
    people: int
    bots: int
    seq: int
    age_s: int


class Rooms(_Answer, frozen=True, tag="rooms"):
    """All rooms, the oldest first."""

    rooms: tuple[RoomLine, ...]


class SeatShown(Struct, frozen=True):
    """Who holds a seat; all of it is empty if nobody does."""

    name: str | None
    member: str | None
    bot: str | None


class MemberShown(Struct, frozen=True):
    """A member, and over which connection it is here."""

    name: str
    address: str | None
    """None for who is away."""
    here_s: int | None


class EventShown(Struct, frozen=True):
    """An event without what people said in it."""

    seq: int
    at_ms: int
    event: dict[str, Any]


class RoomShown(_Answer, frozen=True, tag="room"):
    """All about a room but what is said there."""

    room: str
    log: str
    phase: str
    host: str | None
    seq: int
    age_s: int
    settings: dict[str, Any]
    seats: tuple[SeatShown, ...]
    members: tuple[MemberShown, ...]
    barred: tuple[str, ...]
    events: tuple[EventShown, ...]
    """The last ones."""


class BanShown(Struct, frozen=True):
    """A ban."""

    kind: str
    who: str
    at_ms: int
    reason: str


class Bans(_Answer, frozen=True, tag="bans"):
    """All bans, the oldest first."""

    bans: tuple[BanShown, ...]


class NameShown(Struct, frozen=True):
    """A name that has an owner."""

    name: str
    used_ms: int
    """When its owner last came, to the day."""
    is_here: bool


class Names(_Answer, frozen=True, tag="names"):
    """Names, by the alphabet; there are `left_out` more."""

    names: tuple[NameShown, ...]
    left_out: int


Answer = Done | NotDone | Rooms | RoomShown | Bans | Names

_wishes: msgspec.json.Decoder[Wish] = msgspec.json.Decoder(Wish)
_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)

MISREAD = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding raises: bad UTF-8 and deep nesting have errors of their own."""


def wish_from(line: bytes) -> Wish:
    """The wish in `line`.

    Raises:
        MISREAD: it is none.
    """
    return _wishes.decode(line)


def answer_from(line: bytes) -> Answer:
    """The answer in `line`.

    Raises:
        MISREAD: it is none.
    """
    return _answers.decode(line)


def line_of(message: Wish | Answer) -> bytes:
    """`message` as a line."""
    return msgspec.json.encode(message) + b"\n"
