"""The full screen, as it leads into a room."""

from collections.abc import Callable
from pathlib import Path

from prompt_toolkit.styles import BaseStyle

from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import JoinRequest
from boxroom_client.screen.app import GameScreen
from boxroom_client.screen.forms.game_form import choose_table
from boxroom_client.screen.lobby.rooms import choose_room
from boxroom_client.screen.lobby.servers import choose_server
from boxroom_client.screen.logfile import logging_to
from boxroom_client.screen.model import Look
from boxroom_client.screen.themes.theme import Theme
from boxroom_client.servers.address import Address
from boxroom_client.servers.discovery import Discovery
from boxroom_client.shell.front import ListRooms
from boxroom_client.shell.input.intents import Switch
from boxroom_client.shell.join_options import JoinOptions
from boxroom_client.shell.table import Table
from boxroom_common.exits import Exit


class ScreenFront:
    """A `Front` that takes the whole terminal, again and again: for a server, a room, a game.

    What is logged meanwhile goes to `log_file`.
    """

    def __init__(self, look: Look, theme: Theme, log_file: Path) -> None:
        self._look = look
        self._theme = theme
        self._log_file = log_file

    def say(self, *lines: str) -> None:
        """Above the next screen, where it is seen when that closes."""
        for line in lines:
            print(line)

    async def choose_server(self) -> Address | None:
        """Where the server is that is chosen; None if somebody thought better of it.

        Raises:
            Interrupted: Ctrl-C.
        """
        with logging_to(self._log_file):
            async with Discovery() as discovery:
                return await choose_server(
                    discovery,
                    style=self._style,
                    ascii_only=self._look.ascii_only,
                    mouse=self._has_mouse,
                )

    async def choose_room(
        self, list_rooms: ListRooms, join_options: JoinOptions, server: str
    ) -> JoinRequest | None:
        """See `Front`."""
        known = await list_rooms()  # a server that isn't there is told before there is a list
        with logging_to(self._log_file):
            return await choose_room(
                list_rooms,
                join_options,
                style=self._style,
                ascii_only=self._look.ascii_only,
                mouse=self._has_mouse,
                server=server,
                known=known,
            )

    async def choose_table(self, table: Table) -> Table | None:
        """Who is to play what; None if somebody thought better of it.

        Raises:
            Interrupted: Ctrl-C.
        """
        return await choose_table(
            table, style=self._style, ascii_only=self._look.ascii_only, mouse=self._has_mouse
        )

    async def play(
        self,
        connection: RoomConnection,
        *,
        watching: bool = False,
        until_end: bool = False,
        told: int = 0,
    ) -> Exit:
        """See `Front`; the screen stays open until the person leaves."""
        del watching, until_end  # for pipes
        with logging_to(self._log_file):
            return await GameScreen(connection, self._look, self._theme, told=told).run()

    @property
    def _style(self) -> Callable[[], BaseStyle]:
        return self._theme.style

    @property
    def _has_mouse(self) -> bool:
        return self._look.switches[Switch.MOUSE]
