"""The controller of a replay: keys, clicks and time change the position that is shown."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Window

from boxroom_client.profile.config import NUMBERS, SIZE
from boxroom_client.screen.keys.help_page import help_rows, replay_help_lines
from boxroom_client.screen.keys.replay_table import REPLAY_KEYS, ReplayAction
from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.model import DisplayOptions, Model
from boxroom_client.screen.picture import is_in
from boxroom_client.screen.replay.picture import ReplayPicture, draw, position_at
from boxroom_client.screen.replay.playback import Playback
from boxroom_client.screen.replay.recorded_game import NO_MEMBER, RecordedGame, Step
from boxroom_client.screen.terminal import RowsControl, application, run_screen
from boxroom_client.screen.text.rows import Row
from boxroom_client.screen.themes.theme import Theme
from boxroom_common.exits import Exit
from boxroom_engine.games.drawing import Size

_SIZES = (None, Size.COMPACT, Size.NORMAL, Size.LARGE)

_COLUMNS, _LINES = 6, 2
"""Cells by which a board is scrolled at once: a box in normal size."""

_POSITION_ACTIONS: Mapping[ReplayAction, Callable[[Playback], Playback]] = {
    ReplayAction.NEXT: lambda playback: playback.moved(1),
    ReplayAction.PREVIOUS: lambda playback: playback.moved(-1),
    ReplayAction.TEN_ON: lambda playback: playback.moved(10),
    ReplayAction.TEN_BACK: lambda playback: playback.moved(-10),
    ReplayAction.FIRST: lambda playback: playback.moved_to(0),
    ReplayAction.LAST: lambda playback: playback.moved_to(playback.last),
    ReplayAction.PLAY: Playback.toggled,
    ReplayAction.FASTER: lambda playback: playback.paced(1),
    ReplayAction.SLOWER: lambda playback: playback.paced(-1),
    ReplayAction.ASK: lambda playback: playback.at_typed() if playback.typed else playback.asking(),
    ReplayAction.GO: Playback.at_typed,
    ReplayAction.ERASE: Playback.erased,
}
"""The actions that change the position or the playback, the same for all games."""


class ReplayScreen:
    """Replays `steps`, the start of a game and the result of each move, from position `at` on.

    `pause` waits for some seconds.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        options: DisplayOptions,
        theme: Theme,
        *,
        at: int = 0,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._game = RecordedGame(steps)
        self._playback = Playback(self._game.last).moved_to(at)
        # The view model at the position of the playback.
        self._model = Model(
            self._game.room(self._playback.at),
            NO_MEMBER,
            options,
            self._game.journal(self._playback.at),
        )
        self._pause = pause
        self._moved = asyncio.Event()  # set when the playback has changed
        # Position and sizes for which the board was last scrolled to the last move.
        self._revealed: object = None
        # First visible line of the help; None: the help is closed.
        self._help_from: int | None = None
        control = RowsControl(self._draw, clicked=self._click, wheeled=self._wheel, focusable=True)
        self._app = application(Window(control), self._bindings(), options.look(theme.style))

    async def run(self) -> Exit:
        """Show it until the person leaves; return the exit code."""
        exit_code: Exit | None = await run_screen(self._app, self._keep_playing())
        return Exit.DONE if exit_code is None else exit_code

    async def _keep_playing(self) -> None:
        """Go to the next move when it is time; the time starts anew after each key."""
        while True:
            self._moved.clear()
            waiting: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._moved.wait())]
            if self._playback.plays:
                waiting.append(asyncio.ensure_future(self._pause(self._playback.pace_s)))
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waiting:
                    each.cancel()
            if not self._moved.is_set():
                self._show(self._playback.played())

    # Drawing

    def _show(self, playback: Playback) -> None:
        if playback.at != self._playback.at:
            self._model.room = self._game.room(playback.at)
            self._model.journal = self._game.journal(playback.at)
        self._playback = playback
        self._moved.set()
        self._app.invalidate()

    def _draw(self, columns: int, lines: int) -> list[Row]:
        is_too_small = columns < LEAST_COLUMNS or lines < LEAST_LINES
        if self._help_from is None or is_too_small:
            return self._picture().rows
        rows, self._help_from = help_rows(
            replay_help_lines(),
            self._help_from,
            columns,
            lines,
            symbols=self._model.options.symbols,
        )
        return rows

    def _picture(self) -> ReplayPicture:
        """Return the picture, scrolled so that the last move is visible."""
        size = self._app.output.get_size()
        seen = draw(self._model, self._playback, size.columns, size.rows)
        at = self._playback.at
        revealed = at, size, self._model.options.size
        if revealed == self._revealed:
            return seen
        self._revealed = revealed
        move, before = self._game.move(at), self._game.room(max(0, at - 1)).state
        if move is None or before is None:
            return seen
        self._model.pane.reveal(before, move)
        return draw(self._model, self._playback, size.columns, size.rows)

    # Keys and clicks

    def _bindings(self) -> KeyBindings:
        made = KeyBindings()
        acts, acts_in_help = self._acts(), self._acts_in_help()

        def bind(key: str, act: Callable[[], None], act_in_help: Callable[[], None]) -> None:
            @made.add(key, eager=key == "escape")
            def _(event: KeyPressEvent) -> None:
                (act if self._help_from is None else act_in_help)()

        for each in REPLAY_KEYS:
            act_in_help = acts_in_help.get(each.action, _nothing)
            for key in each.keys:
                is_digit = each.action is ReplayAction.DIGIT
                bind(key, partial(self._type, key) if is_digit else acts[each.action], act_in_help)
        bind(Keys.SIGINT, self._interrupt, self._interrupt)
        return made

    def _acts(self) -> dict[ReplayAction, Callable[[], None]]:
        takings = self._game.takings
        changes = {
            **_POSITION_ACTIONS,
            ReplayAction.NEXT_TAKING: lambda playback: playback.after(takings),
            ReplayAction.PREVIOUS_TAKING: lambda playback: playback.before(takings),
        }
        scroll = self._model.pane.scroll
        return {
            **{
                action: partial(self._change_playback, change) for action, change in changes.items()
            },
            ReplayAction.UP: lambda: scroll(0, -_LINES),
            ReplayAction.DOWN: lambda: scroll(0, _LINES),
            ReplayAction.LEFT: lambda: scroll(-_COLUMNS, 0),
            ReplayAction.RIGHT: lambda: scroll(_COLUMNS, 0),
            ReplayAction.HELP: self._toggle_help,
            ReplayAction.NAMES: self._toggle_names,
            ReplayAction.SIZE: self._next_size,
            ReplayAction.LEAVE: self._leave,
            ReplayAction.INTERRUPT: self._interrupt,
        }

    def _acts_in_help(self) -> dict[ReplayAction, Callable[[], None]]:
        return {
            ReplayAction.TEN_ON: lambda: self._scroll_help(self._app.output.get_size().rows - 3),
            ReplayAction.TEN_BACK: lambda: self._scroll_help(3 - self._app.output.get_size().rows),
            ReplayAction.DOWN: lambda: self._scroll_help(1),
            ReplayAction.UP: lambda: self._scroll_help(-1),
            ReplayAction.HELP: self._toggle_help,
            ReplayAction.LEAVE: self._toggle_help,
            ReplayAction.INTERRUPT: self._interrupt,
        }

    def _change_playback(self, change: Callable[[Playback], Playback]) -> None:
        self._show(change(self._playback))

    def _type(self, digit: str) -> None:
        self._show(self._playback.typing(digit))

    def _toggle_help(self) -> None:
        """Show the help, and pause; or close it."""
        self._help_from = 0 if self._help_from is None else None
        if self._playback.plays:
            self._show(self._playback.toggled())

    def _scroll_help(self, by_lines: int) -> None:
        if self._help_from is not None:
            self._help_from += by_lines

    def _toggle_names(self) -> None:
        options = self._model.options
        options.names = not options.names
        options.save(NUMBERS, options.names)

    def _next_size(self) -> None:
        options = self._model.options
        options.size = _SIZES[(_SIZES.index(options.size) + 1) % len(_SIZES)]
        options.save(SIZE, options.size)

    def _leave(self) -> None:
        """Leave, or first only cancel a typed number."""
        if self._playback.typed is not None:
            self._show(self._playback.untyped())
        elif not self._app.is_done:
            self._app.exit(result=Exit.DONE)

    def _interrupt(self) -> None:
        if not self._app.is_done:
            self._app.exit(result=Exit.INTERRUPTED)

    def _click(self, x: int, y: int) -> None:
        bar = self._picture().bar
        if self._help_from is None and is_in(bar, x, y):
            self._show(self._playback.moved_to(position_at(bar, x, self._playback.last)))

    def _wheel(self, x: int, y: int, by: int) -> None:
        seen = self._picture()
        if self._help_from is not None:
            self._scroll_help(3 * by)
        elif is_in(seen.log, x, y):
            self._model.journal.scroll(-3 * by)
        elif is_in(seen.board, x, y):
            self._model.pane.scroll(0, _LINES * by)


def _nothing() -> None:
    """Ignore a key while the help is shown."""
