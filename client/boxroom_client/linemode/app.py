"""The loop of line mode: report updates and execute typed lines until the room or the input ends.

Four tasks run: one follows the updates of the room, one reads lines, one executes them, and one
tells of turns that take long. They share the reporter's room, which is the room as far as it has
been reported; `_room_changed` wakes tasks that wait for it to change. A line is done when its
answer has come and all events that it led to have been reported. Only then a pipe's next line is
read, so that a transcript of a script reads like a conversation; a person can go on typing, even
while the connection is lost.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import assert_never

from msgspec.structs import replace

from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.printer import Printer
from boxroom_client.linemode.turn_announcer import SlowTurn, TurnAnnouncer, slow_turn
from boxroom_client.link.updates import (
    ConnectionLost,
    EnteredRoom,
    EventApplied,
    HintReceived,
    NoticeReceived,
    SessionEnded,
    Update,
)
from boxroom_client.shell.frontend import Interrupted, Link
from boxroom_client.shell.input import intents
from boxroom_client.shell.input.commands import parse
from boxroom_client.shell.input.execute import Executor
from boxroom_client.shell.input.questions import Confirmation
from boxroom_client.shell.output.painting import side_of
from boxroom_client.shell.output.powers import power_lines
from boxroom_client.shell.output.report import ReportLine, RoomReporter, ShowBoard, exit_for
from boxroom_client.shell.premoves import Premove
from boxroom_client.shell.turns import prompt, waits_for_me
from boxroom_common.exits import Exit
from boxroom_common.phrases import say
from boxroom_engine.review.reviewed_game import ReviewedGame
from boxroom_engine.room import events as ev
from boxroom_engine.room.powers import Power
from boxroom_engine.room.room import Room


class LineMode:
    """Plays in the room of `connection`: reads `lines`, and prints with `printer`.

    Events up to `skip_until_seq`, which set the room up, aren't reported. With `until_end` it
    ends when the game does; with `watching`, the end of a pipe doesn't end it. If `brief`, boards
    are printed for `/board` and `/review` only, and each turn is announced in words.
    """

    def __init__(
        self,
        connection: Link,
        lines: Lines,
        printer: Printer,
        *,
        brief: bool = False,
        watching: bool = False,
        until_end: bool = False,
        skip_until_seq: int = 0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        assert connection.room is not None
        assert connection.me is not None
        self._connection = connection
        self._lines = lines
        self._printer = printer
        self._brief = brief
        self._watching = watching
        self._until_end = until_end
        self._sleep = sleep
        # Holds the room as far as it has been reported.
        self._reporter = RoomReporter(
            connection.room,
            connection.me,
            has_panes=False,
            skip_until_seq=skip_until_seq,
            guests_address=connection.guests_address,
            guests_page=connection.guests_page,
            ignored=connection.ignored,
        )
        self._room_changed = asyncio.Condition()  # notified after each update
        self._awaits_hint = False  # whether a hint that we asked for is still to come
        self._turns = TurnAnnouncer(in_words=brief)
        # Typed lines that aren't executed yet, with their intents.
        self._typed: asyncio.Queue[tuple[str, intents.Intent]] = asyncio.Queue()
        self._executor = Executor(connection, self)
        # Asks a person before intents that can't be undone; a script isn't asked.
        self._confirmation = Confirmation(self.say, watching=watching)

    async def run(self) -> Exit:
        """Play until the input or the room ends, then leave; return the exit code.

        A signal, such as that of a window that is closed, doesn't leave: the server keeps the seat
        for a while, as after a lost connection.
        """
        exit_code = await self._run()
        await self._connection.leave()
        return exit_code

    async def _run(self) -> Exit:
        with self._lines.opened():
            tasks = [
                asyncio.create_task(self._follow(), name="follow the room"),
                asyncio.create_task(self._read(), name="read lines"),
                asyncio.create_task(self._work(), name="do what was typed"),
                asyncio.create_task(self._tell_slow_turns(), name="tell of slow turns"),
            ]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                return next(task.result() for task in tasks if task.done())
            except Interrupted:
                return Exit.INTERRUPTED
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    # Updates of the room

    async def _follow(self) -> Exit:
        async for update in self._connection.updates():
            exit_code = self._report(update)
            async with self._room_changed:
                self._room_changed.notify_all()
            if exit_code is not None:
                return exit_code
        return Exit.DONE

    async def _tell_slow_turns(self) -> Exit:
        """Tell a person at a terminal once in each turn of another one that it takes long."""
        if not self._lines.is_terminal:
            await asyncio.Future()
        while True:
            turn = slow_turn(self.room, self.me)
            waking = asyncio.ensure_future(self._sleep_through(turn))
            try:
                await self.wait_until(partial(self._has_ended, turn))
            finally:
                waking.cancel()

    def _has_ended(self, turn: SlowTurn | None) -> bool:
        return slow_turn(self.room, self.me) != turn

    async def _sleep_through(self, turn: SlowTurn | None) -> None:
        """Tell of `turn` when it has taken long; it is cancelled when the turn ends."""
        if turn is not None:
            await self._sleep(turn.after_s)
            self.say(turn.told(self.room, self.me))

    def _report(self, update: Update) -> Exit | None:
        """Print the report on `update`; return the exit code if that was the end."""
        self._show_update(update)
        if self._lines.is_terminal:
            self._confirmation.follow(self.room, self.me)
        match update:
            case HintReceived() | NoticeReceived() | ConnectionLost() | EnteredRoom():
                self._awaits_hint = False  # it has come, or won't, or may be lost
            case EventApplied(event=ev.HintAsked(seat=seat)):
                self._awaits_hint = update.after.seats[seat].member == self.me
            case EventApplied(event=ev.Ended()) if self._until_end:
                return Exit.DONE
            case SessionEnded():
                return exit_for(update)
            case _:
                pass
        return None

    def _show_update(self, update: Update) -> None:
        for report in self._reporter.report(update):
            match report:
                case ReportLine():
                    self.say(report.text)
                case ShowBoard():
                    if not self._brief:
                        self._print_board(self.room)
                    self._announce_turn(update.at_ms if isinstance(update, EventApplied) else None)
                case _:
                    assert_never(report)

    # Typed lines

    async def _read(self) -> Exit:
        while True:
            line = await self._lines.next(self._prompt, lambda: self._confirmation.is_secret)
            if line is None:
                break
            intent = self._intent_of(line)
            if intent is None:
                continue
            if not self._lines.is_terminal:
                if isinstance(intent, intents.PlayMove | intents.RequestHint):
                    await self.wait_until(lambda: waits_for_me(self.room, self.me))
                self._echo(line)
            if isinstance(intent, intents.Quit):
                return Exit.DONE
            self._typed.put_nowait((line, intent))
            if not self._lines.is_terminal:
                await self._typed.join()
                await self.wait_until(lambda: not self._awaits_hint)
        if not self._lines.is_terminal:
            await self._wait_for_the_rest()
        return Exit.DONE

    def _intent_of(self, line: str) -> intents.Intent | None:
        """Return the intent to execute now that `line` was typed; None if there is none."""
        if self._lines.is_terminal:
            return self._confirmation.read(line, self._executor.context)
        return parse(line, self._executor.context)

    async def _wait_for_the_rest(self) -> None:
        """After the last piped line, wait for the bots' moves; forever if we only watch."""
        if self._watching:
            await asyncio.Future()
        await self.wait_until(lambda: self.room.bot_to_move() is None)

    async def _work(self) -> Exit:
        """Execute typed lines in order, forever."""
        while True:
            await self._execute(*await self._typed.get())
            self._typed.task_done()

    def _echo(self, line: str) -> None:
        """Print a line of a script, which no terminal shows."""
        self._printer.verbatim(f"> {line}")

    async def _execute(self, line: str, intent: intents.Intent) -> None:
        """Execute the `intent` of a typed `line`."""
        await self._executor.execute(intent)

    def _prompt(self) -> str:
        question = self._confirmation.question
        text = prompt(self.room, self.me) if question is None else question.prompt
        return self._printer.canvas.text(text)

    # The `RoomView` of the executor

    @property
    def room(self) -> Room:
        """The room as far as it has been reported."""
        return self._reporter.room

    @property
    def me(self) -> str:
        """Our name in it."""
        return self._reporter.me

    @property
    def ascii_only(self) -> bool:
        """Whether only ASCII is printed."""
        return self._printer.canvas.ascii_only

    def say(self, *lines: str) -> None:
        """Print `lines`."""
        self._printer.say(lines)

    def show_error(self, sentence: str) -> None:
        """Print `sentence`, like any other line."""
        self.say(sentence)

    def show_verbatim(self, text: str) -> None:
        """Print `text` unchanged."""
        self._printer.verbatim(text)

    def show_link(self, link: str) -> None:
        """Print `link` and its QR code."""
        self._printer.link(link)

    def show_powers(self, powers: Sequence[Power]) -> None:
        """Print what the host can do now, and why not the rest."""
        self.say(*power_lines(powers))

    def show_board(self) -> None:
        """Print the board, and whose turn it is."""
        self._print_board(self.room)
        self._announce_turn()

    def _print_board(self, room: Room) -> None:
        self._printer.board(room, side_of(room, self.me))

    def _announce_turn(self, now_ms: int | None = None) -> None:
        self.say(*self._turns.announce(self.room, self.me, now_ms))

    @property
    def reviewed(self) -> None:
        """No game is stepped through here."""

    def show_review(self, reviewed: ReviewedGame) -> None:
        """Print the position before a judged move; the sentence below names the better ones."""
        if reviewed.marked:
            self._print_board(replace(self.room, state=reviewed.position))

    def keep_premove(self, premove: Premove) -> bool:
        """Return False: a move that comes too early is refused by the room."""
        return False

    def clear(self) -> None:
        """Clear the terminal; a pipe has nothing to clear."""
        self._lines.clear()

    def change_display(self, change: intents.DisplayChange) -> None:
        """Print boards in another way from now on, beginning with this one."""
        match change:
            case intents.ShowNumbers() | intents.Resize():
                self._printer.adjust(change)
                self._print_board(self.room)
            case intents.Toggle() | intents.UseTheme():
                self.say(say("terminal.line.full_screen"))
            case _:
                assert_never(change)

    async def wait_until(self, is_shown: Callable[[], bool]) -> None:
        """Wait until `is_shown`, which is asked after each update that has been reported."""
        async with self._room_changed:
            await self._room_changed.wait_for(is_shown)

    def ask_password(self, room: str, reason: str) -> bool:
        """Ask a person for the password; a script isn't asked."""
        if self._lines.is_terminal:
            self._confirmation.ask_password(room)
            self.say(reason)
        return self._lines.is_terminal
