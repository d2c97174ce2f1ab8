"""Events of a room; docs/reference/protocol.md has the table.

An event carries its effects, so that a client can follow a game without knowing the rules.
Events have no number of their own: the first event of an entry has the entry's `seq`, the next
one `seq + 1`, and so on.
"""

from enum import StrEnum

from msgspec import Struct

from boxroom_engine.room.room import ChatLine, ChatTo, Reaction, Settings, Spoken


class MoveSource(StrEnum):
    """Chooser of a move: the player, a bot, or a bot for a player whose clock ran out."""

    PLAYER = "player"
    BOT = "bot"
    CLOCK = "clock"
    """The player's clock ran out, and a bot chose this one move."""
    OPENING = "opening"
    """None of them: the game begins with the move, as `Settings.opening` says."""

    __hash__ = str.__hash__  # moves are counted by it, and that of enums is written in Python


PLAYER, CLOCK, OPENING = MoveSource.PLAYER, MoveSource.CLOCK, MoveSource.OPENING
"""For the hot path, as `boxroom_engine.room.room.PLAYING` is."""


class WithdrawalReason(StrEnum):
    """Reason for which a seat withdrew."""

    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    KICKED = "kicked"


class _Event(Struct, frozen=True, omit_defaults=True, gc=False):
    """Base of all events; a field with its default value isn't encoded.

    Without `gc`, as an event can't be part of a reference cycle.
    """


class Created(_Event, frozen=True, tag="created"):
    """The room was created; the first event of every log."""

    room: str
    log: str
    """Random name of this log; it tells the room from another one with the same code."""
    member: str
    settings: Settings


class Joined(_Event, frozen=True, tag="joined"):
    """A member entered the room."""

    member: str
    node: str = ""
    """The server that the member is connected to, in a cluster of several."""
    person: str = ""
    """Pseudonym of the owner of the name, see `Member.person`."""


class Left(_Event, frozen=True, tag="left"):
    """A member left, or a spectator lost the connection."""

    member: str


class Kicked(_Event, frozen=True, tag="kicked"):
    """The host or the server's operator removed a member, who can't enter again."""

    member: str


class Unbarred(_Event, frozen=True, tag="unbarred"):
    """The host lets a removed person enter again."""

    member: str


class Muted(_Event, frozen=True, tag="muted"):
    """The host muted a member, whose chat and reactions are refused from now on."""

    member: str


class Unmuted(_Event, frozen=True, tag="unmuted"):
    """The host lets a muted person talk again."""

    member: str


class Dropped(_Event, frozen=True, tag="dropped"):
    """A player lost the connection, and keeps the seat until `until_ms`."""

    member: str
    until_ms: int


class Returned(_Event, frozen=True, tag="returned"):
    """An absent player connected again, or a member to another server of a cluster."""

    member: str
    node: str = ""
    """The server that the member is connected to, in a cluster of several."""
    person: str = ""
    """Pseudonym of the owner of the name, see `Member.person`."""


class Renamed(_Event, frozen=True, tag="renamed"):
    """A member has another name: `name`, which belongs to the same person."""

    member: str
    name: str


class WentAway(_Event, frozen=True, tag="went_away"):
    """A member is gone for a moment, and maybe says why."""

    member: str
    text: str = ""


class CameBack(_Event, frozen=True, tag="came_back"):
    """A member who went away gave a command."""

    member: str


class GraceOver(_Event, frozen=True, tag="grace_over"):
    """An absent player's grace time ended during a game."""

    member: str


class Woken(_Event, frozen=True, tag="woken"):
    """The server started again: all members are absent, with grace until `until_ms`.

    A running clock continues with the time that it had left, now until `deadline_ms`.
    """

    until_ms: int
    deadline_ms: int | None = None


class HostPassed(_Event, frozen=True, tag="host_passed"):
    """`member` became the host; null when no member is connected."""

    member: str | None


class Configured(_Event, frozen=True, tag="configured"):
    """The host changed the settings."""

    settings: Settings


class Sat(_Event, frozen=True, tag="sat"):
    """A member took a seat; `name` is the player's name there."""

    seat: int
    member: str
    name: str


