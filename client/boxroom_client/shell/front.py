"""What a shell is to somebody who wants to play: it leads into a room, and stays there."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import JoinRequest
from boxroom_client.shell.join_options import JoinOptions
from boxroom_common.exits import Exit
from boxroom_engine.wire.messages import RoomListed

ListRooms = Callable[[], Awaitable[Sequence[RoomListed]]]


class Interrupted(Exception):
    """Ctrl-C was typed.

    It stands for KeyboardInterrupt, which would tear down the event loop from within a task.
    """


class Front(Protocol):
    """Line mode, or the full screen."""

    def say(self, *lines: str) -> None:
        """Tell the person something on the way into a room."""

    async def choose_room(
        self, list_rooms: ListRooms, join_options: JoinOptions, server: str
    ) -> JoinRequest | None:
        """How to come into the room that is chosen; None if somebody thought better of it.

        Raises:
            Interrupted: Ctrl-C.
            Unreachable: the server doesn't answer.
            Failure: there is nothing to choose.
        """

    async def play(
        self,
        connection: RoomConnection,
        *,
        watching: bool = False,
        until_end: bool = False,
        told: int = 0,
    ) -> Exit:
        """Stay in the room until it is over; how it ended.

        `told` is a seq up to which events are old news: those that set the room up. With
        `until_end` a shell that nobody looks at is done when the game is; with `watching`, the
        end of a pipe doesn't end it.
        """
