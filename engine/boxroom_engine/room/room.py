"""A room as a value: everything that the fold of a room's log knows.

A `Room` is frozen. `evolve` makes the next one; nobody else should. Times are milliseconds
since the Unix epoch.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Self

from msgspec import Meta, Struct
from msgspec.structs import asdict

from boxroom_engine.games.marks import Mark
from boxroom_engine.games.protocol import Game, OptionValue, Seat, State
from boxroom_engine.games.registry import kind_of, make_game

CHAT_TAIL = 100
"""Lines of chat that a room, and so a snapshot, keeps; the log has them all."""

COMMANDS_REMEMBERED = 16
"""Accepted commands remembered for each member, to answer a repeat without a second effect.

So many at least, and at most twice as many.
"""

STRANGERS_REMEMBERED = 256
"""Members that have left whose accepted commands are still remembered."""


class Phase(StrEnum):
    """Where a room stands between two games."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


PLAYING, OVER = Phase.PLAYING, Phase.OVER
"""For what every move asks: Python 3.11 takes longer to find a member than to compare it."""


class OnDrop(StrEnum):
    """What happens to the seat of a player who drops out of a running game."""

    BOT = "bot"
    WAIT = "wait"
    FORFEIT = "forfeit"


class ChatTo(StrEnum):
    """Who a line of chat is for."""

    ALL = "all"
    SPECTATORS = "spectators"


class Audience(StrEnum):
    """Who looks: somebody with a seat, or somebody without."""

    PLAYER = "player"
    SPECTATOR = "spectator"


