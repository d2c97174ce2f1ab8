"""Line mode as a frontend: asks for a room with numbered lists, and plays in it."""

from boxroom_client.linemode.app import LineMode
from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.printer import Printer
from boxroom_client.linemode.rooms import choose_again, choose_alone, choose_by_asking
from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import Create, JoinRequest
from boxroom_client.profile.identity import BadName, checked_name
from boxroom_client.shell.frontend import JoinOptions, ListRooms, RefusedRoom
from boxroom_client.shell.input.questions import answer_in, choice
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.turns import PROMPT_END
from boxroom_common.exits import Exit
from boxroom_common.phrases import say
from boxroom_engine.room.text import clean
from boxroom_engine.wire.messages import RoomListed


class LineFrontend:
    """A `Frontend` that prints with `printer` and reads `lines`.

    If `brief`, it prints no board after moves.
    """

    def __init__(self, lines: Lines, printer: Printer, *, brief: bool = False) -> None:
        self.lines = lines
        self.printer = printer
        self._brief = brief

    def say(self, *lines: str) -> None:
        self.printer.say(lines)

    @property
    def can_ask(self) -> bool:
        """Whether the lines are typed in a terminal."""
        return self.lines.is_terminal

    @property
    def is_robot(self) -> bool:
        return False

    async def ask_name(self, reason: str, suggestion: str) -> str | None:
        """Ask for another name; an empty line takes the suggestion."""
        self.printer.say([reason])
        asked = say("terminal.line.another_name", name=suggestion)
        with self.lines.opened():
            while True:
                answer = await self.lines.next(lambda: f"{asked}{PROMPT_END}")
                if answer is None:
                    return None
                try:
                    return checked_name(clean(answer) or suggestion)
                except BadName as error:
                    self.printer.say([sentence(str(error))])

    async def ask_yes(self, question: str) -> bool:
        """Return whether the person says yes; the end of the input, or anything else, is a no."""
        with self.lines.opened():
            answer = await self.lines.next(lambda: f"{question}{choice()}")
        return answer is not None and answer_in(answer) is True

    async def ask_password(self, reason: str) -> str | None:
        """Ask for the password, which isn't shown; an empty line cancels."""
        self.printer.say([reason])
        with self.lines.opened():
            prompt = f"{say('terminal.line.password')}{PROMPT_END}"
            return await self.lines.next(lambda: prompt, lambda: True) or None

    async def choose_room(
        self,
        list_rooms: ListRooms,
        join_options: JoinOptions,
        server: str,
        refused: RefusedRoom | None = None,
    ) -> JoinRequest | None:
        """Ask the person, if there is a terminal; else choose the first suitable room."""
        rooms = await list_rooms()
        if refused is not None:
            self.printer.say([refused.reason])
            return await choose_again(rooms, join_options, self.lines, self.printer)
        if self.lines.is_terminal:
            return await choose_by_asking(rooms, join_options, self.lines, self.printer)
        return choose_alone(rooms, join_options, self.printer)

    async def set_up_room(
        self, request: Create, hosted: RoomListed | None
    ) -> Create | RoomListed | None:
        return hosted or request

    async def play(
        self,
        connection: RoomConnection,
        *,
        watching: bool = False,
        until_end: bool = False,
        skip_until_seq: int = 0,
    ) -> Exit:
        mode = LineMode(
            connection,
            self.lines,
            self.printer,
            brief=self._brief,
            watching=watching,
            until_end=until_end,
            skip_until_seq=skip_until_seq,
        )
        return await mode.run()
