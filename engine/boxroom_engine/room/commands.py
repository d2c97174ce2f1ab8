"""Commands to a room; docs/reference/room.md has the table of who may give which, and when.

The commands of members are also their wire format. Each has an id, and the room remembers the
accepted ones, so that a repeated command has no second effect. The commands of the server itself
(`Create` … `Wake`) never come from a socket.
"""

from typing import Annotated

from msgspec import Meta, Struct

from boxroom_engine.room.events import MoveSource
from boxroom_engine.room.room import ChatTo, Reaction, RequestedSettings, Settings

CommandId = Annotated[int, Meta(ge=1, le=2**53 - 1)]
"""Greater than the ids of all earlier commands of the member in this room."""

SeatNumber = Annotated[int, Meta(ge=0, le=100_000)]
Text = Annotated[str, Meta(max_length=4_000)]
Ply = Annotated[int, Meta(ge=0, le=2**31)]
EventNumber = Annotated[int, Meta(ge=1, le=2**53 - 1)]
GameNumber = Annotated[int, Meta(ge=1, le=2**53 - 1)]


class MemberCommand(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Base of the commands of members; the answer repeats `id`."""

    id: CommandId


class Leave(MemberCommand, frozen=True, tag="leave"):
    """Leave the room."""


class Sit(MemberCommand, frozen=True, tag="sit"):
    """Take a seat: without `seat` the first empty one, without `name` under your own name.

    During a game: take back your own seat from the bot that stands in.
    """

    seat: SeatNumber | None = None
    name: Text | None = None


class Stand(MemberCommand, frozen=True, tag="stand"):
    """Give up your seat `seat`, or all your seats, between games, or the one in the next game."""

    seat: SeatNumber | None = None


class Play(MemberCommand, frozen=True, tag="play"):
    """Play `move` for `seat`, in answer to the position with this `ply` of game number `game`.

    Without `game` it is the running game. Give it if you repeat commands after a lost connection,
    so that the server can't play an old move in a rematch.
    """

    seat: SeatNumber
    move: Text
    ply: Ply
    game: GameNumber | None = None


class AskHint(MemberCommand, frozen=True, tag="ask_hint"):
    """Ask for a good move for `seat`, in the position with this `ply` of game number `game`.

    The answer `done` means that a bot has begun to think; the move comes later, as a `Hint`.
    """

    seat: SeatNumber
    ply: Ply
    game: GameNumber | None = None


class Coach(MemberCommand, frozen=True, tag="coach"):
    """Let the coach help the player of `seat` against bots, or let it stop; see `Coaching`."""

    seat: SeatNumber
    on: bool


class Undo(MemberCommand, frozen=True, tag="undo"):
    """Take your last move back, with all moves after it.

    `ply` and `game` are those of the present position, as in `Play`. The other people in the game
    have to agree.
    """

    ply: Ply
    game: GameNumber | None = None


class AnswerUndo(MemberCommand, frozen=True, tag="answer_undo"):
    """Agree to a takeback, or decline it; the player who asked declines to ask no longer.

    `ply` and `game` are those of the position in which it was asked.
    """

    ply: Ply
    agree: bool
    game: GameNumber | None = None


class Nudge(MemberCommand, frozen=True, tag="nudge"):
    """Nudge the player of `seat`, who is to move: the client of that player rings."""

    seat: SeatNumber


class StandIn(MemberCommand, frozen=True, tag="stand_in"):
    """Let a bot play for the player of `seat`, who is to move and has been thinking for long.

    The host does it at once; of players all others have to agree, too. The player's next command
    ends it.
    """

    seat: SeatNumber
    bot: Text | None = None
    """The bot; None: the one that plays for people who drop out."""


class Abort(MemberCommand, frozen=True, tag="abort"):
    """End the game without a winner, or ask the other people in it to agree."""


class Pause(MemberCommand, frozen=True, tag="pause"):
    """Pause the game, or ask the other people in it to agree; the host does it at once."""


class Unpause(MemberCommand, frozen=True, tag="unpause"):
    """Go on with a paused game."""


class Answer(MemberCommand, frozen=True, tag="answer"):
    """Agree to a request for a stand-in, a pause or an end of the game, or decline it.

    `since` is the number of the event that asked. The player who asked declines to ask no longer.
    """

    since: EventNumber
    agree: bool


class Resign(MemberCommand, frozen=True, tag="resign"):
    """Resign the game for your seat `seat`."""

    seat: SeatNumber


class Rematch(MemberCommand, frozen=True, tag="rematch"):
    """Vote for the next game, which starts when all players have; after a game another one begins.

    A spectator thereby asks for a seat in it.
    """


class Say(MemberCommand, frozen=True, tag="say"):
    """Write a chat message."""

    text: Text
    to: ChatTo = ChatTo.ALL
    action: bool = False
    """Whether `text` is what the member does, such as "waves", to be shown behind the name."""


class Tell(MemberCommand, frozen=True, tag="tell"):
    """Write a private message to another member."""

    to: Text
    text: Text


class React(MemberCommand, frozen=True, tag="react"):
    """React to what happens, for all to see."""

    reaction: Reaction


class GoAway(MemberCommand, frozen=True, tag="away"):
    """Tell the others that you aren't at the keyboard; your next command ends it."""

    text: Text | None = ""
    """The reason, if you give one; null: you are back."""


class Start(MemberCommand, frozen=True, tag="start"):
    """Host: start the game; with `first`, the holder of that seat begins.

    The order of play stays: all holders move down until that one is in seat 0.
    """

    first: SeatNumber | None = None


class Configure(MemberCommand, frozen=True, tag="configure"):
    """Host: replace all settings."""

    settings: RequestedSettings


class SeatBot(MemberCommand, frozen=True, tag="seat_bot"):
    """Host: seat a bot in `seat`, or in the first empty seat.

    It replaces a bot in `seat`. Without `seat`, where no seat is empty, it replaces the only bot.
    """

    bot: Text
    seat: SeatNumber | None = None


class Fill(MemberCommand, frozen=True, tag="fill"):
    """Host: seat bots in all empty seats."""

    bot: Text


class Unseat(MemberCommand, frozen=True, tag="unseat"):
    """Host: empty a seat of its person or bot."""

    seat: SeatNumber


class Kick(MemberCommand, frozen=True, tag="kick"):
    """Host: remove a member, who can't enter again."""

    member: Text


class Unbar(MemberCommand, frozen=True, tag="unbar"):
    """Host: let a person enter again who was removed."""

    member: Text


class Mute(MemberCommand, frozen=True, tag="mute"):
    """Host: let a member say nothing any more; all other commands stay possible."""

    member: Text


class Unmute(MemberCommand, frozen=True, tag="unmute"):
    """Host: let a person talk again who was muted."""

    member: Text


class HandOver(MemberCommand, frozen=True, tag="hand_over"):
    """Host: make another member the host."""

    member: Text


AnyMemberCommand = (
    Leave
    | Sit
    | Stand
    | Play
    | AskHint
    | Coach
    | Undo
    | AnswerUndo
    | Nudge
    | StandIn
    | Abort
    | Pause
    | Unpause
    | Answer
    | Resign
    | Rematch
    | Say
    | Tell
    | React
    | GoAway
    | Start
    | Configure
    | SeatBot
    | Fill
    | Unseat
    | Kick
    | Unbar
    | Mute
    | Unmute
    | HandOver
)


class FromMember(Struct, frozen=True, gc=False):
    """A member's command, with the name of the member whose session sent it.

    `link` is a random name for the game that it may begin, as `Create.log` is for the room's log.
    """

    member: str
    command: AnyMemberCommand
    link: str = ""


class Create(Struct, frozen=True, gc=False):
    """Create the room; `member` becomes its host, and sits down unless `watch` is set.

    `log` is a random name for the room's log.
    """

    log: str
    member: str
    settings: Settings
    watch: bool = False
    node: str = ""
    """The server that `member` is connected to, in a cluster of several."""
    person: str = ""
    """Pseudonym of the owner of the name, see `boxroom_engine.room.room.Member.person`."""


class Enter(Struct, frozen=True, gc=False):
    """Enter the room or come back; `admitted` means that the password was right, if any."""

    member: str
    watch: bool = False
    admitted: bool = False
    node: str = ""
    """The server that `member` is connected to, in a cluster of several."""
    person: str = ""
    """Pseudonym of the owner of the name, see `boxroom_engine.room.room.Member.person`."""
    former_name: str | None = None
    """The name of the membership that goes on under the name `member`, of the same owner."""
    link: str = ""
    """As that of `FromMember`: a game begins if it waited for `member` alone."""


class Drop(Struct, frozen=True, gc=False):
    """Record that members lost their connections; without effect on one at another server by now.

    One command for all who are lost together, so that the room has one entry for a crowd.
    """

    members: tuple[str, ...]
    node: str = ""
    """The server that they were connected to, in a cluster of several."""


class Expel(Struct, frozen=True, gc=False):
    """Remove `member`, even the host, by order of the server's operator."""

    member: str


class EndGrace(Struct, frozen=True, gc=False):
    """End the grace time of `member` that lasts until `until_ms`."""

    member: str
    until_ms: int


class PlayFor(Struct, frozen=True, gc=False):
    """Play `move`, which a bot chose for its own seat or for a person whose clock has run out."""

    seat: int
    move: str
    ply: int
    by: MoveSource = MoveSource.BOT


class Wake(Struct, frozen=True, gc=False):
    """Record that the server started again after `down_ms`.

    That is by the time of day, so it is negative after a larger step back.
    """

    down_ms: int


Command = FromMember | Create | Enter | Drop | Expel | EndGrace | PlayFor | Wake
