"""What can happen in a room; docs/room.md has the table.

An event says what has happened, with its effects, so that a client needs no rules to follow
a game. Events have no number of their own: the events of one entry are numbered on from the
entry's `seq`.
"""

from enum import StrEnum

from msgspec import Struct

from boxroom_engine.room.room import ChatTo, Line, Settings


class By(StrEnum):
    """Who chose a move."""

    PLAYER = "player"
    BOT = "bot"
    CLOCK = "clock"
    """The clock ran out, and a bot chose this one move."""

    __hash__ = str.__hash__  # moves are counted by it, and that of enums is written in Python


PLAYER, CLOCK = By.PLAYER, By.CLOCK
"""See `boxroom_engine.room.room.PLAYING`."""


class Why(StrEnum):
    """Why a seat withdrew."""

    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    KICKED = "kicked"


class _Event(Struct, frozen=True, omit_defaults=True, gc=False):
    """Fields that have their default aren't written. An event can't be part of a cycle."""


class Created(_Event, frozen=True, tag="created"):
    """The room exists; the first event of every log."""

    room: str
    log: str
    """A random name of this log, so that a room of the same name isn't taken for it."""
    member: str
    settings: Settings


class Joined(_Event, frozen=True, tag="joined"):
    """A member came in."""

    member: str


class Left(_Event, frozen=True, tag="left"):
    """A member went, or a spectator's connection was lost."""

    member: str


class Kicked(_Event, frozen=True, tag="kicked"):
    """The host, or who runs the server, sent a member out, for the room's life."""

    member: str


class Dropped(_Event, frozen=True, tag="dropped"):
    """A player's connection was lost; the seat is kept until `until_ms`."""

    member: str
    until_ms: int


class Returned(_Event, frozen=True, tag="returned"):
    """An absent player is connected again."""

    member: str


class GraceOver(_Event, frozen=True, tag="grace_over"):
    """An absent player's grace time has passed during a game."""

    member: str


class Woken(_Event, frozen=True, tag="woken"):
    """The server is back after a stop or a crash: all who were here are absent until `until_ms`.

    A clock that runs goes on with what it had left, now until `deadline_ms`.
    """

    until_ms: int
    deadline_ms: int | None = None


class HostPassed(_Event, frozen=True, tag="host_passed"):
    """The host's powers passed on; to nobody when nobody is there."""

    member: str | None


class Configured(_Event, frozen=True, tag="configured"):
    """The host changed the settings."""

    settings: Settings


class Sat(_Event, frozen=True, tag="sat"):
    """A member sat down in a seat, to be called `name` there."""

    seat: int
    member: str
    name: str


class BotSat(_Event, frozen=True, tag="bot_sat"):
    """A bot sat down in a seat."""

    seat: int
    bot: str
    name: str


class Vacated(_Event, frozen=True, tag="vacated"):
    """A seat became empty."""

    seat: int


class StoodIn(_Event, frozen=True, tag="stood_in"):
    """A bot plays on for the person who holds the seat."""

    seat: int
    bot: str


class TookBack(_Event, frozen=True, tag="took_back"):
    """The person plays again; `deadline_ms` is set if it is their turn and there is a clock."""

    seat: int
    deadline_ms: int | None = None


class Rotated(_Event, frozen=True, tag="rotated"):
    """Every holder moved one seat down, the first one to the last seat."""


class Started(_Event, frozen=True, tag="started"):
    """Game number `number` of the room began; `players` has a name a seat."""

    number: int
    players: tuple[str, ...]
    deadline_ms: int | None = None


class Played(_Event, frozen=True, tag="played"):
    """A move: what it took, who is next (None: the game is over) and the scores after it."""

    seat: int
    move: str
    taken: tuple[int, ...]
    to_move: int | None
    scores: tuple[int, ...]
    by: By = By.PLAYER
    deadline_ms: int | None = None


class HintAsked(_Event, frozen=True, tag="hint_asked"):
    """Whoever plays for the seat to move asked for a hint; only that person is given it."""

    seat: int


class Withdrew(_Event, frozen=True, tag="withdrew"):
    """A seat is out of the game; it keeps what it has."""

    seat: int
    why: Why
    to_move: int | None
    scores: tuple[int, ...]
    deadline_ms: int | None = None


class Ended(_Event, frozen=True, tag="ended"):
    """The game is over; several winners are joint winners, none is a draw."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


class RematchWanted(_Event, frozen=True, tag="rematch_wanted"):
    """A member wants to play again."""

    member: str


class Said(_Event, frozen=True, tag="said"):
    """A line of chat."""

    member: str
    text: str
    at_ms: int
    to: ChatTo = ChatTo.ALL


class Revealed(_Event, frozen=True, tag="revealed"):
    """What spectators said during the game, now for all."""

    lines: tuple[Line, ...]


class Hidden(_Event, frozen=True, tag="hidden"):
    """Stands where the audience may not see an event; it is never in a log."""


Event = (
    Created
    | Joined
    | Left
    | Kicked
    | Dropped
    | Returned
    | GraceOver
    | Woken
    | HostPassed
    | Configured
    | Sat
    | BotSat
    | Vacated
    | StoodIn
    | TookBack
    | Rotated
    | Started
    | Played
    | HintAsked
    | Withdrew
    | Ended
    | RematchWanted
    | Said
    | Revealed
    | Hidden
)


class Entry(Struct, frozen=True, gc=False):
    """What one command led to: the unit that is decided, stored and delivered.

    `seq` numbers the first event. `member` and `command_id` say which command it was, if a
    member gave it; the room remembers them to recognise a repeat.
    """

    seq: int
    at_ms: int
    events: tuple[Event, ...]
    member: str | None = None
    command_id: int = 0

    @property
    def last_seq(self) -> int:
        """The number of the last event."""
        return self.seq + len(self.events) - 1
