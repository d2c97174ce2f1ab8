"""Updates that a shell receives about its room and its connection, in order.

`EnteredRoom` comes first and `SessionEnded` last. Between them each `EventApplied` has the seq
after the one before it; after a gap, and of another room, a new `EnteredRoom` brings the whole
room.
"""

from dataclasses import dataclass

from boxroom_engine.phrases import Phrase
from boxroom_engine.room.events import Event
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.wire.messages import Coaching


@dataclass(frozen=True, slots=True)
class EnteredRoom:
    """This client is in a room, for the first time or again after a gap (`back`)."""

    room: Room
    me: str
    audience: Audience
    back: bool


@dataclass(frozen=True, slots=True)
class EventApplied:
    """The room has event number `seq`; `before` and `after` are the room around it."""

    seq: int
    event: Event
    before: Room
    after: Room
    at_ms: int
    """Time of the event, by the server's clock."""


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection is lost, or an attempt to make it again failed; the next is in `retry_s`."""

    reason: str
    retry_s: float


@dataclass(frozen=True, slots=True)
class ConnectionRestored:
    """The connection is made again; the events of the meantime follow, without a gap."""


@dataclass(frozen=True, slots=True)
class ServerSilent:
    """The server doesn't answer pings; the connection may still hold."""


@dataclass(frozen=True, slots=True)
class ServerResponding:
    """The server answers pings again."""


@dataclass(frozen=True, slots=True)
class BotThinking:
    """A bot has begun to think for `seat`."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class HintReceived:
    """The move that `bot` suggests to the player in `seat`, at `ply` of game number `game`."""

    seat: int
    move: str
    ply: int
    game: int
    bot: str


@dataclass(frozen=True, slots=True)
class CoachSpoke:
    """The coach speaks to this client's player; `said` are its words."""

    coaching: Coaching
    said: Phrase


@dataclass(frozen=True, slots=True)
class NoticeReceived:
    """A notice of the server, for example that it is about to stop."""

    code: str
    said: Phrase


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The session is over for good; no update follows.

    `code` is `left`, `closed` (by this side), `kicked`, `replaced`, `banned` (also when the name
    was released), `gave_up`, `server_lost`, `cannot_follow`, `failed`, or the code with which the
    server refused to let this client in again, such as `no_such_room` or `barred`.
    """

    code: str
    said: Phrase


Update = (
    EnteredRoom
    | EventApplied
    | ConnectionLost
    | ConnectionRestored
    | ServerSilent
    | ServerResponding
    | BotThinking
    | HintReceived
    | CoachSpoke
    | NoticeReceived
    | SessionEnded
)
