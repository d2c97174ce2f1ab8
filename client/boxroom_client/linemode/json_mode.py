"""Line mode for scripts (`--json`): lines come in, JSON objects go out, one in each line.

The lines are those of line mode, whose loop this is. Each is answered by `done` or `refused`, after
the events that it has led to.
"""

from collections.abc import Iterable
from typing import Any

from boxroom_client.linemode.app import LineMode
from boxroom_client.linemode.frontend import LineFrontend
from boxroom_client.linemode.json_objects import (
    BEGIN,
    done_object,
    end_object,
    object_of,
    refused_object,
    room_object,
    text_object,
)
from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.printer import Printer
from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.updates import SessionEnded, Update
from boxroom_client.shell.input import intents
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.exits import Exit
from boxroom_common.json_output import print_json
from boxroom_common.phrases import say
from boxroom_engine.review.reviewed_game import ReviewedGame
from boxroom_engine.room.decision import CommandRefused

MISTAKE = "mistake"
"""Code of a line that wasn't sent to the server, as it can't be meant."""


class JsonPrinter(Printer):
    """Prints text for people as objects, too."""

    def __init__(self) -> None:
        super().__init__(Canvas(), is_terminal=False)

    def say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.verbatim(line)

    def verbatim(self, text: str) -> None:
        print_json(text_object(text))


class JsonMode(LineMode):
    """Plays in a room by lines, and prints JSON objects."""

    _ended: SessionEnded | None = None
    # Why the line that is being executed isn't possible; empty: it is.
    _mistake = ""

    async def run(self) -> Exit:
        exit_code = await super().run()
        print_json(end_object(exit_code, self._ended))
        return exit_code

    def _show_update(self, update: Update) -> None:
        self._reporter.report(update)  # the room is kept up to date there
        if isinstance(update, SessionEnded):
            self._ended = update
        elif (shown := object_of(update)) is not None:
            print_json(shown)

    def _echo(self, line: str) -> None:
        """Print nothing: the answer repeats the line."""

    async def _execute(self, line: str, intent: intents.Intent) -> None:
        if isinstance(intent, intents.Nothing):
            return
        self._mistake = ""
        try:
            await self._executor.attempt(intent)
        except CommandRefused as refused:
            print_json(refused_object(line, refused.code, str(refused)))
            return
        answer = refused_object(line, MISTAKE, self._mistake) if self._mistake else None
        print_json(answer or done_object(line))

    def show_error(self, sentence: str) -> None:
        self._mistake = sentence

    def show_board(self) -> None:
        print_json(room_object(self.room, self.me, back=False))

    def change_display(self, change: intents.DisplayChange) -> None:
        """Change nothing: no board is drawn."""
        self.show_error(say("terminal.line.full_screen"))

    def show_review(self, reviewed: ReviewedGame) -> None:
        """Print nothing: the sentences name the moves."""


class JsonFrontend(LineFrontend):
    """A `Frontend` for scripts, which asks nothing."""

    def __init__(self, lines: Lines) -> None:
        super().__init__(lines, JsonPrinter())
        print_json(BEGIN)

    async def play(self, connection: RoomConnection, **options: Any) -> Exit:
        return await JsonMode(connection, self.lines, self.printer, **options).run()
