"""Line mode, as it leads into a room."""

from boxroom_client.linemode.app import LineMode
from boxroom_client.linemode.choosing import choose_alone, choose_by_asking
from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.page import Page
from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import JoinRequest
from boxroom_client.shell.front import ListRooms
from boxroom_client.shell.join_options import JoinOptions
from boxroom_common.exits import Exit


class LineFront:
    """A `Front` that prints on `page` and reads `lines`."""

    def __init__(self, lines: Lines, page: Page) -> None:
        self.lines = lines
        self.page = page

    def say(self, *lines: str) -> None:
        """See `Front`."""
        self.page.say(lines)

    async def choose_room(
        self, list_rooms: ListRooms, join_options: JoinOptions, server: str
    ) -> JoinRequest | None:
        """By a person who is asked, or without one."""
        rooms = await list_rooms()
        if self.lines.is_terminal:
            return await choose_by_asking(rooms, join_options, self.lines, self.page)
        return choose_alone(rooms, join_options, self.page)

    async def play(
        self,
        connection: RoomConnection,
        *,
        watching: bool = False,
        until_end: bool = False,
        told: int = 0,
    ) -> Exit:
        """See `Front`."""
        mode = LineMode(
            connection,
            self.lines,
            self.page,
            watching=watching,
            until_end=until_end,
            told=told,
        )
        return await mode.run()