class Reseated(_Event, frozen=True, tag="reseated"):
    """Seats were added or dropped: the `kept` ones stay in this order, before new ones.

    There are `seats` of them then.
    """

    kept: tuple[int, ...]
    seats: int


class BotSat(_Event, frozen=True, tag="bot_sat"):
    """A bot took a seat."""

    seat: int
    bot: str
    name: str


class Vacated(_Event, frozen=True, tag="vacated"):
    """A seat became empty."""

    seat: int


class StoodIn(_Event, frozen=True, tag="stood_in"):
    """A bot began to play for the person who holds the seat."""

    seat: int
    bot: str


class TookBack(_Event, frozen=True, tag="took_back"):
    """The person plays again; `deadline_ms` is set if the seat is to move and has a clock."""

    seat: int
    deadline_ms: int | None = None


class Rotated(_Event, frozen=True, tag="rotated"):
    """Every seat holder moved one seat down, the first one to the last seat."""


class Started(_Event, frozen=True, tag="started"):
    """Game number `number` of the room started; `players` has one name for each seat."""

    number: int
    players: tuple[str, ...]
    deadline_ms: int | None = None
    """Time at which the clock of the seat to move runs out; null: it has none, or isn't running."""
    movable: tuple[int, ...] = ()
    """Numbers of the things from which the seat to move can move, in games with pieces."""
    link: str = ""
    """Random name under which everybody may see the game when it is over; "": only its players."""
    legal_moves: tuple[str, ...] = ()
    """The moves of the seat to move, in games with pieces, see `protocol.listed_moves`."""


class Played(_Event, frozen=True, tag="played"):
    """A move: what it won, the next seat to move (null: the game is over) and the new scores."""

    seat: int
    move: str
    taken: tuple[int, ...]
    to_move: int | None
    scores: tuple[int, ...]
    by: MoveSource = MoveSource.PLAYER
    deadline_ms: int | None = None
    movable: tuple[int, ...] = ()
    """Numbers of the things from which the seat to move can move, in games with pieces."""
    legal_moves: tuple[str, ...] = ()
    """The moves of the seat to move, in games with pieces, see `protocol.listed_moves`."""


class HintAsked(_Event, frozen=True, tag="hint_asked"):
    """The player of the seat to move asked for a hint, which only that player receives."""

    seat: int


class Coached(_Event, frozen=True, tag="coached"):
    """The coach begins to help the player of the seat, or stops."""

    seat: int
    on: bool


class Withdrew(_Event, frozen=True, tag="withdrew"):
    """A seat withdrew from the game; it keeps its score."""

    seat: int
    why: WithdrawalReason
    to_move: int | None
    scores: tuple[int, ...]
    deadline_ms: int | None = None


class UndoAsked(_Event, frozen=True, tag="undo_asked"):
    """A player asked to take back all moves but the first `keeps`; the others decide."""

    member: str
    keeps: int


class UndoAgreed(_Event, frozen=True, tag="undo_agreed"):
    """A player agreed to a takeback for which another one has still to agree."""

    member: str


class UndoDeclined(_Event, frozen=True, tag="undo_declined"):
    """A player declined a takeback, or the one who asked doesn't want it any more."""

    member: str


class Undone(_Event, frozen=True, tag="undone"):
    """All moves but the first `keeps` were taken back, as `member` asked.

    `ply` is the number of the position from now on, `to_move` and `scores` are those in it.
    """

    member: str
    keeps: int
    ply: int
    to_move: int
    scores: tuple[int, ...]
    movable: tuple[int, ...] = ()
    """Numbers of the things from which the seat to move can move, in games with pieces."""
    legal_moves: tuple[str, ...] = ()
    """The moves of the seat to move, in games with pieces, see `protocol.listed_moves`."""


class Nudged(_Event, frozen=True, tag="nudged"):
    """A member nudged the player in `seat`, who has been thinking for long."""

    member: str
    seat: int


class StandInAsked(_Event, frozen=True, tag="stand_in_asked"):
    """A player asked to let `bot` play for the person in `seat`; the others decide."""

    member: str
    seat: int
    bot: str


class AbortAsked(_Event, frozen=True, tag="abort_asked"):
    """A player asked to end the game without a winner; the others decide."""

    member: str


