"""What line mode needs of a connection; a `RoomConnection` is one, and tests have their own."""

from collections.abc import AsyncIterator
from typing import Protocol

from boxroom_client.link.updates import Update
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import Done, Refused, Rooms, Welcome


class Link(Protocol):
    """What line mode needs of a `RoomConnection` that has come in."""

    @property
    def room(self) -> Room | None:
        """The room as it is now."""

    @property
    def me(self) -> str | None:
        """Our name in it."""

    @property
    def welcome(self) -> Welcome | None:
        """What the server offers."""

    def updates(self) -> AsyncIterator[Update]:
        """What happens, in order."""

    async def ask(self, command: cmd.AnyMemberCommand) -> Done | Refused:
        """The answer to `command`."""

    async def list_rooms(self) -> Rooms:
        """The open rooms; raises `Unreachable`."""

    async def leave(self) -> None:
        """Go out of the room."""
