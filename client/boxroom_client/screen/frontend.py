"""The full screen as a frontend: one screen after the other, for a server, a room and a game."""

from pathlib import Path
from typing import TypeVar

from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import Create, JoinRequest
from boxroom_client.screen.app import GameScreen
from boxroom_client.screen.forms.game_form import edit_game
from boxroom_client.screen.forms.single_field import NAME_FIELD, PASSWORD_FIELD, ask
from boxroom_client.screen.lobby.chooser import Chooser
from boxroom_client.screen.lobby.hosted_room import set_up_room
from boxroom_client.screen.lobby.menu import Menu
from boxroom_client.screen.lobby.rooms import choose_room
from boxroom_client.screen.lobby.servers import choose_server
from boxroom_client.screen.model import DisplayOptions
from boxroom_client.screen.themes.theme import Theme
from boxroom_client.servers.address import Destination
from boxroom_client.servers.discovery import Discovery
from boxroom_client.shell.frontend import JoinOptions, ListRooms, RefusedRoom
from boxroom_client.shell.logfile import all_logging_to
from boxroom_client.shell.room_settings import LocalGame
from boxroom_common.exits import Exit
from boxroom_common.phrases import say
from boxroom_engine.wire.messages import RoomListed

T = TypeVar("T")


class ScreenFrontend:
    """A `Frontend` that shows screens on the whole terminal.

    Log messages go to `log_file` meanwhile.
    """

    def __init__(self, options: DisplayOptions, theme: Theme, log_file: Path) -> None:
        self._options = options
        self._theme = theme
        self._look = options.look(theme.style)
        self._log_file = log_file

    def say(self, *lines: str) -> None:
        """Print `lines`; they are visible when the next screen has closed."""
        for line in lines:
            print(line)

    async def choose_item(self, menu: Menu[T]) -> T | None:
        """Return the value of the item that the person chooses; None if the person cancels.

        Raises:
            Interrupted: Ctrl-C.
        """
        return await Chooser(menu, look=self._look).run()

    async def choose_server(self) -> Destination | None:
        """Return the chosen server, perhaps with a room; None if the person cancels.

        Raises:
            Interrupted: Ctrl-C.
        """
        with all_logging_to(self._log_file):
            async with Discovery() as discovery:
                return await choose_server(discovery, look=self._look)

    @property
    def can_ask(self) -> bool:
        return True

    @property
    def is_robot(self) -> bool:
        return False

    async def ask_name(self, reason: str, suggestion: str) -> str | None:
        return await ask(
            say("terminal.dialog.your_name"), (reason,), NAME_FIELD, suggestion, look=self._look
        )

    async def ask_password(self, reason: str) -> str | None:
        return await ask(
            say("terminal.dialog.private_room"), (reason,), PASSWORD_FIELD, look=self._look
        )

    async def choose_room(
        self,
        list_rooms: ListRooms,
        join_options: JoinOptions,
        server: str,
        refused: RefusedRoom | None = None,
    ) -> JoinRequest | None:
        known = await list_rooms()  # an unreachable server fails before the screen opens
        with all_logging_to(self._log_file):
            return await choose_room(
                list_rooms,
                join_options,
                look=self._look,
                server=server,
                known=known,
                refused=refused,
            )

    async def set_up_room(
        self, request: Create, hosted: RoomListed | None
    ) -> Create | RoomListed | None:
        return await set_up_room(request, hosted, look=self._look)

    async def edit_game(self, game: LocalGame) -> LocalGame | None:
        """Return `game` as the person has changed it; None if the person cancels.

        Raises:
            Interrupted: Ctrl-C.
        """
        return await edit_game(game, look=self._look)

    async def play(
        self,
        connection: RoomConnection,
        *,
        watching: bool = False,
        until_end: bool = False,
        skip_until_seq: int = 0,
    ) -> Exit:
        """Show the game's screen until the person leaves."""
        del until_end  # for input without a terminal
        with all_logging_to(self._log_file):
            return await GameScreen(
                connection,
                self._options,
                self._theme,
                skip_until_seq=skip_until_seq,
                watching=watching,
            ).run()