class Settings(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a room plays and how; chosen at its creation and by its host between games.

    Read from a message, fields of a later version are let pass; see `RequestedSettings`.
    """

    game: Annotated[str, Meta(max_length=40)] = "dots"
    options: dict[
        Annotated[str, Meta(max_length=40)],
        Annotated[int, Meta(ge=-(2**31), le=2**31)] | Annotated[str, Meta(max_length=40)],
    ] = {}
    seats: Annotated[int, Meta(ge=1, le=100_000)] = 2
    clock_s: Annotated[int, Meta(ge=1, le=86_400)] | None = None
    """Seconds for each move, or no clock."""
    on_drop: OnDrop = OnDrop.BOT
    private: bool = False
    """Not listed, and a password is needed to come in."""
    hints: bool = False
    """Whether players may ask for a hint."""

    def make_game(self) -> Game:
        """The game that these settings name.

        Raises:
            OptionError: there is no such game, or not with these options or seats.
        """
        options: dict[str, OptionValue] = self.options
        return make_game(self.game, options, self.seats)


class RequestedSettings(Settings, frozen=True, gc=False, forbid_unknown_fields=True):
    """Settings that somebody asks for: what isn't known here is refused, not ignored."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """A request for `settings`."""
        return cls(**asdict(settings))


def granted(requested: Settings) -> Settings:
    """What a room has when it has what was requested; a request itself equals no `Settings`."""
    return Settings(**asdict(requested))


class SeatHolder(Struct, frozen=True, gc=False, omit_defaults=True):
    """Who sits in a seat: nobody, a person, a bot, or a person with a bot that stands in."""

    glyph: int
    """Number of the glyph and colour that go with the holder, from 0; see `Room.mark`."""
    name: str | None = None
    """What the holder is called on the board and in records."""
    member: str | None = None
    bot: str | None = None
    missed: int = 0
    """Clocks that ran out in a row."""
    since: int = 0
    """The seq at which the holder sat down."""

    @property
    def is_empty(self) -> bool:
        """Whether neither a person nor a bot plays here."""
        return self.member is None and self.bot is None


class Member(Struct, frozen=True, gc=False, omit_defaults=True):
    """An identity that is in the room."""

    name: str
    connected: bool = True
    grace_until_ms: int | None = None
    """When an absent member's grace ends; None when connected, or when it has ended."""


class Line(Struct, frozen=True, gc=False, omit_defaults=True):
    """A line of chat."""

    seq: int
    member: str
    text: str
    at_ms: int
    to: ChatTo = ChatTo.ALL


class Accepted(Struct, frozen=True, gc=False):
    """An accepted command of a member, and the one before it.

    A chain, because one more then costs the same however many there are.
    """

    id: int
    seq: int
    """The number of the last event that it led to."""
    earlier: "Accepted | None" = None
    depth: int = 1
    """How many there are in the chain from here on."""

    def chain(self) -> Iterator["Accepted"]:
        """This one and the earlier ones, newest first."""
        link: Accepted | None = self
        while link is not None:
            yield link
            link = link.earlier


class Room(Struct, frozen=True, gc=False):
    """The fold of a room's log up to event number `seq`; `Room(code)` is before the first."""

    code: str
    log: str = ""
    """The random name of the room's log."""
    seq: int = 0
    phase: Phase = Phase.WAITING
    settings: Settings = Settings()
    host: str | None = None
    seats: tuple[SeatHolder, ...] = ()
    members: dict[str, Member] = {}
    """In the order in which they came."""
    barred: frozenset[str] = frozenset()
    game_number: int = 0
    """Games started so far."""
    players: tuple[str, ...] = ()
    """The names with which the running or finished game was started, a name a seat."""
    state: State | None = None
    """The running or finished game."""
    history: str = ""
    """Its moves and withdrawals as in a record, each with a space before it.

    One string, because a move then costs a copy of its bytes; see `tokens`.
    """
    deadline_ms: int | None = None
    """When the clock of the seat to move runs out."""
    chat: tuple[Line, ...] = ()
    unrevealed: tuple[Line, ...] = ()
    """What spectators have said among themselves in the running game."""
    rematch: frozenset[str] = frozenset()
    """Members who want one."""
    accepted: dict[str, Accepted] = {}
    """For each member the last accepted command, and through it those before."""

    @property
    def running(self) -> State | None:
        """The running game's state, or None when nobody plays."""
        return self.state if self.phase is PLAYING else None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The moves and withdrawals of the running or finished game."""
        return tuple(self.history.split())

    def seats_of(self, member: str) -> tuple[Seat, ...]:
        """The seats that `member` holds, whether it plays them itself or a bot stands in."""
        return tuple(Seat(i) for i, holder in enumerate(self.seats) if holder.member == member)

    def empty_seats(self) -> tuple[Seat, ...]:
        """The seats that nobody holds."""
        return tuple(Seat(i) for i, holder in enumerate(self.seats) if holder.is_empty)

    def mark(self, seat: Seat) -> Mark:
        """What stands for whoever holds `seat`, on the board and wherever players are named."""
        return kind_of(self.settings.game).mark(seat, self.seats[seat].glyph)

    def is_player(self, member: str) -> bool:
        """Whether `member` holds a seat."""
        return any(holder.member == member for holder in self.seats)

    def audience(self, member: str) -> Audience:
        """As whom `member` looks at the room."""
        return Audience.PLAYER if self.is_player(member) else Audience.SPECTATOR

    def is_connected(self, member: str | None) -> bool:
        """Whether `member` is in the room with a connection."""
        found = self.members.get(member) if member is not None else None
        return found is not None and found.connected

    def is_gone(self, member: str) -> bool:
        """Whether `member` left, or is absent and the grace time is over."""
        found = self.members.get(member)
        return found is None or not (found.connected or found.grace_until_ms is not None)

    def connected_players(self) -> Iterator[str]:
        """The members with a seat and a connection, in the order in which they sat down."""
        holders = sorted(self.seats, key=lambda holder: holder.since)
        names = dict.fromkeys(holder.member for holder in holders)
        return (name for name in names if name is not None and self.is_connected(name))

    def bot_to_move(self) -> tuple[Seat, str] | None:
        """The seat to move and its bot, if a bot is to move."""
        state = self.state if self.phase is PLAYING else None
        if state is None or state.to_move is None:
            return None
        bot = self.seats[state.to_move].bot
        return None if bot is None else (state.to_move, bot)
