"""Updates that a shell receives about its room and its connection, in order.

`EnteredRoom` comes first and `SessionEnded` last. Between them each `EventApplied` has the seq
after the one before it; after a gap a new `EnteredRoom` brings the whole room.
"""

from dataclasses import dataclass

from boxroom_engine.room.events import Event
from boxroom_engine.room.room import Audience, Room


@dataclass(frozen=True, slots=True)
class EnteredRoom:
    """We are in the room, and this is all of it: the first time, or after a gap (`back`)."""

    room: Room
    me: str
    audience: Audience
    back: bool


@dataclass(frozen=True, slots=True)
class EventApplied:
    """Event number `seq`, and the room before and after it."""

    seq: int
    event: Event
    before: Room
    after: Room


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection is gone, or could not be made again; the next try is in `retry_s`."""

    reason: str
    retry_s: float


@dataclass(frozen=True, slots=True)
class ConnectionRestored:
    """Connected again, and nothing is missed: what happened meanwhile follows."""


@dataclass(frozen=True, slots=True)
class ServerSilent:
    """The server doesn't answer; the connection may still hold."""


@dataclass(frozen=True, slots=True)
class ServerResponding:
    """The server answers again."""


@dataclass(frozen=True, slots=True)
class BotThinking:
    """A bot has begun to think for `seat`."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class HintReceived:
    """What `bot` would play for us in `seat`, in the position with this `ply` of game `game`."""

    seat: int
    move: str
    ply: int
    game: int
    bot: str


@dataclass(frozen=True, slots=True)
class NoticeReceived:
    """Something that the server wants known, such as that it is about to stop."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """It is over for good, and nothing comes after this.

    `code` is `left`, `closed` (by this side), `kicked`, `replaced`, `banned` (also when the name
    was released), `gave_up`, `cannot_follow`, `failed`, or the code with which the server refused
    to let us in again, such as `no_such_room` or `barred`.
    """

    code: str
    message: str


Update = (
    EnteredRoom
    | EventApplied
    | ConnectionLost
    | ConnectionRestored
    | ServerSilent
    | ServerResponding
    | BotThinking
    | HintReceived
    | NoticeReceived
    | SessionEnded
)
