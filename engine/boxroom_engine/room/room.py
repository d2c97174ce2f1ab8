"""The state of a room: the fold of its log.

A `Room` is immutable; only `evolve` makes the next one. Times are milliseconds since the Unix
epoch.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Protocol, Self

from msgspec import Meta, Struct
from msgspec.json import Decoder
from msgspec.structs import asdict

from boxroom_engine.games.marks import Mark
from boxroom_engine.games.protocol import Game, OptionValue, Seat, State
from boxroom_engine.games.record import Record
from boxroom_engine.games.registry import kind_of, make_game
from boxroom_engine.standings import Standing

_read_taken = Decoder(tuple[tuple[int, ...], ...]).decode

CHAT_TAIL = 100
"""Chat messages that a room and its snapshots hold; the log has all of them."""

MOST_TAKEBACKS = 1000
"""The most takebacks of a game that can be set, as good as no limit."""

NUDGE_AFTER_MS = 10_000
"""Time of thinking from which on it is shown, and the player can be nudged, also again."""


class Phase(StrEnum):
    """Phase of a room: before its first game, in a game, or after one."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


PLAYING, OVER = Phase.PLAYING, Phase.OVER
"""For the hot path: Python 3.11 looks up a member of an enum more slowly than it compares it."""


class OnDrop(StrEnum):
    """Policy for the seat of a player who drops out of a running game."""

    BOT = "bot"
    WAIT = "wait"
    FORFEIT = "forfeit"


class ChatTo(StrEnum):
    """Audience of a chat message."""

    ALL = "all"
    SPECTATORS = "spectators"


class Reaction(StrEnum):
    """Short message of a fixed set, which no chat keeps."""

    GOOD_GAME = "gg"
    GOOD_LUCK = "gl"
    NICE = "nice"
    THANKS = "thanks"
    OOPS = "oops"
    WOW = "wow"


class Audience(StrEnum):
    """Group of members that see the same: those with a seat, or those without."""

    PLAYER = "player"
    SPECTATOR = "spectator"


GameName = Annotated[str, Meta(max_length=40)]
GameOptions = dict[
    Annotated[str, Meta(max_length=40)],
    Annotated[int, Meta(ge=-(2**31), le=2**31)] | Annotated[str, Meta(max_length=40)],
]
SeatCount = Annotated[int, Meta(ge=1, le=100_000)]
SeatRange = tuple[SeatCount, SeatCount]
OpeningMove = Annotated[str, Meta(max_length=200)]


class Settings(Struct, frozen=True, gc=False, omit_defaults=True):
    """Settings of a room: chosen when it is created, and by its host between games.

    A decoder ignores fields that it doesn't know; see `RequestedSettings`.
    """

    game: GameName = "dots"
    options: GameOptions = {}
    seats: SeatCount = 2
    clock_s: Annotated[int, Meta(ge=1, le=86_400)] | None = None
    """Seconds for each move; null: no clock."""
    on_drop: OnDrop = OnDrop.BOT
    private: bool = False
    """Whether the list of rooms omits the room and entering it needs a password."""
    hints: bool = False
    """Whether players may ask for a hint."""
    takebacks: Annotated[int, Meta(ge=0, le=MOST_TAKEBACKS)] = 10
    """Requests to take moves back in one game, of all players together; 0: none. A game with a
    clock has none either."""
    stand_in_s: Annotated[int, Meta(ge=5, le=86_400)] = 60
    """Seconds of thinking after which the others may let a bot play for a player."""
    best_of: Annotated[int, Meta(ge=0, le=999)] = 0
    """Games of a series, which a player wins who can't be caught up any more; 0: no series."""
    seat_range: SeatRange | None = None
    """Least and most seats, if a seat is added for everybody who comes, and games start without
    the empty ones; `seats` is then the present number. None: the number stays."""
    opening: tuple[OpeningMove, ...] = ()
    """The moves with which every game begins, as the game writes them: they were played before."""

    @classmethod
    def of_record(cls, record: Record) -> Self:
        """Return the settings of a room for games like that in `record`, with its opening."""
        game, opening = record.game, record.tokens[: record.opening]
        return cls(game.kind.name, dict(game.options), game.seats, opening=opening)

    @property
    def least_seats(self) -> int:
        """Least number of seats with which a game starts."""
        return self.seat_range[0] if self.seat_range is not None else self.seats

    @property
    def most_seats(self) -> int:
        """Greatest number of seats."""
        return self.seat_range[1] if self.seat_range is not None else self.seats

    def make_game(self) -> Game:
        """Make the game that these settings name.

        Raises:
            OptionError: there is no such game, or not with these options or seats.
        """
        options: dict[str, OptionValue] = self.options
        return make_game(self.game, options, self.seats)


