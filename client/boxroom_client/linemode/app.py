"""The loop of line mode: what happens is told, what is typed is done, until one of them ends.

Three tasks run: one follows what happens in the room, one reads lines, one does what they
mean. They meet in `_room`, the room as far as it has been told; `_moved_on` wakes who waits
for it to change. A line is done with when its answer has come and everything that it led to
has been told. A pipe's next line is read only then, so a script reads like a conversation; a
person can go on typing, though the connection is lost.
"""

import asyncio
from collections.abc import Callable
from typing import assert_never

from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.page import Page
from boxroom_client.link.updates import (
    BotThinking,
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    HintReceived,
    NoticeReceived,
    ServerResponding,
    ServerSilent,
    SessionEnded,
    Update,
)
from boxroom_client.shell.endings import exit_for, last_words
from boxroom_client.shell.front import Interrupted
from boxroom_client.shell.input import intents as it
from boxroom_client.shell.input.commands import parse
from boxroom_client.shell.input.execute import Doing
from boxroom_client.shell.link import Link
from boxroom_client.shell.output import describe
from boxroom_client.shell.output.hints import advice
from boxroom_client.shell.output.narrate import narrate
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.turns import Turns, waits_for_me
from boxroom_common.exits import Exit
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room

_HELP = "/help lists the commands, /quit leaves."


