"""The screen of a game: what happens is shown, what is typed, walked to or clicked is done.

Theory of operation. One task follows what happens in the room, one does what was asked for,
in order, and one redraws when only time has passed. All of them change the `Model`; `picture`
draws it, and prompt_toolkit reads the keys. Should a task fail, the screen is closed and the
failure raised, so that no half of it runs on alone.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import assert_never

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.styles import BaseStyle

from boxroom_client.screen import picture
from boxroom_client.screen.board.cursor import Direction
from boxroom_client.screen.completing import CommandCompleter
from boxroom_client.screen.keys.bindings import bindings
from boxroom_client.screen.keys.table import Action
from boxroom_client.screen.model import Look, Model, Question
from boxroom_client.screen.panes.journal import Kind
from boxroom_client.screen.supervised import run
from boxroom_client.screen.telling import Teller
from boxroom_client.screen.themes.theme import Theme, ThemeError, load_theme, themes
from boxroom_client.screen.window import GameWindow
from boxroom_client.shell.input import intents as it
from boxroom_client.shell.input.arguments import UNSENT
from boxroom_client.shell.input.commands import parse
from boxroom_client.shell.input.execute import Doing
from boxroom_client.shell.link import Link
from boxroom_client.shell.turns import Turns
from boxroom_common.exits import Exit
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.protocol import Move
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.text import clean

_SIZES = (None, Size.COMPACT, Size.NORMAL, Size.LARGE)


class GameScreen:
    """Plays in the room of `connection` on the whole terminal.

    `told` is a seq up to which events are old news: those that set the room up.
    """

    def __init__(
        self,
        connection: Link,
        look: Look,
        theme: Theme,
        *,
        told: int = 0,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        assert connection.room is not None
        assert connection.me is not None
        self._connection = connection
        self._model = Model(connection.room, connection.me, look)
        self._theme = theme
        self._now_s = now_s
        self._teller = Teller(self._model, now_s, self._ring, told)
        self._doing = Doing(connection, self)
        self._turns = Turns()
        self._wanted: asyncio.Queue[it.Intent] = asyncio.Queue()
        self._told = asyncio.Condition()
        self._stirred = asyncio.Event()
        self._wants_out = False
        self._window = GameWindow(
            self._draw,
            completer=CommandCompleter(lambda: self._doing.context, themes),
            accept=self._accept,
            edited=self._edited,
            clicked=self._click,
            wheeled=self._wheel,
        )
        self._app = self._window.opened(
            self._bindings(),
            self._style,
            prompt=self._prompt,
            how_to=self._how_to,
            mouse=lambda: look.switches[it.Switch.MOUSE],
        )

    async def run(self) -> Exit:
        """Play until the person or the room ends it, then leave; how it ended."""
        try:
            ending = await run(self._app, self._follow(), self._work(), self._keep_time())
        finally:
            await self._connection.leave()
        for line in self._teller.last_words:
            print(line)
        return Exit.DONE if ending is None else Exit(ending)

    # Tasks

    async def _follow(self) -> Exit | None:
        async for happening in self._connection.updates():
            ending = self._teller.tell(happening)
            async with self._told:
                self._told.notify_all()
            self._stirred.set()
            if ending is not None:
                return ending
        return Exit.DONE

    async def _work(self) -> None:
        while True:
            intent = await self._wanted.get()
            await self._doing.do(intent)
            self._stirred.set()

    async def _keep_time(self) -> None:
        """Redraw when something changes by time alone: a clock, a retry, what was fresh."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(picture.next_change_s(self._model, self._now_s())):
                    await self._stirred.wait()
            self._stirred.clear()
            self._app.invalidate()

    # The picture

    def _draw(self, columns: int, lines: int) -> picture.Picture:
        return picture.draw(self._model, columns, lines, self._now_s())

    def _ring(self) -> None:
        if self._model.look.switches[it.Switch.BELL]:
            self._app.output.bell()

    def _style(self) -> BaseStyle:
        return self._theme.style()

    def _prompt(self) -> str:
        return self._turns.prompt(self._model.room, self._model.me)

    def _how_to(self) -> str:
        return picture.how_to(self._model, on_board=self._window.on_board())

    def _bindings(self) -> KeyBindings:
        return bindings(
            self._actions(),
            has_text=self._window.has_text,
            on_board=self._window.on_board,
            is_asked=Condition(lambda: self._model.question is not None),
            is_helped=Condition(lambda: self._model.help_from is not None),
            answer=self._answered,
            insert=self._window.insert,
        )

    def _actions(self) -> dict[Action, Callable[[], None]]:
        pane = self._model.pane
        return {
            Action.LEFT: lambda: pane.step(Direction.LEFT),
            Action.RIGHT: lambda: pane.step(Direction.RIGHT),
            Action.UP: lambda: pane.step(Direction.UP),
            Action.DOWN: lambda: pane.step(Direction.DOWN),
            Action.NEXT: lambda: pane.cycle(1),
            Action.PREVIOUS: lambda: pane.cycle(-1),
            Action.PLAY: self._play_at_cursor,
            Action.FOCUS: self._change_focus,
            Action.COMPLETE: self._window.line.complete_next,
            Action.HELP: self._toggle_help,
            Action.NUMBERS: lambda: self.prefer(it.ShowNumbers(None)),
            Action.SIZE: self._next_size,
            Action.AGAIN: self._again,
            Action.LEAVE: lambda: self._want(it.Quit()),
            Action.OLDER: lambda: self._turn_page(1),
            Action.NEWER: lambda: self._turn_page(-1),
            Action.NEWEST: self._model.journal.to_end,
            Action.INTERRUPT: self._interrupt,
        }

    # What keys and clicks do

    def _edited(self, text: str) -> None:
        """Who types doesn't want to leave, whatever Ctrl-C was for."""
        if text:
            self._wants_out = False

    def _accept(self, text: str) -> None:
        """Enter: do what the line means."""
        intent = parse(text, self._doing.context)
        if isinstance(intent, it.Help | it.Show | it.Mistake):
            self._model.journal.add(Kind.ANSWER, f"> {clean(text)}")
        self._want(intent)

    def _want(self, intent: it.Intent) -> None:
        """Do it, or ask first if it can't be taken back."""
        text = self._question_before(intent)
        if text is not None:
            self._model.question = Question(text, intent)
        else:
            self._begin(intent)

    def _question_before(self, intent: it.Intent) -> str | None:
        room, me = self._model.room, self._model.me
        match intent:
            case it.Quit() if room.phase is Phase.PLAYING and room.is_player(me):
                return "Leave the game that is on?"
            case it.Quit():
                return "Leave the room?"
            case it.Ask(command=cmd.Resign()):
                return "Give the game up?"
            case it.Move() if self._model.look.switches[it.Switch.CONFIRM]:
                return f"Play {intent.text}?"
            case _:
                return None

    def _answered(self, yes: bool) -> None:
        question, self._model.question = self._model.question, None
        if question is not None and yes:
            self._begin(question.intent)

    def _begin(self, intent: it.Intent) -> None:
        if isinstance(intent, it.Quit):
            self._app.exit(result=Exit.DONE)
        else:
            self._wanted.put_nowait(intent)

    def _play_at_cursor(self) -> None:
        move = self._model.pane.move
        if move is not None:
            self._play(move)
        elif self._model.room.running is not None:
            self._model.pane.cycle(1)  # what it was on is taken: here is another place

    def _play(self, move: Move) -> None:
        self._want(parse(self._doing.context.game.format_move(move), self._doing.context))

    def _click(self, x: int, y: int) -> None:
        if self._model.question is not None:
            return
        move = picture.move_under(self._model, self._window.seen, x, y)
        if move is not None:
            self._model.pane.put_cursor(move)
            self._play(move)
        self._window.to_line()

    def _wheel(self, x: int, y: int, by: int) -> None:
        seen = self._window.seen
        if self._model.help_from is not None:
            self._model.help_from += 3 * by
        elif picture.is_in(seen.log, x, y):
            self._model.journal.scroll(-3 * by)
        elif picture.is_in(seen.board, x, y):
            self._model.pane.scroll(0, 2 * by)

    def _change_focus(self) -> None:
        if self._model.help_from is not None:
            self._model.help_from = None
        elif self._window.line.complete_state is not None:
            self._window.line.cancel_completion()
        elif self._window.on_board():
            self._window.to_line()
        elif self._model.room.state is not None:
            self._window.to_board()

    def _toggle_help(self) -> None:
        self._model.help_from = 0 if self._model.help_from is None else None

    def _turn_page(self, back: int) -> None:
        lines = max(1, self._window.seen.log.lines - 1)
        if self._model.help_from is not None:
            self._model.help_from -= back * lines
        else:
            self._model.journal.scroll(back * lines)

    def _next_size(self) -> None:
        size = _SIZES[(_SIZES.index(self._model.look.size) + 1) % len(_SIZES)]
        self.prefer(it.Resize(size))

    def _again(self) -> None:
        over = self._model.room.phase is Phase.OVER
        self._want(it.Ask(cmd.Rematch(UNSENT) if over else cmd.Start(UNSENT)))

    def _interrupt(self) -> None:
        """Ctrl-C: clear the line; once more, and go."""
        if self._wants_out and not self._window.line.text:
            self._app.exit(result=Exit.INTERRUPTED)
            return
        self._window.line.reset()
        self._wants_out = True
        self.say("Ctrl-C again leaves.")

    # For `Doing`

    @property
    def room(self) -> Room:
        """The room as far as it is shown."""
        return self._model.room

    @property
    def me(self) -> str:
        """Our name in it."""
        return self._model.me

    @property
    def ascii_only(self) -> bool:
        """Whether only ASCII is shown."""
        return self._model.look.ascii_only

    def say(self, *lines: str) -> None:
        """Put them into the log."""
        for line in lines:
            self._model.journal.add(Kind.ANSWER, line, verbatim=True)
        self._stirred.set()

    def complain(self, sentence: str) -> None:
        """Put it into the log as a mistake."""
        self._model.journal.add(Kind.MISTAKE, sentence)
        self._stirred.set()

    def verbatim(self, text: str) -> None:
        """Put it into the log as it is."""
        self.say(text)

    def show_board(self) -> None:
        """It is seen all the time."""

    def prefer(self, preference: it.Preference) -> None:
        """Show things otherwise from now on."""
        look = self._model.look
        match preference:
            case it.ShowNumbers():
                look.names = not look.names if preference.on is None else preference.on
            case it.Resize():
                look.size = preference.size
                size = preference.size.value if preference.size is not None else "what fits"
                self.say(f"Size: {size}.")
            case it.Turn():
                on = (
                    not look.switches[preference.switch] if preference.on is None else preference.on
                )
                look.switches[preference.switch] = on
                self._model.journal.shows_coming = look.switches[it.Switch.JOINS]
                self.say(f"{preference.switch.value.capitalize()}: {'on' if on else 'off'}.")
            case it.UseTheme():
                self._use_theme(preference.name)
            case _:
                assert_never(preference)

    def _use_theme(self, name: str | None) -> None:
        if name is None:
            self.say(f"Themes: {', '.join(themes())}. /theme NAME changes to one, or to a file.")
            return
        try:
            self._theme = load_theme(name)
        except ThemeError as error:
            self.complain(str(error))

    async def until_told(self, seq: int) -> None:
        """Wait until event `seq` is shown."""
        async with self._told:
            await self._told.wait_for(lambda: self._model.room.seq >= seq)