class RequestedSettings(Settings, frozen=True, gc=False, forbid_unknown_fields=True):
    """Settings that a client requests; a decoder refuses fields that it doesn't know."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return a request for `settings`."""
        return cls(**asdict(settings))


def granted(requested: Settings) -> Settings:
    """Return `requested` as plain `Settings`; a `RequestedSettings` never equals one."""
    return Settings(**asdict(requested))


class SeatHolder(Struct, frozen=True, gc=False, omit_defaults=True):
    """Holder of a seat: none, a person, a bot, or a person with a bot that stands in."""

    glyph: int
    """Number of the holder's glyph and colour, from 0; see `Room.mark`."""
    name: str | None = None
    """Name of the holder on the board and in records."""
    member: str | None = None
    """Person who has the seat; None: a bot has it, or it is empty."""
    bot: str | None = None
    """Bot that plays, also for `member`; None: the person plays, or the seat is empty."""
    missed: int = 0
    """Number of clocks that ran out in a row."""
    since: int = 0
    """Number of the event by which the holder sat down."""
    coached: bool = False
    """True while the coach helps the person."""

    @property
    def is_empty(self) -> bool:
        """Whether neither a person nor a bot plays here."""
        return self.member is None and self.bot is None

    @property
    def is_bot(self) -> bool:
        """Whether a bot holds the seat for itself, and doesn't stand in for a person."""
        return self.bot is not None and self.member is None


class Member(Struct, frozen=True, gc=False, omit_defaults=True):
    """A person in the room, connected or absent."""

    name: str
    connected: bool = True
    grace_until_ms: int | None = None
    """End of an absent member's grace time; null when connected, or when it has ended."""
    node: str = ""
    """The server that a connected member is connected to, in a cluster of several."""
    person: str = ""
    """Pseudonym of the owner of a connected member's name, in this log: if the name gets another
    owner, that one has another pseudonym."""
    away: str | None = None
    """Why a connected member isn't at the keyboard, maybe an empty text; None: the member is."""


class _Line(Protocol):
    @property
    def member(self) -> str: ...
    @property
    def name(self) -> str: ...


class Spoken(Struct, frozen=True, gc=False):
    """Base of what a member says: `name` is the player who spoke, if it isn't the member."""

    @property
    def speaker(self: _Line) -> str:
        """The name to show before the text."""
        return self.name or self.member


class ChatLine(Spoken, frozen=True, gc=False, omit_defaults=True):
    """A chat message."""

    seq: int
    member: str
    text: str
    at_ms: int
    to: ChatTo = ChatTo.ALL
    name: str = ""
    """The player who spoke, or several who may have, of those at this keyboard; else empty."""
    action: bool = False
    """Whether `text` is what the member does, such as "waves", to be shown behind the name."""


class PrivateLine(Spoken, frozen=True, gc=False, omit_defaults=True):
    """A private message; see `events.Told`."""

    seq: int
    member: str
    to: str
    text: str
    at_ms: int
    name: str = ""
    persons: tuple[str, str] = ("", "")


class UndoRequest(Struct, frozen=True, gc=False, omit_defaults=True):
    """A player's request to take moves back, on which the other people in the game decide."""

    member: str
    """The player who asks, as in every request."""
    ply: int
    """`Room.ply` of the position in which it was asked; no other request of the game has it, but
    one that was declined."""
    keeps: int
    """Number of moves and withdrawals that stay: all later ones are taken back."""
    agreed: tuple[str, ...] = ()
    """Members who have agreed."""


class StandInRequest(
    Struct, frozen=True, gc=False, omit_defaults=True, tag_field="kind", tag="stand_in"
):
    """A request to let a bot play for a player who thinks for long, and isn't asked."""

    member: str
    since: int
    """Number of the event by which it was asked."""
    seat: int
    bot: str
    agreed: tuple[str, ...] = ()


class AbortRequest(
    Struct, frozen=True, gc=False, omit_defaults=True, tag_field="kind", tag="abort"
):
    """A request to end the game without a winner."""

    member: str
    since: int
    """Number of the event by which it was asked."""
    agreed: tuple[str, ...] = ()


class PauseRequest(
    Struct, frozen=True, gc=False, omit_defaults=True, tag_field="kind", tag="pause"
):
    """A request to pause the game."""

    member: str
    since: int
    """Number of the event by which it was asked."""
    agreed: tuple[str, ...] = ()


Request = UndoRequest | StandInRequest | AbortRequest | PauseRequest
"""A player's request that is granted when all who decide on it have agreed."""


class PauseBegun(Struct, frozen=True, gc=False):
    """A pause of the running game, in which the room's time stands still."""

    member: str
    """The member who has paused the game, maybe with the consent of others."""
    since_ms: int