class LineMode:
    """Plays in the room of `connection` with what `lines` give, printing on `page`.

    `told` is a seq up to which events are old news: those that set the room up. With
    `until_end` it is over when the game is; with `watching`, the end of a pipe doesn't end it.
    """

    def __init__(
        self,
        connection: Link,
        lines: Lines,
        page: Page,
        *,
        watching: bool = False,
        until_end: bool = False,
        told: int = 0,
    ) -> None:
        assert connection.room is not None
        assert connection.me is not None
        self._connection = connection
        self._lines = lines
        self._page = page
        self._watching = watching
        self._until_end = until_end
        self._told = told
        self._room: Room = connection.room
        self._me: str = connection.me
        self._moved_on = asyncio.Condition()
        self._is_introduced = False
        self._is_lost = False
        self._awaits_hint = False
        self._explained = ""
        self._turns = Turns()
        self._typed: asyncio.Queue[it.Intent] = asyncio.Queue()
        self._doing = Doing(connection, self)

    async def run(self) -> Exit:
        """Play until the input or the room ends, then leave; how it ended."""
        with self._lines.opened():
            tasks = [
                asyncio.create_task(self._follow(), name="follow the room"),
                asyncio.create_task(self._read(), name="read lines"),
                asyncio.create_task(self._work(), name="do what was typed"),
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
                await self._connection.leave()

    # What happens

    async def _follow(self) -> Exit:
        async for happening in self._connection.updates():
            ending = self._tell(happening)
            async with self._moved_on:
                self._moved_on.notify_all()
            if ending is not None:
                return ending
        return Exit.DONE

    async def _until(self, is_so: Callable[[], bool]) -> None:
        async with self._moved_on:
            await self._moved_on.wait_for(is_so)

    def _tell(self, happening: Update) -> Exit | None:
        """Say what happened; how it ended, if that was the end."""
        if isinstance(happening, HintReceived | NoticeReceived | ConnectionLost | EnteredRoom):
            self._awaits_hint = False  # it is there, or there is none, or it may be lost
        match happening:
            case EnteredRoom():
                self._room = happening.room
                self._arrive(happening.back)
            case EventApplied():
                return self._happened(happening)
            case ConnectionLost():
                self._lost(happening)
            case ConnectionRestored():
                self._is_lost = False
                self.say("Connected again.")
            case ServerSilent():
                self.say("The server doesn't answer. What you type is kept until it does.")
            case ServerResponding():
                self.say("The server answers again.")
            case NoticeReceived():
                self.say(sentence(happening.message))
            case HintReceived():
                self.say(advice(happening, self._room))
            case BotThinking():
                pass  # the prompt says so
            case SessionEnded():
                self.say(*last_words(happening))
                return exit_for(happening)
            case _:
                assert_never(happening)
        return None

    def _lost(self, lost: ConnectionLost) -> None:
        if not self._is_lost:
            self._is_lost = True
            self.say(f"The connection is lost: {sentence(lost.reason, capital=False)}")
            self.say("You can go on typing; it is sent when the connection is back.")
        elif lost.retry_s >= 1:
            self.say(f"Still no connection. The next try is in {lost.retry_s:.0f} s.")

    def _arrive(self, back: bool) -> None:
        self._is_lost = False
        if self._is_introduced:
            if back:
                self.say("Connected again. This is how things stand now:")
                self.say(*describe.standing(self._room, self._me))
                self._page.board(self._room)
                self._say_whose_turn()
        elif self._room.seq >= self._told:
            self._introduce()

    def _introduce(self) -> None:
        """The room, how to play, and the board, for somebody who has never seen any of it."""
        self._is_introduced = True
        room = self._room
        self.say(*describe.standing(room, self._me))
        if room.is_player(self._me):
            self._explain()
            self.say(f"Everything else that you type is chat; {_HELP}")
        else:
            self.say(f"What you type is chat; {_HELP}")
        self._page.board(room)
        self._say_whose_turn()

    def _explain(self) -> None:
        """The rules and how a move is typed, unless that was said: other boards, other moves."""
        game = self._doing.context.game
        how = f"{game.kind.rules} {game.how_to_move}"
        if how != self._explained:
            self._explained = how
            self.say("", game.kind.rules, "", game.how_to_move)

    def _happened(self, happened: EventApplied) -> Exit | None:
        self._room = happened.after
        if not self._is_introduced:
            self._arrive(back=False)
            return None
        event, before, after = happened.event, happened.before, happened.after
        if isinstance(event, ev.Ended):
            self._page.board(after)
        self.say(*narrate(event, before, after, self._me))
        if isinstance(event, ev.Ended):
            return Exit.DONE if self._until_end else None
        if isinstance(event, ev.HintAsked):
            self._awaits_hint = after.seats[event.seat].member == self._me
        if isinstance(event, ev.Started) and after.is_player(self._me):
            self._explain()
        if self._turns.is_worth_a_board(event, before, after, self._me):
            self._page.board(after)
            self._say_whose_turn()
        return None

    def _say_whose_turn(self) -> None:
        self.say(*self._turns.call(self._room, self._me))

    # What is typed

    async def _read(self) -> Exit:
        while True:
            line = await self._lines.next(self._prompt)
            if line is None:
                break
            intent = parse(line, self._doing.context)
            if not self._lines.is_terminal:
                if isinstance(intent, it.Move | it.Hint):
                    await self._until(lambda: waits_for_me(self._room, self._me))
                self._page.verbatim(f"> {line}")
            if isinstance(intent, it.Quit):
                return Exit.DONE
            self._typed.put_nowait(intent)
            if not self._lines.is_terminal:
                await self._typed.join()
                await self._until(lambda: not self._awaits_hint)
        if not self._lines.is_terminal:
            await self._see_it_out()
        return Exit.DONE

    async def _see_it_out(self) -> None:
        """After the last piped line: what it leads to without us, or, watching, everything."""
        if self._watching:
            await asyncio.Future()
        await self._until(lambda: self._room.bot_to_move() is None)

    async def _work(self) -> Exit:
        """Do what was typed, in order. A terminal stays open for more; a pipe waits."""
        while True:
            await self._doing.do(await self._typed.get())
            self._typed.task_done()

    def _prompt(self) -> str:
        return self._page.canvas.text(self._turns.prompt(self._room, self._me))

    # For `Doing`

    @property
    def room(self) -> Room:
        """The room as far as it has been told."""
        return self._room

    @property
    def me(self) -> str:
        """Our name in it."""
        return self._me

    @property
    def ascii_only(self) -> bool:
        """Whether only ASCII is printed."""
        return self._page.canvas.ascii_only

    def say(self, *lines: str) -> None:
        """Print them."""
        self._page.say(lines)

    def complain(self, sentence: str) -> None:
        """Print it, too."""
        self.say(sentence)

    def verbatim(self, text: str) -> None:
        """Print it as it is."""
        self._page.verbatim(text)

    def show_board(self) -> None:
        """Print the board, and whose turn it is."""
        self._page.board(self._room)
        self._say_whose_turn()

    def prefer(self, join_options: it.Preference) -> None:
        """Print boards otherwise from now on, and this one again."""
        match join_options:
            case it.ShowNumbers() | it.Resize():
                self._page.adjust(join_options)
                self._page.board(self._room)
            case it.Turn() | it.UseTheme():
                self.say("That is for the full screen, which boxroom opens without --plain.")
            case _:
                assert_never(join_options)

    async def until_told(self, seq: int) -> None:
        """Wait until event `seq` has been told."""
        await self._until(lambda: self._room.seq >= seq)