class PauseAsked(_Event, frozen=True, tag="pause_asked"):
    """A player asked to pause the game; the others decide."""

    member: str


class Paused(_Event, frozen=True, tag="paused"):
    """The game is paused: no move is made, and the room's time stands still."""

    member: str


class Unpaused(_Event, frozen=True, tag="unpaused"):
    """The pause is over: all times of the room move on by its length.

    `member` goes on with the game; null: the game ends while it is paused.
    """

    member: str | None = None


class Agreed(_Event, frozen=True, tag="agreed"):
    """A player agreed to such a request, and another one has still to."""

    member: str


class Declined(_Event, frozen=True, tag="declined"):
    """A player declined such a request, or the one who asked doesn't want it any more."""

    member: str


class Aborted(_Event, frozen=True, tag="aborted"):
    """The game ended without a winner and without a result, as `member` asked."""

    member: str


class Ended(_Event, frozen=True, tag="ended"):
    """The game ended; several winners win jointly, no winner means a draw.

    `points` are what each seat gains in the room's table; without any the game isn't counted.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    points: tuple[int, ...] = ()


class SeriesWon(_Event, frozen=True, tag="series_won"):
    """A player has won the series; the next game begins another one."""

    name: str


class RematchWanted(_Event, frozen=True, tag="rematch_wanted"):
    """A member voted for the next game."""

    member: str


class RematchUnwanted(_Event, frozen=True, tag="rematch_unwanted"):
    """A member who voted for the next game doesn't take part in it."""

    member: str


class Said(_Event, Spoken, frozen=True, tag="said"):
    """A member wrote a chat message."""

    member: str
    text: str
    at_ms: int
    to: ChatTo = ChatTo.ALL
    name: str = ""
    """The player who spoke, or several who may have, of those at this keyboard; else empty."""
    action: bool = False
    """Whether `text` is what the member does, such as "waves", to be shown behind the name."""


class Told(_Event, Spoken, frozen=True, tag="told"):
    """A member wrote a private message, which only that member and `to` receive."""

    member: str
    to: str
    text: str
    at_ms: int
    name: str = ""
    """The player who spoke, or several who may have, as in `Said`; else empty."""
    persons: tuple[str, str] = ("", "")
    """`Member.person` of both: another owner of a name doesn't receive what the last one did."""


class Reacted(_Event, Spoken, frozen=True, tag="reacted"):
    """A member reacted to what happens; the room doesn't keep it."""

    member: str
    reaction: Reaction
    name: str = ""
    """The player who reacted, or several who may have, as in `Said`; else empty."""


class Revealed(_Event, frozen=True, tag="revealed"):
    """Chat of the spectators during the game, now for everybody."""

    lines: tuple[ChatLine, ...]


class Hidden(_Event, frozen=True, tag="hidden"):
    """Replaces an event that the audience may not see; it is never in a log."""


Event = (
    Created
    | Joined
    | Left
    | Kicked
    | Unbarred
    | Muted
    | Unmuted
    | Dropped
    | Returned
    | Renamed
    | WentAway
    | CameBack
    | GraceOver
    | Woken
    | HostPassed
    | Configured
    | Sat
    | Reseated
    | BotSat
    | Vacated
    | StoodIn
    | TookBack
    | Rotated
    | Started
    | Played
    | HintAsked
    | Coached
    | Withdrew
    | UndoAsked
    | UndoAgreed
    | UndoDeclined
    | Undone
    | Nudged
    | StandInAsked
    | AbortAsked
    | PauseAsked
    | Paused
    | Unpaused
    | Agreed
    | Declined
    | Aborted
    | Ended
    | SeriesWon
    | RematchWanted
    | RematchUnwanted
    | Said
    | Told
    | Reacted
    | Revealed
    | Hidden
)


class Entry(Struct, frozen=True, gc=False):
    """The events of one command: the unit that is decided, stored and delivered.

    `seq` is the number of the first event. `member` and `command_id` identify the command if a
    member gave it; the room remembers them to recognise a repeat.
    """

    seq: int
    at_ms: int
    events: tuple[Event, ...]
    member: str | None = None
    command_id: int = 0

    @property
    def last_seq(self) -> int:
        """Number of the last event."""
        return self.seq + len(self.events) - 1
