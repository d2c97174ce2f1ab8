"""A recorded game on the whole terminal: somebody goes through it, or it plays by itself."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Window

from boxroom_client.screen.keys.help_page import replay_help_lines
from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.model import Look, Model
from boxroom_client.screen.paged import paged
from boxroom_client.screen.picture import is_in
from boxroom_client.screen.replay.keys import REPLAY_KEYS, Does
from boxroom_client.screen.replay.picture import ReplayPicture, draw, position_at
from boxroom_client.screen.replay.playback import Reel
from boxroom_client.screen.replay.positions import NOBODY, Recorded, Step
from boxroom_client.screen.supervised import run
from boxroom_client.screen.terminal import RowsControl, application
from boxroom_client.screen.text.styled import Row
from boxroom_client.screen.themes.theme import Theme
from boxroom_client.shell.input.intents import Switch
from boxroom_common.exits import Exit
from boxroom_engine.games.drawing import Size

_SIZES = (None, Size.COMPACT, Size.NORMAL, Size.LARGE)

_COLUMNS, _LINES = 6, 2
"""How far a board is scrolled at once: a box in normal size."""

_TURNS: Mapping[Does, Callable[[Reel], Reel]] = {
    Does.NEXT: lambda reel: reel.moved(1),
    Does.PREVIOUS: lambda reel: reel.moved(-1),
    Does.TEN_ON: lambda reel: reel.moved(10),
    Does.TEN_BACK: lambda reel: reel.moved(-10),
    Does.FIRST: lambda reel: reel.moved_to(0),
    Does.LAST: lambda reel: reel.moved_to(reel.last),
    Does.PLAY: Reel.toggled,
    Does.FASTER: lambda reel: reel.paced(1),
    Does.SLOWER: lambda reel: reel.paced(-1),
    Does.ASK: lambda reel: reel.gone() if reel.typed else reel.asking(),
    Does.GO: Reel.gone,
    Does.ERASE: Reel.erased,
}
"""The keys that lead somewhere else in any game."""


class ReplayScreen:
    """Shows `steps`, the start of a game and what came of each move, from position `at` on.

    `pause` is how to wait for some seconds.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        look: Look,
        theme: Theme,
        *,
        at: int = 0,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._game = Recorded(steps)
        self._reel = Reel(self._game.last).moved_to(at)
        self._model = Model(
            self._game.room(self._reel.at),
            NOBODY,
            look,
            self._game.journal(self._reel.at),
            fresh_until_s=math.inf,
        )
        self._pause = pause
        self._turned = asyncio.Event()
        self._revealed: object = None
        """What the view of the board was last made to follow."""
        self._help_from: int | None = None
        control = RowsControl(self._draw, clicked=self._click, wheeled=self._wheel, focusable=True)
        self._app: Application[Any] = application(
            Window(control),
            self._bindings(),
            theme.style,
            mouse=lambda: look.switches[Switch.MOUSE],
        )

    async def run(self) -> Exit:
        """Show it until the person has seen enough; how that ended."""
        ending: Exit | None = await run(self._app, self._keep_playing())
        return Exit.DONE if ending is None else ending

    async def _keep_playing(self) -> None:
        """The next move when it is time, counted anew from whatever the person does."""
        while True:
            self._turned.clear()
            waiting: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._turned.wait())]
            if self._reel.plays:
                waiting.append(asyncio.ensure_future(self._pause(self._reel.pace_s)))
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waiting:
                    each.cancel()
            if not self._turned.is_set():
                self._turn_to(self._reel.played())

    # The picture

    def _turn_to(self, reel: Reel) -> None:
        if reel.at != self._reel.at:
            self._model.room = self._game.room(reel.at)
            self._model.journal = self._game.journal(reel.at)
        self._reel = reel
        self._turned.set()
        self._app.invalidate()

    def _draw(self, columns: int, lines: int) -> list[Row]:
        is_too_small = columns < LEAST_COLUMNS or lines < LEAST_LINES
        if self._help_from is None or is_too_small:
            return self._picture().rows
        rows, self._help_from = paged(
            "Help",
            replay_help_lines(),
            self._help_from,
            columns,
            lines,
            ascii_only=self._model.look.ascii_only,
        )
        return rows

    def _picture(self) -> ReplayPicture:
        """The picture, in which the last move is seen on however large a board."""
        size = self._app.output.get_size()
        seen = draw(self._model, self._reel, size.columns, size.rows)
        at = self._reel.at
        revealed = at, size, self._model.look.size
        if revealed == self._revealed:
            return seen
        self._revealed = revealed
        move, before = self._game.move(at), self._game.room(max(0, at - 1)).state
        if move is None or before is None:
            return seen
        self._model.pane.reveal(before, move)
        return draw(self._model, self._reel, size.columns, size.rows)

    # Keys and clicks

    def _bindings(self) -> KeyBindings:
        made = KeyBindings()
        acts, acts_in_help = self._acts(), self._acts_in_help()

        def bind(key: str, act: Callable[[], None], act_in_help: Callable[[], None]) -> None:
            @made.add(key, eager=key == "escape")
            def _(event: KeyPressEvent) -> None:
                (act if self._help_from is None else act_in_help)()

        for each in REPLAY_KEYS:
            act_in_help = acts_in_help.get(each.does, _nothing)
            for key in each.keys:
                is_digit = each.does is Does.DIGIT
                bind(key, partial(self._type, key) if is_digit else acts[each.does], act_in_help)
        bind(Keys.SIGINT, self._interrupt, self._interrupt)
        return made

    def _acts(self) -> dict[Does, Callable[[], None]]:
        takings = self._game.takings
        turns = {
            **_TURNS,
            Does.NEXT_TAKING: lambda reel: reel.after(takings),
            Does.PREVIOUS_TAKING: lambda reel: reel.before(takings),
        }
        scroll = self._model.pane.scroll
        return {
            **{does: partial(self._turn, turn) for does, turn in turns.items()},
            Does.UP: lambda: scroll(0, -_LINES),
            Does.DOWN: lambda: scroll(0, _LINES),
            Does.LEFT: lambda: scroll(-_COLUMNS, 0),
            Does.RIGHT: lambda: scroll(_COLUMNS, 0),
            Does.HELP: self._toggle_help,
            Does.NAMES: self._toggle_names,
            Does.SIZE: self._next_size,
            Does.LEAVE: self._leave,
            Does.INTERRUPT: self._interrupt,
        }

    def _acts_in_help(self) -> dict[Does, Callable[[], None]]:
        return {
            Does.TEN_ON: lambda: self._scroll_help(self._app.output.get_size().rows - 3),
            Does.TEN_BACK: lambda: self._scroll_help(3 - self._app.output.get_size().rows),
            Does.DOWN: lambda: self._scroll_help(1),
            Does.UP: lambda: self._scroll_help(-1),
            Does.HELP: self._toggle_help,
            Does.LEAVE: self._toggle_help,
            Does.INTERRUPT: self._interrupt,
        }

    def _turn(self, turn: Callable[[Reel], Reel]) -> None:
        self._turn_to(turn(self._reel))

    def _type(self, digit: str) -> None:
        self._turn_to(self._reel.typing(digit))

    def _toggle_help(self) -> None:
        """Show the help, which nothing goes on behind, or close it."""
        self._help_from = 0 if self._help_from is None else None
        if self._reel.plays:
            self._turn_to(self._reel.toggled())

    def _scroll_help(self, by_lines: int) -> None:
        if self._help_from is not None:
            self._help_from += by_lines

    def _toggle_names(self) -> None:
        self._model.look.names = not self._model.look.names

    def _next_size(self) -> None:
        look = self._model.look
        look.size = _SIZES[(_SIZES.index(look.size) + 1) % len(_SIZES)]

    def _leave(self) -> None:
        """Leave, or first only stop typing a number."""
        if self._reel.typed is not None:
            self._turn_to(self._reel.untyped())
        elif not self._app.is_done:
            self._app.exit(result=Exit.DONE)

    def _interrupt(self) -> None:
        if not self._app.is_done:
            self._app.exit(result=Exit.INTERRUPTED)

    def _click(self, x: int, y: int) -> None:
        bar = self._picture().bar
        if self._help_from is None and is_in(bar, x, y):
            self._turn_to(self._reel.moved_to(position_at(bar, x, self._reel.last)))

    def _wheel(self, x: int, y: int, by: int) -> None:
        seen = self._picture()
        if self._help_from is not None:
            self._scroll_help(3 * by)
        elif is_in(seen.log, x, y):
            self._model.journal.scroll(-3 * by)
        elif is_in(seen.board, x, y):
            self._model.pane.scroll(0, _LINES * by)


def _nothing() -> None:
    """A key that means nothing while the help is shown."""