class Room(Struct, frozen=True, gc=False):
    """The state of a room after event number `seq`; `Room(code)` is the one before the first."""

    code: str
    log: str = ""
    """Random name of the room's log."""
    seq: int = 0
    phase: Phase = Phase.WAITING
    settings: Settings = Settings()
    host: str | None = None
    """Name of a member; None when no member is connected."""
    seats: tuple[SeatHolder, ...] = ()
    members: dict[str, Member] = {}
    """Members by name, in the order in which they entered."""
    barred: frozenset[str] = frozenset()
    muted: frozenset[str] = frozenset()
    """Names of people whose chat and reactions are refused, also while they aren't here."""
    game_number: int = 0
    """Number of games started so far."""
    game_link: str = ""
    """That of the running or finished game, as in `Started.link`."""
    players: tuple[str, ...] = ()
    """Names at the start of the running or finished game, one for each seat."""
    state: State | None = None
    """Position of the running or finished game."""
    history: str = ""
    """Its moves and withdrawals as in a record, each with a space before it; see `tokens`.

    It is one string, because a move then costs no more than a copy of its bytes.
    """
    history_movers: str = ""
    """The seats of these tokens, each as one character with that number; see `movers`."""
    history_taken: str = ""
    """The things that these tokens took: arrays in JSON with a comma before each; see `taken`."""
    deadline_ms: int | None = None
    """Time at which the clock of the seat to move runs out."""
    chat: tuple[ChatLine, ...] = ()
    unrevealed: tuple[ChatLine, ...] = ()
    """Chat that the spectators hide from the players until the game ends."""
    private: tuple[PrivateLine, ...] = ()
    """The last private messages; a client has those that its member may read."""
    rematch: frozenset[str] = frozenset()
    """Members who voted for the next game: players who are ready, and spectators who want a seat
    in it."""
    turn_since_ms: int | None = None
    """Time at which the present turn began; None: no game runs, or it isn't known."""
    nudged_ms: int | None = None
    """Time at which a player was last nudged."""
    unrated: bool = False
    """True if a bot has played for a person in this game, also for one who was sent out, or the
    coach has helped one."""
    pause: PauseBegun | None = None
    """The pause of the running game; None: it goes on."""
    request: Request | None = None
    """The request that waits for answers."""
    undos: int = 0
    """Requests to take moves back so far in this game, also those that needed no answer."""
    ply_offset: int = 0
    """The number by which `ply` exceeds that of `state`; it grows with each takeback."""
    table: tuple[Standing, ...] = ()
    """The table of all games so far: a row for each player, those of the last game at the end."""
    series: tuple[Standing, ...] = ()
    """The table of the games of the series that is on: its players have a row each."""

    @property
    def ply(self) -> int:
        """Number of the position within its game; it only grows, also when moves are taken back.

        So it never names two positions of a game, as the ply of `state` would.
        """
        return self.ply_offset + (self.state.ply if self.state is not None else 0)

    @property
    def takebacks_left(self) -> int:
        """Number of times that moves may still be taken back in this game; 0 with a clock."""
        settings = self.settings
        return 0 if settings.clock_s is not None else max(settings.takebacks - self.undos, 0)

    @property
    def running(self) -> State | None:
        """Position of the running game, or None while no game runs."""
        return self.state if self.phase is PLAYING else None

    def time_ms(self, now_ms: int) -> int:
        """Return the room's time when it is `now_ms`: in a pause, that of its beginning.

        Clocks, times of thinking and grace times are counted in it.
        """
        return now_ms if self.pause is None else self.pause.since_ms

    def unpausers(self) -> tuple[str, ...]:
        """Return the members who can go on with a paused game; none if it isn't paused.

        That are the host and the one who paused it; while both are away, all players who are here.
        """
        if self.pause is None:
            return ()
        names = dict.fromkeys((self.host, self.pause.member))
        here = tuple(name for name in names if name is not None and self.is_connected(name))
        return here or tuple(self.connected_players())

    @property
    def opening(self) -> int:
        """Number of `tokens` that were played before the game began; see `Settings.opening`.

        A room whose settings change has no game any more, so they are those of the game.
        """
        return 0 if self.state is None else min(len(self.settings.opening), self.state.ply)

    @property
    def is_in_opening(self) -> bool:
        """True while moves of the opening are missing: only between the events of a start."""
        return self.state is not None and self.opening < len(self.settings.opening)

    @property
    def record(self) -> Record | None:
        """The running or finished game as a record; None while there is none."""
        if self.state is None:
            return None
        return Record(self.state.game, self.players, self.tokens, self.opening)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Moves and withdrawals of the running or finished game."""
        return tuple(self.history.split())

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat of each of `tokens`: the one that moved, or that withdrew."""
        return tuple(map(ord, self.history_movers))

    @property
    def taken(self) -> tuple[tuple[int, ...], ...]:
        """The index of each of `tokens` that took something, and the numbers of what it took."""
        return _read_taken(f"[{self.history_taken[1:]}]")

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Seats of the winners of the finished game; none after a draw, and before the end."""
        outcome = self.state.outcome if self.state is not None and self.phase is OVER else None
        return outcome.winners if outcome is not None else ()

    def seats_of(self, member: str) -> tuple[Seat, ...]:
        """Return the seats that `member` holds, also those in which a bot stands in."""
        return tuple(Seat(i) for i, holder in enumerate(self.seats) if holder.member == member)

    def empty_seats(self) -> tuple[Seat, ...]:
        """Return the seats without a holder."""
        return tuple(Seat(i) for i, holder in enumerate(self.seats) if holder.is_empty)

    @property
    def lacking(self) -> int:
        """Number of seats that people or bots have still to take before the next game starts."""
        taken = len(self.seats) - len(self.empty_seats())
        return max(0, self.settings.least_seats - taken)

    @property
    def free_seats(self) -> int:
        """Number of seats that can be taken now: the empty ones, and those that can be added."""
        can_grow = self.phase is Phase.WAITING
        added = self.settings.most_seats - len(self.seats) if can_grow else 0
        return len(self.empty_seats()) + added

    @property
    def free_places(self) -> int:
        """Number of seats in the next game without a holder or a spectator who waits for them.

        Those of people who are gone are free, also if a bot stands in.
        """
        staying = sum(
            not holder.is_empty and (holder.member is None or not self.is_gone(holder.member))
            for holder in self.seats
        )
        return self.settings.most_seats - staying - len(self.joining_next())

    def voters(self) -> tuple[str, ...]:
        """Return the members with whose votes the next game starts.

        That are the connected players, or the host if there are none.
        """
        return tuple(self.connected_players()) or tuple(filter(None, (self.host,)))

    def can_vote(self, member: str) -> bool:
        """Whether a vote of `member` for the next game would count, and hasn't been given."""
        if member not in self.members or member in self.rematch:
            return False
        if member in self.voters():
            return self.phase is not PLAYING
        return self.free_places > 0

    def joining_next(self) -> tuple[str, ...]:
        """Return the spectators who wait for a seat in the next game, as they have voted for it."""
        voted = (name for name in self.members if name in self.rematch and self.is_connected(name))
        voters = self.voters() if self.rematch else ()
        return tuple(name for name in voted if name not in voters and not self.is_player(name))

    def mark(self, seat: Seat) -> Mark:
        """Return the mark of the holder of `seat`, for the board and beside the name."""
        return kind_of(self.settings.game).mark(seat, self.seats[seat].glyph)

    @property
    def undo(self) -> UndoRequest | None:
        """The request that waits for answers, if it is one to take moves back."""
        return self.request if isinstance(self.request, UndoRequest) else None

    @property
    def deciding(self) -> tuple[str, ...]:
        """The people who decide on the request that waits for answers; none without one."""
        match self.request:
            case None:
                return ()
            case StandInRequest(member=member, seat=seat):
                return self.others_in_game(member, self.seats[seat].member)
            case (
                UndoRequest(member=member)
                | AbortRequest(member=member)
                | PauseRequest(member=member)
            ):
                return self.others_in_game(member)

    def others_in_game(self, *but: str | None) -> tuple[str, ...]:
        """Return the people who play the running game themselves, without those in `but`.

        They have a seat that hasn't withdrawn, in which no bot stands in, and aren't gone.
        """
        out = self.state.withdrawn if self.state is not None else frozenset()
        playing = (
            holder.member
            for seat, holder in enumerate(self.seats)
            if seat not in out and holder.bot is None
        )
        names = dict.fromkeys(name for name in playing if name is not None and name not in but)
        return tuple(name for name in names if not self.is_gone(name))

    def is_player(self, member: str) -> bool:
        """Whether `member` holds a seat."""
        return any(holder.member == member for holder in self.seats)

    @property
    def spectators(self) -> int:
        """Number of members without a seat."""
        holders = {holder.member for holder in self.seats}
        return len(self.members) - sum(name in self.members for name in holders)

    def audience(self, member: str) -> Audience:
        """Return the audience to which `member` belongs."""
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
        """Return the members with a seat and a connection, in the order in which they sat down."""
        holders = sorted(self.seats, key=lambda holder: holder.since)
        names = dict.fromkeys(holder.member for holder in holders)
        return (name for name in names if name is not None and self.is_connected(name))

    def bot_to_move(self) -> tuple[Seat, str] | None:
        """Return the seat to move and its bot, if a bot is to move now."""
        state = self.state if self.phase is PLAYING and self.pause is None else None
        if state is None or state.to_move is None:
            return None
        bot = self.seats[state.to_move].bot
        return None if bot is None else (state.to_move, bot)
