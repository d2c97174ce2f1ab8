"""The controller of a game's screen: updates, keys, clicks and typed lines change its model.

Theory of operation. One task applies the updates of the room, one executes intents in order,
and one redraws when only time has passed. All of them change the `Model`; `picture` renders it,
and prompt_toolkit reads the keys. If a task fails, the screen is closed and the failure is
raised, so that no part of it goes on alone.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, assert_never

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import (
    ConditionalKeyBindings,
    KeyBindings,
    KeyBindingsBase,
    merge_key_bindings,
)
from prompt_toolkit.keys import Keys
from prompt_toolkit.styles import BaseStyle

from boxroom_client.link.updates import EventApplied
from boxroom_client.profile.config import NUMBERS, SIZE, THEME, Setting
from boxroom_client.profile.settings_file import SETTINGS_BY_NAME
from boxroom_client.profile.suggested_levels import suggested_levels
from boxroom_client.screen import picture
from boxroom_client.screen.attention import (
    CallForAttention,
    has_other_people,
    notification,
    window_title,
)
from boxroom_client.screen.board.cursor import Direction
from boxroom_client.screen.completer import CommandCompleter
from boxroom_client.screen.forms.form_screen import form_keys
from boxroom_client.screen.forms.form_state import FormState
from boxroom_client.screen.forms.next_game_form import next_game_form, next_game_from
from boxroom_client.screen.host_menu import HostMenu, host_menu, host_menu_keys
from boxroom_client.screen.keys.bindings import bindings
from boxroom_client.screen.keys.table import KeyAction, action_of, label_of
from boxroom_client.screen.lobby.menu import ChooserState
from boxroom_client.screen.model import FRESH_S, DisplayOptions, Model
from boxroom_client.screen.model_updates import ModelUpdater
from boxroom_client.screen.terminal import run_screen
from boxroom_client.screen.themes.theme import Theme, ThemeError, lasting_name, theme_on, themes
from boxroom_client.screen.window import GameWindow, Prompt
from boxroom_client.shell.frontend import Link
from boxroom_client.shell.input import intents
from boxroom_client.shell.input.arguments import UNSENT
from boxroom_client.shell.input.commands import parse
from boxroom_client.shell.input.execute import Executor
from boxroom_client.shell.input.questions import Confirmation, PasswordQuestion, choice
from boxroom_client.shell.next_game import planned_game
from boxroom_client.shell.output.powers import line_of
from boxroom_client.shell.output.report import ReportKind
from boxroom_client.shell.premoves import Premove
from boxroom_client.shell.turns import PROMPT_END, my_seat_to_move, prompt
from boxroom_common.exits import Exit
from boxroom_common.phrases import say
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.protocol import Move
from boxroom_engine.review.reviewed_game import ReviewedGame
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.powers import Power
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.text import clean

_SIZES = (None, Size.COMPACT, Size.NORMAL, Size.LARGE)


_REVIEW_STEPS: Mapping[KeyAction, Callable[[ReviewedGame], ReviewedGame]] = {
    KeyAction.REVIEW_BACK: lambda reviewed: reviewed.moved(-1),
    KeyAction.REVIEW_ON: lambda reviewed: reviewed.moved(1),
    KeyAction.REVIEW_FIRST: lambda reviewed: reviewed.moved(-reviewed.at),
    KeyAction.REVIEW_LAST: lambda reviewed: reviewed.moved(len(reviewed.shown)),
    KeyAction.REVIEW_NEXT: lambda reviewed: reviewed.to_costly(1),
    KeyAction.REVIEW_PREVIOUS: lambda reviewed: reviewed.to_costly(-1),
    KeyAction.REVIEW_BETTER: lambda reviewed: reviewed.following(is_better=True),
    KeyAction.REVIEW_PLAYED: lambda reviewed: reviewed.following(is_better=False),
}
"""The actions that step through a reviewed game."""


class GameScreen:
    """Plays in the room of `connection` on the whole terminal.

    Events up to `skip_until_seq`, which set the room up, aren't reported. A person who came to be
    `watching` isn't asked to play.
    """

    def __init__(
        self,
        connection: Link,
        options: DisplayOptions,
        theme: Theme,
        *,
        skip_until_seq: int = 0,
        watching: bool = False,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        assert connection.room is not None
        assert connection.me is not None
        self._connection = connection
        self._model = Model(connection.room, connection.me, options)
        self._theme = theme
        self._now_s = now_s
        # Applies updates to the model and decides when to call the person.
        self._model.guests_address = connection.guests_address
        self._model.guests_page = connection.guests_page
        self._updater = ModelUpdater(
            self._model, now_s, self._call, skip_until_seq, connection.ignored
        )
        self._executor = Executor(connection, self)
        # Asks before intents that can't be undone.
        self._confirmation = Confirmation(
            self.say, lambda: options.switches[intents.Switch.CONFIRM], watching=watching
        )
        self._draft = ""  # text that was in the line when a question was asked there
        # Intents that aren't executed yet; a review apart, for which the others needn't wait.
        self._intents: asyncio.Queue[intents.Intent] = asyncio.Queue()
        self._reviews: asyncio.Queue[intents.ReviewGame | intents.Judge] = asyncio.Queue()
        self._is_reviewing = False  # whether one is asked for
        self._is_menu_awaited = False  # that of the host, whose powers are asked for
        self._updated = asyncio.Condition()  # notified after each update
        self._changed = asyncio.Event()  # set when the model has changed: redraw
        self._was_interrupted = False  # whether another Ctrl-C leaves
        self._has_explained_bell = False  # whether it was said how to turn the bell off
        # Picture and input line as widgets of prompt_toolkit.
        self._window = GameWindow(
            self._draw,
            completer=CommandCompleter(lambda: self._executor.context, themes),
            edited=self._edited,
            clicked=self._click,
            wheeled=self._wheel,
            key_clicked=self._click_key,
            is_secret=lambda: self._confirmation.is_secret,
        )
        self._app = self._window.opened(
            self._bindings(),
            options.look(self._style),
            prompt=self._prompt,
            input_hint=self._input_hint,
            title=self._title,
        )

    async def run(self) -> Exit:
        """Play until the person or the room ends it, then leave; return the exit code.

        A window that is closed, or a signal, doesn't leave: the server keeps the seat for a while,
        as after a lost connection.
        """
        work = self._work(), self._review()
        exit_code = await run_screen(self._app, self._follow(), *work, self._keep_time())
        if exit_code is not None:
            await self._connection.leave()
        for line in self._updater.final_lines:
            print(line)
        return Exit.DONE if exit_code is None else Exit(exit_code)

    # Tasks

    async def _follow(self) -> Exit | None:
        async for update in self._connection.updates():
            exit_code = self._updater.apply(update)
            self._check_premove()
            if isinstance(update, EventApplied):
                self._refresh_host_menu()
            self._follow_questions()
            if self._model.room.phase is not Phase.OVER:
                self._model.review = None
            async with self._updated:
                self._updated.notify_all()
            self._changed.set()
            if exit_code is not None:
                return exit_code
        return Exit.DONE

    def _follow_questions(self) -> None:
        """Ask, or ask no longer, what follows from the room; not over what the person types."""
        model = self._model
        is_elsewhere = model.is_covered or model.form is not None or model.host_menu is not None
        is_busy = is_elsewhere or self._window.has_text()
        self._confirmation.follow(self._model.room, self._model.me, is_busy=is_busy)
        if self._confirmation.question is None and not self._window.has_text():
            self._put_draft_back()

    def _check_premove(self) -> None:
        """Play the premove if its turn has come; drop it if it can't be played any more."""
        model = self._model
        kept = model.premove
        if kept is None:
            return
        obstacle = kept.obstacle(model.room, model.me)
        if obstacle is not None:
            model.premove = None
            self.show_error(say("terminal.premove.dropped", move=kept.text, why=obstacle))
        elif kept.is_due(model.room, model.me):
            model.premove = None
            self._intents.put_nowait(intents.PlayMove(kept.text))

    async def _work(self) -> None:
        while True:
            intent = await self._intents.get()
            await self._executor.execute(intent)
            if isinstance(intent, intents.Show) and intent.what is intents.Viewable.POWERS:
                self._is_menu_awaited = False
            self._changed.set()

    async def _review(self) -> None:
        """Show reviews; who asks again before one has come gets no second one."""
        while True:
            await self._executor.execute(await self._reviews.get())
            self._is_reviewing = False
            self._changed.set()

    async def _keep_time(self) -> None:
        """Redraw when time alone changes the picture: a clock, a retry, a highlight."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(picture.next_change_s(self._model, self._now_s())):
                    await self._changed.wait()
            self._changed.clear()
            self._app.invalidate()

    # Drawing

    def _draw(self, columns: int, lines: int) -> picture.Picture:
        return picture.draw(self._model, columns, lines, self._now_s())

    def _call(self, call: CallForAttention) -> None:
        """Ring, and notify the desktop, as far as the person wants that."""
        options, output = self._model.options, self._app.output
        is_among_people = has_other_people(self._model.room, self.me) or not call.is_turn
        if options.switches[intents.Switch.BELL] and (is_among_people or options.rings_alone):
            output.bell()
            if not (options.rings_alone or self._has_explained_bell):
                self._has_explained_bell = True
                self.say(say("terminal.display.bell"))
        if is_among_people:
            text = options.symbols.text(call.text)
            output.write_raw(notification(options.notify, text))
            output.flush()

    def _title(self) -> str:
        return window_title(self._model.room, self.me, ascii_only=self.ascii_only)

    def _style(self) -> BaseStyle:
        return self._theme.style()

    def _prompt(self) -> Prompt:
        question = self._confirmation.question
        if isinstance(question, PasswordQuestion):
            return Prompt("class:question", question.text, PROMPT_END)
        if question is not None:
            return Prompt("class:question", question.text, choice())
        text = prompt(self._model.room, self._model.me)
        return Prompt("class:prompt", text.removesuffix(PROMPT_END), PROMPT_END)

    def _input_hint(self) -> str:
        if self._confirmation.question is not None:
            return ""
        return picture.input_hint(self._model, on_board=self._window.on_board())

    def _bindings(self) -> KeyBindingsBase:
        is_form = Condition(lambda: self._model.form is not None)
        is_menu = Condition(lambda: self._model.host_menu is not None) & ~is_form
        menu = host_menu_keys(self._host_menu, self._set_host_menu, self._use_power)
        menu.add("f6")(lambda event: self._set_up_next_game())
        menu.add(Keys.SIGINT)(lambda event: event.app.exit(result=Exit.INTERRUPTED))
        form = form_keys(self._form, self._set_form, self._leave_form)
        form.add("c-c")(lambda event: self._leave_form(None))
        form.add(Keys.SIGINT)(lambda event: event.app.exit(result=Exit.INTERRUPTED))
        return merge_key_bindings(
            [
                ConditionalKeyBindings(self._game_bindings(), ~is_form & ~is_menu),
                ConditionalKeyBindings(menu, is_menu),
                ConditionalKeyBindings(form, is_form),
            ]
        )

    def _game_bindings(self) -> KeyBindings:
        return bindings(
            self._actions(),
            has_text=self._window.has_text,
            is_choosing=Condition(self._is_choosing),
            on_board=self._window.on_board,
            is_covered=Condition(lambda: self._model.is_covered),
            is_reviewing=Condition(lambda: self._model.review is not None),
            submit=self._submit,
            insert=self._window.insert,
        )

    def _actions(self) -> dict[KeyAction, Callable[[], None]]:
        pane = self._model.pane
        return {
            KeyAction.LEFT: lambda: pane.step(Direction.LEFT),
            KeyAction.RIGHT: lambda: pane.step(Direction.RIGHT),
            KeyAction.UP: lambda: pane.step(Direction.UP),
            KeyAction.DOWN: lambda: pane.step(Direction.DOWN),
            KeyAction.NEXT: lambda: pane.cycle(1),
            KeyAction.PREVIOUS: lambda: pane.cycle(-1),
            KeyAction.PLAY: self._play_at_cursor,
            KeyAction.FOCUS: self._change_focus,
            KeyAction.COMPLETE: self._window.complete,
            KeyAction.RECALL: self._window.line.history_backward,
            KeyAction.RECALL_NEWER: self._window.line.history_forward,
            KeyAction.HELP: self._toggle_help,
            KeyAction.NUMBERS: lambda: self.change_display(intents.ShowNumbers(None)),
            KeyAction.SIZE: self._next_size,
            KeyAction.AGAIN: self._again,
            KeyAction.HOST: self._open_host_menu,
            KeyAction.REVIEW: self._toggle_review,
            KeyAction.JUDGE: partial(self._give, intents.Judge()),
            KeyAction.QR_CODE: self._toggle_qr_code,
            KeyAction.TABLE: lambda: self._give(intents.Show(intents.Viewable.TABLE)),
            KeyAction.LEAVE: lambda: self._give(intents.Quit()),
            KeyAction.LAST_MOVE: self._go_to_last_move,
            KeyAction.SCROLL_LEFT: lambda: pane.scroll_pages(-1, 0),
            KeyAction.SCROLL_RIGHT: lambda: pane.scroll_pages(1, 0),
            KeyAction.SCROLL_UP: lambda: pane.scroll_pages(0, -1),
            KeyAction.SCROLL_DOWN: lambda: pane.scroll_pages(0, 1),
            KeyAction.OLDER: lambda: self._turn_page(1),
            KeyAction.NEWER: lambda: self._turn_page(-1),
            KeyAction.NEWEST: self._model.journal.to_end,
            KeyAction.INTERRUPT: self._interrupt,
            **{action: partial(self._in_review, step) for action, step in _REVIEW_STEPS.items()},
        }

    # Keys and clicks

    def _edited(self, text: str) -> None:
        """Forget an earlier Ctrl-C: a person who types doesn't want to leave."""
        if text:
            self._was_interrupted = False

    def _submit(self) -> None:
        """Enter: execute the line, or take it for the answer to the question."""
        line = self._window.line
        text = line.text
        if not self._confirmation.is_answer(text):
            line.append_to_history()
        line.reset()
        intent = self._confirmation.read(text, self._executor.context)
        if isinstance(intent, intents.Help | intents.Show | intents.Mistake):
            self._model.journal.add(ReportKind.ANSWER, f"> {clean(text)}")
        self._start(intent)

    def _give(self, intent: intents.Intent) -> None:
        """Start an intent of a key or a click, or ask first if it can't be undone."""
        self._model.qr_link = None  # which would cover the question
        self._start(self._confirmation.check(intent, self._executor.context))

    def _start(self, intent: intents.Intent | None) -> None:
        """Start an intent that needs no answer (any more), and make place for a new question."""
        if isinstance(intent, intents.Quit):
            self._app.exit(result=Exit.DONE)
        elif isinstance(intent, intents.ReviewGame | intents.Judge):
            if self._is_reviewing:
                self.say(say("terminal.review_pending"))
            else:
                self._is_reviewing = True
                self._reviews.put_nowait(intent)
        elif intent is not None:
            self._intents.put_nowait(intent)
        if self._confirmation.question is None:
            self._put_draft_back()
        else:
            self._put_draft_aside()
            self._window.to_line()

    def _put_draft_aside(self) -> None:
        """Empty the line for the answer to a question."""
        line = self._window.line
        self._draft = line.text or self._draft
        line.reset()

    def _put_draft_back(self) -> None:
        """Put the text back that had to make place for a question."""
        if self._draft and not self._window.line.text:
            self._window.line.insert_text(self._draft)
        self._draft = ""

    def _is_choosing(self) -> bool:
        """Whether up and down choose a move while the line is empty."""
        room, me = self._model.room, self._model.me
        return my_seat_to_move(room, me) is not None or (
            room.running is not None and room.is_player(me) and self._model.pane.has_cursor
        )

    def _play_at_cursor(self) -> None:
        """Enter in an empty line, or on the board: play, or a no to a question."""
        if self._confirmation.question is not None:
            self._submit()
            return
        move = self._model.pane.move
        if move is not None:
            self._play(move)
        elif self._model.room.running is not None:
            self._model.pane.cycle(1)  # its move was played meanwhile: go to another

    def _play(self, move: Move) -> None:
        self._give(parse(self._executor.context.game.format_move(move), self._executor.context))

    def _click_key(self, label: str) -> None:
        """Do what the key with that label does."""
        action = action_of(label)
        if action is not None:
            self._actions()[action]()

    def _click(self, x: int, y: int) -> None:
        if self._model.qr_link is not None:
            self._model.qr_link = None
            return
        if self._model.help_from is not None:
            if y == len(self._window.shown.rows) - 1:  # the line that tells how to close it
                self._toggle_help()
            return
        move = picture.move_under(self._model, self._window.shown, x, y)
        if move is not None:
            self._model.pane.put_cursor(move)
            self._play(move)
        self._window.to_line()

    def _wheel(self, x: int, y: int, by: int) -> None:
        seen = self._window.shown
        if self._model.help_from is not None:
            self._model.help_from += 3 * by
        elif picture.is_in(seen.log, x, y):
            self._model.journal.scroll(-3 * by)
        elif picture.is_in(seen.board, x, y):
            self._model.pane.scroll(0, 2 * by)

    def _change_focus(self) -> None:
        if self._model.is_covered:
            self._model.help_from = self._model.qr_link = None
        elif self._window.line.complete_state is not None:
            self._window.line.cancel_completion()
        elif self._confirmation.question is not None:
            self._drop_question()
        elif self._model.review is not None:
            is_in_line = self._model.review.line is not None
            self._model.review = self._model.review.left() if is_in_line else None
        elif self._model.premove is not None:
            self._model.premove = None
        elif self._window.on_board():
            self._window.to_line()
        elif self._model.room.state is not None:
            self._window.to_board()

    def _drop_question(self) -> None:
        """Take a no for the answer, and put back what was being typed before."""
        self._confirmation.drop()
        self._window.line.reset()
        self._put_draft_back()

    def _toggle_qr_code(self) -> None:
        if self._model.qr_link is not None:
            self._model.qr_link = None
        else:
            self._give(intents.Show(intents.Viewable.QR_CODE))

    def _toggle_review(self) -> None:
        if self._model.review is not None:
            self._model.review = None
        else:
            self._give(intents.ReviewGame())

    def _toggle_help(self) -> None:
        self._model.qr_link = None
        self._model.help_from = 0 if self._model.help_from is None else None

    def _go_to_last_move(self) -> None:
        """Show the last move, highlight it again, and put the cursor near it."""
        model = self._model
        if model.last_move is None:
            self.show_error(say("terminal.display.no_move_yet"))
            return
        model.pane.cursor_near(*model.last_move)
        model.fresh_until_s = self._now_s() + FRESH_S
        self._changed.set()

    def _turn_page(self, back: int) -> None:
        if self._model.help_from is not None:
            self._model.help_from -= back * max(1, self._window.shown.log.lines - 1)
        else:
            self._model.journal.turn_page(back)

    def _next_size(self) -> None:
        size = _SIZES[(_SIZES.index(self._model.options.size) + 1) % len(_SIZES)]
        self.change_display(intents.Resize(size))

    def _again(self) -> None:
        room = self._model.room
        starts = room.phase is Phase.WAITING and room.host == self._model.me
        self._give(intents.SendCommand(cmd.Start(UNSENT) if starts else cmd.Rematch(UNSENT)))

    # The menu of the host, and the form of the next game

    def _open_host_menu(self) -> None:
        """F6 in the room: ask for the menu; a second press that comes before it is one in it."""
        if self._is_menu_awaited:
            self._set_up_next_game()
            return
        self._is_menu_awaited = self._model.room.host == self._model.me
        self._give(intents.Show(intents.Viewable.POWERS))

    def show_powers(self, powers: Sequence[Power]) -> None:
        """Show the menu of what the host can do, or what is possible by now in it."""
        model = self._model
        if model.form is not None:  # which was opened before the menu came
            return
        menu = host_menu(powers, label_of(KeyAction.HOST))
        shown = model.host_menu or ChooserState(menu, symbols=model.options.symbols)
        self._set_host_menu(shown.showing(menu))

    def _host_menu(self) -> HostMenu:
        assert self._model.host_menu is not None
        return self._model.host_menu

    def _set_host_menu(self, menu: HostMenu | None) -> None:
        self._model.host_menu = menu
        self._changed.set()

    def _use_power(self, power: Power) -> None:
        """Use a power, or put the beginning of its line where it is typed."""
        self._set_host_menu(None)
        line = line_of(power)
        if power.is_open:
            self._window.to_line()
            self._window.line.reset()
            self._window.line.insert_text(line)
        else:
            self._give(parse(line, self._executor.context))

    def _refresh_host_menu(self) -> None:
        """Ask anew what is possible after the room has changed."""
        if self._model.host_menu is None:
            return
        if self._model.room.host == self._model.me:
            self._start(intents.Show(intents.Viewable.POWERS))
        else:
            self._model.host_menu = None

    def _set_up_next_game(self) -> None:
        """F6 in the host's menu: open the form of the next game."""
        self._model.host_menu = None
        model, context = self._model, self._executor.context
        if picture.can_set_up_next_game(model.room, model.me):
            form = next_game_form(model.room, context.bots, self._suggested_level())
            model.form = replace(form, symbols=model.options.symbols)
        elif model.room.phase is Phase.PLAYING:
            self.show_error(say("terminal.next_game.game_is_on"))
        else:
            self.show_error(say("terminal.next_game.empty_seat"))

    def _suggested_level(self) -> str:
        return suggested_levels()[self._model.room.settings.game]

    def _form(self) -> FormState:
        assert self._model.form is not None
        return self._model.form

    def _set_form(self, form: FormState) -> None:
        self._model.form = form
        self._changed.set()

    def _leave_form(self, form: FormState | None) -> None:
        self._model.form = None
        if form is not None:
            room, bots = self._model.room, self._executor.context.bots
            game = next_game_from(form.values, room, bots, self._suggested_level())
            self._start(intents.StartNextGame(planned_game(room), game))
        self._changed.set()

    def _interrupt(self) -> None:
        """Ctrl-C: clear the line; a second one leaves."""
        if self._was_interrupted and not self._window.line.text:
            self._app.exit(result=Exit.INTERRUPTED)
            return
        self._confirmation.drop()
        self._draft = ""
        self._window.line.reset()
        self._was_interrupted = True
        self.say(say("terminal.display.interrupt"))

    # The `RoomView` of the executor

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
        return self._model.options.symbols.ascii_only

    def say(self, *lines: str) -> None:
        """Add `lines` to the log."""
        for line in lines:
            self._model.journal.add(ReportKind.ANSWER, line, verbatim=True)
        self._changed.set()

    def show_error(self, sentence: str) -> None:
        """Add `sentence` to the log as a mistake."""
        self._model.journal.add(ReportKind.MISTAKE, sentence)
        self._changed.set()

    def show_verbatim(self, text: str) -> None:
        """Add `text` to the log unchanged."""
        self.say(text)

    def show_link(self, link: str) -> None:
        """Cover the screen with the QR code of `link`."""
        self._model.help_from, self._model.qr_link = None, link
        self._changed.set()

    def show_board(self) -> None:
        pass  # the board is always visible

    @property
    def reviewed(self) -> ReviewedGame | None:
        """Reviewed game that is stepped through; None while the board shows the present."""
        return self._model.review

    def show_review(self, reviewed: ReviewedGame) -> None:
        """Show a position of a reviewed game instead of the board, with the better moves marked."""
        self._model.review = reviewed
        for move in reviewed.marked[:1]:
            self._model.pane.reveal(reviewed.position, move)
        self._changed.set()

    def _in_review(self, change: Callable[[ReviewedGame], ReviewedGame]) -> None:
        if self._model.review is not None:
            self.show_review(change(self._model.review))

    def keep_premove(self, premove: Premove) -> bool:
        """Keep a move for the turn, instead of any other one."""
        self._model.premove = premove
        self._changed.set()
        return True

    def clear(self) -> None:
        """Empty the log."""
        self._model.journal.clear()
        self._changed.set()

    def change_display(self, change: intents.DisplayChange) -> None:
        """Apply `change` to the display options."""
        options = self._model.options
        match change:
            case intents.ShowNumbers():
                options.names = not options.names if change.on is None else change.on
                self._save(NUMBERS, options.names)
            case intents.Resize():
                options.size = change.size
                size = change.size.value if change.size is not None else "auto"
                self.say(say(f"terminal.display.size_{size}"))
                self._save(SIZE, change.size)
            case intents.Toggle():
                on = not options.switches[change.switch] if change.on is None else change.on
                options.switches[change.switch] = on
                options.rings_alone |= change.switch is intents.Switch.BELL and on
                self._model.journal.shows_coming = options.switches[intents.Switch.JOINS]
                self.say(say(f"terminal.display.{change.switch.value}_{'on' if on else 'off'}"))
                self._save(SETTINGS_BY_NAME[change.switch.value], on)
            case intents.UseTheme():
                self._use_theme(change.name)
            case _:
                assert_never(change)

    def _use_theme(self, name: str | None) -> None:
        if name is None:
            self.say(say("terminal.display.themes", names=", ".join(themes())))
            return
        try:
            self._theme = theme_on(self._theme.terminal, name)
        except ThemeError as error:
            self.show_error(str(error))
        else:
            self._save(THEME, lasting_name(name))

    def _save(self, setting: Setting[Any], value: object) -> None:
        """Save a setting for the next start."""
        if remark := self._model.options.save(setting, value):
            self.say(remark)

    async def wait_until(self, is_shown: Callable[[], bool]) -> None:
        """Wait until `is_shown`, which is asked after each update that is shown."""
        async with self._updated:
            await self._updated.wait_for(is_shown)

    def ask_password(self, room: str, reason: str) -> bool:
        """Ask for the password in the line."""
        self._put_draft_aside()
        self._confirmation.ask_password(room)
        self.say(reason)
        self._window.to_line()
        return True
