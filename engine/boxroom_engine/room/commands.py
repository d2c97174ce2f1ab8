"""What can be asked of a room; docs/room.md has the table of who may ask what, and when.

A member's commands travel as they are written here. Each carries an id, and the server
remembers the accepted ones, so that one which is sent again does nothing twice. The
commands of the server itself (`Create` … `Wake`) are never read from a socket.
"""

from typing import Annotated

from msgspec import Meta, Struct

from boxroom_engine.room.events import By
from boxroom_engine.room.room import ChatTo, RequestedSettings, Settings

CommandId = Annotated[int, Meta(ge=1, le=2**53 - 1)]
"""Grows with every command that a member gives in a room, over all its connections."""

SeatNumber = Annotated[int, Meta(ge=0, le=100_000)]
Text = Annotated[str, Meta(max_length=4_000)]
Ply = Annotated[int, Meta(ge=0, le=2**31)]
GameNumber = Annotated[int, Meta(ge=1, le=2**31)]


class MemberCommand(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a member asks; `id` is echoed in the answer."""

    id: CommandId


class Leave(MemberCommand, frozen=True, tag="leave"):
    """Go out of the room."""


class Sit(MemberCommand, frozen=True, tag="sit"):
    """Take a seat (the first empty one), to be called `name` there (the member's name).

    During a game: take back one's own seat from the bot that stands in.
    """

    seat: SeatNumber | None = None
    name: Text | None = None


class Stand(MemberCommand, frozen=True, tag="stand"):
    """Give up one of one's seats, or all of them, between games."""

    seat: SeatNumber | None = None


class Play(MemberCommand, frozen=True, tag="play"):
    """Play `move` for `seat`, in answer to the position with this `ply` of game number `game`.

    Without `game` it is the running one; give it, so that a move which is sent again after a
    rematch isn't played there.
    """

    seat: SeatNumber
    move: Text
    ply: Ply
    game: GameNumber | None = None


class AskHint(MemberCommand, frozen=True, tag="ask_hint"):
    """Ask for a good move for `seat`, in the position with this `ply` of game number `game`.

    That it is done means that a bot thinks about it. The move comes later, as a `Hint`.
    """

    seat: SeatNumber
    ply: Ply
    game: GameNumber | None = None


class Resign(MemberCommand, frozen=True, tag="resign"):
    """Give up the game for one of one's seats."""

    seat: SeatNumber


class Rematch(MemberCommand, frozen=True, tag="rematch"):
    """Ask for the same again with the seats rotated; it starts when every player asks."""


class Say(MemberCommand, frozen=True, tag="say"):
    """Say a line of chat."""

    text: Text
    to: ChatTo = ChatTo.ALL


class Start(MemberCommand, frozen=True, tag="start"):
    """Host: start the game."""


class Configure(MemberCommand, frozen=True, tag="configure"):
    """Host: play something else, or otherwise; all settings at once."""

    settings: RequestedSettings


class SeatBot(MemberCommand, frozen=True, tag="seat_bot"):
    """Host: seat a bot in an empty seat (the first one)."""

    bot: Text
    seat: SeatNumber | None = None


class Fill(MemberCommand, frozen=True, tag="fill"):
    """Host: seat bots in all empty seats."""

    bot: Text


class Unseat(MemberCommand, frozen=True, tag="unseat"):
    """Host: empty a seat, whoever holds it."""

    seat: SeatNumber


class Kick(MemberCommand, frozen=True, tag="kick"):
    """Host: send a member out, for the room's life."""

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
    | Resign
    | Rematch
    | Say
    | Start
    | Configure
    | SeatBot
    | Fill
    | Unseat
    | Kick
    | HandOver
)


class Asked(Struct, frozen=True, gc=False):
    """A member's command together with the member that the server knows it to be from."""

    member: str
    command: AnyMemberCommand


class Create(Struct, frozen=True, gc=False):
    """Make the room; `member` becomes its host, and sits unless watching.

    `log` is a random name for the room's log.
    """

    log: str
    member: str
    settings: Settings
    watch: bool = False


class Enter(Struct, frozen=True, gc=False):
    """Come in or back; `admitted` says that the password, if there is one, was right."""

    member: str
    watch: bool = False
    admitted: bool = False


class Drop(Struct, frozen=True, gc=False):
    """The last connection of `member` is lost."""

    member: str


class Expel(Struct, frozen=True, gc=False):
    """Who runs the server sends `member` out, the host as well."""

    member: str


class EndGrace(Struct, frozen=True, gc=False):
    """The grace time that ends at `until_ms` has passed for `member`."""

    member: str
    until_ms: int


class PlayFor(Struct, frozen=True, gc=False):
    """A bot chose `move` for its own seat, or for a person whose clock has run out."""

    seat: int
    move: str
    ply: int
    by: By = By.BOT


class Wake(Struct, frozen=True, gc=False):
    """The server has started again, and knew nothing for `down_ms`."""

    down_ms: int


Command = Asked | Create | Enter | Drop | Expel | EndGrace | PlayFor | Wake
