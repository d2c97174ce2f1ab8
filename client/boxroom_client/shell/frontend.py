"""The interface of a frontend (line mode, the full screen, a robot), and what it works with."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

from msgspec.structs import replace as fields_replaced

from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import Create, Join, JoinRequest
from boxroom_client.link.updates import Update
from boxroom_client.profile.ignored import IgnoredPeople
from boxroom_client.servers.address import Address
from boxroom_client.shell.room_settings import HOSTED
from boxroom_common.exits import Exit
from boxroom_engine.errors import BoxroomError
from boxroom_engine.review.position import JudgedPosition
from boxroom_engine.review.review import Review
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.powers import Power
from boxroom_engine.room.room import Room, Settings
from boxroom_engine.room.text import same_name
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.messages import Done, RoomListed, Welcome

ListRooms = Callable[[], Awaitable[Sequence[RoomListed]]]


class Interrupted(BoxroomError):
    """Ctrl-C was typed.

    It stands for KeyboardInterrupt, which would tear down the event loop from within a task.
    """


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """The room that the command line asks for."""

    room: str | None = None
    password: str | None = None
    create: bool = False
    watch: bool = False
    settings: Settings | None = None
    """Those of a new room; None: as usual."""
    bots: tuple[str, ...] = ()
    """Bots in a new room."""
    comes_back: bool = False
    """With `create`, whether to enter a room of this person instead that is there already.

    A new one is for friends then.
    """

    @property
    def names_no_room(self) -> bool:
        """True if a room is to be chosen from those that are there."""
        return self.room is None and not self.create

    def in_room(self, room: str | None) -> Self:
        """Return the options for `room`, to which a link leads; None: it leads to no room.

        Raises:
            ValueError: the command line asks for another one.
        """
        if room is None:
            return self
        if self.room is not None and not same_name(self.room, room):
            raise ValueError(
                f"the link leads to the room {room}, and --room names {self.room}: leave one out"
            )
        return replace(self, room=room)

    def to_create(self) -> Create:
        """Return the request to create a new room, private if there is a password."""
        usual = HOSTED if self.comes_back else Settings()
        settings = fields_replaced(self.settings or usual, private=self.password is not None)
        return Create(settings, self.room, self.password, self.watch, self.bots)

    def to_join(self, room: RoomListed) -> Join:
        """Return the request to join `room`."""
        return Join(room.room, self.password, self.watch)


@dataclass(frozen=True, slots=True)
class RefusedRoom:
    """A room that was chosen, but can't be entered or made."""

    request: JoinRequest
    reason: str
    """The sentence of the server."""


class Link(Protocol):
    """The part of `RoomConnection` that plays in a room; tests have their own."""

    @property
    def room(self) -> Room | None:
        """The room as it is now; None before the connection has joined it."""

    @property
    def me(self) -> str | None:
        """Our name in it."""

    @property
    def welcome(self) -> Welcome | None:
        """The server's offer: its games and bots."""

    @property
    def guests_address(self) -> Address | None:
        """Address by which others reach the server; None if they can't."""

    @property
    def guests_page(self) -> PageUrl | None:
        """Page by which others come with a browser; None if there is none."""

    @property
    def ignored(self) -> IgnoredPeople:
        """People whose messages the user doesn't want to see."""

    def updates(self) -> AsyncIterator[Update]:
        """Yield the updates of the room and of the connection, in order."""

    async def ask(self, command: cmd.AnyMemberCommand) -> Done:
        """Send `command` and return its answer; raise `CommandRefused` if it is refused."""

    async def review(self) -> Review:
        """Return the review of the game on the board; raise `CommandRefused` as `ask` does."""

    async def judge(self, ply: int, move: str | None, *, all_moves: bool) -> JudgedPosition:
        """Return the judgement of a position of the game on the board, by the moves before it.

        `move`, or all moves, are judged besides. Raise `CommandRefused` as `ask` does.
        """

    async def powers(self) -> Sequence[Power]:
        """Return what we can do as the host; raise `CommandRefused` as `ask` does."""

    async def list_rooms(self) -> Sequence[RoomListed]:
        """Return the open rooms; raise `CommandRefused` as `ask` does."""

    async def go_to(self, room: str, password: str | None = None) -> None:
        """Go to another room of the server; raise `CommandRefused` and stay if it is refused."""

    async def rename(self, name: str) -> None:
        """Go on under another name; raise `CommandRefused` as `ask` does."""

    async def offer_identity(self) -> tuple[str, str]:
        """Offer the identity to another device; return the pad of its secret, and the code.

        Raise `CommandRefused` as `ask` does.
        """

    async def leave(self) -> None:
        """Leave the room."""


class Frontend(Protocol):
    """Lets a person (or a robot) choose a room and play in it."""

    def say(self, *lines: str) -> None:
        """Show `lines` while there is no room yet."""

    @property
    def can_ask(self) -> bool:
        """Whether there is a person at a terminal, who can be asked."""

    @property
    def is_robot(self) -> bool:
        """True if a program chooses the moves."""

    async def ask_name(self, reason: str, suggestion: str) -> str | None:
        """Return another name; None if the person cancels, or can't be asked.

        `reason` is the sentence of the server that refused the last one.

        Raises:
            Interrupted: Ctrl-C.
        """

    async def ask_password(self, reason: str) -> str | None:
        """Return the password of a private room; None if the person cancels, or can't be asked.

        `reason` is the sentence of the server that refused the last one, or none.

        Raises:
            Interrupted: Ctrl-C.
        """

    async def choose_room(
        self,
        list_rooms: ListRooms,
        join_options: JoinOptions,
        server: str,
        refused: RefusedRoom | None = None,
    ) -> JoinRequest | None:
        """Return the request for the chosen room; None if the person cancels.

        `refused` is the last choice, if there is a person who can choose again.

        Raises:
            Interrupted: Ctrl-C.
            Unreachable: the server doesn't answer.
            Failure: there is nothing to choose.
        """

    async def set_up_room(
        self, request: Create, hosted: RoomListed | None
    ) -> Create | RoomListed | None:
        """Return the request for a new room, which the person may change, or `hosted`.

        That is the room that this person has hosted last, if it is still there. None if the person
        cancels. A frontend that can't ask returns `hosted`, or `request` if there is none.

        Raises:
            Interrupted: Ctrl-C.
        """

    async def play(
        self,
        connection: RoomConnection,
        *,
        watching: bool = False,
        until_end: bool = False,
        skip_until_seq: int = 0,
    ) -> Exit:
        """Play in the room until the person or the room ends it, and return the exit code.

        Events up to `skip_until_seq`, which set the room up, aren't reported. A person who came
        to be `watching` isn't asked to play. Without a terminal, `until_end` ends it with the
        game, and with `watching` the end of the input doesn't end it.
        """
