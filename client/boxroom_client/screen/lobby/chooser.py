"""Choosing from a menu on the whole terminal, with keys or the mouse."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Window
from prompt_toolkit.styles import BaseStyle

from boxroom_client.screen.lobby.menu import ChooserState, Item, Menu
from boxroom_client.screen.supervised import Work, run
from boxroom_client.screen.terminal import RowsControl, application
from boxroom_client.screen.text.styled import Row
from boxroom_client.shell.front import Interrupted

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Extra:
    """A key that does something else than to choose an item."""

    key: str
    """As prompt_toolkit calls it."""
    act: Callable[[], None]


class Chooser(Generic[T]):
    """Shows a menu on the whole terminal until somebody has chosen or left."""

    def __init__(
        self,
        menu: Menu[T],
        extras: Sequence[Extra] = (),
        *,
        style: Callable[[], BaseStyle],
        ascii_only: bool = False,
        mouse: bool = True,
    ) -> None:
        self._state = ChooserState(menu, ascii_only=ascii_only)
        self._drawn = self._state, 0, 0
        """What the person sees, and clicks on, and its size."""
        control = RowsControl(self._draw, clicked=self._click, wheeled=self._wheel, focusable=True)
        self._app: Application[Any] = application(
            Window(control), self._bindings(extras), style, mouse=lambda: mouse
        )

    @property
    def current(self) -> Item[T] | None:
        """The item that somebody is on."""
        return self._state.current

    def show(self, menu: Menu[T]) -> None:
        """Another menu, from now on."""
        self._turn_to(self._state.showing(menu))

    def choose(self, item: Item[T] | None) -> None:
        """Leave with `item`; one with an obstacle, or none, can't be chosen."""
        if item is not None and not item.obstacle:
            self.leave(item.means)

    def leave(self, result: T | None) -> None:
        """Close the screen; `run` gives `result`."""
        if not self._app.is_done:
            self._app.exit(result=result)

    async def run(self, beside: Work | None = None) -> T | None:
        """What is chosen; None if somebody left. `beside` goes on as long, and may fail it.

        Raises:
            Interrupted: Ctrl-C.
        """
        result: T | None = await run(self._app, beside)
        return result

    def _turn_to(self, state: ChooserState[T]) -> None:
        self._state = state
        self._app.invalidate()

    def _draw(self, columns: int, lines: int) -> list[Row]:
        self._drawn = self._state, columns, lines
        return self._state.rows(columns, lines)

    # Keys and clicks

    def _page(self) -> int:
        """How far a page goes: a little less than what is seen."""
        _, columns, lines = self._drawn
        return max(1, len(self._state.seen(columns, lines)) - 1)

    def _click(self, x: int, y: int) -> None:
        """Choose what is clicked on, as it was drawn: the list may be another one by now."""
        state, columns, lines = self._drawn
        index = state.index_at(y, columns, lines)
        if index is None:
            return
        clicked = state.menu.items[index].key
        for number, item in enumerate(self._state.menu.items):
            if item.key == clicked:
                self._take(number)

    def _wheel(self, x: int, y: int, by: int) -> None:
        self._turn_to(self._state.moved(by))

    def _take(self, index: int | None) -> None:
        """Go to an item and choose it."""
        if index is not None:
            self._turn_to(self._state.moved_to(index))
            self.choose(self.current)

    def _bindings(self, extras: Sequence[Extra]) -> KeyBindings:
        made = KeyBindings()

        def bind(names: str, act: Callable[[], None]) -> None:
            for name in names.split():
                made.add(name, eager=name == "escape")(lambda event: act())

        def move(names: str, to: Callable[[], ChooserState[T]]) -> None:
            bind(names, lambda: self._turn_to(to()))

        move("up k c-p", lambda: self._state.moved(-1))
        move("down j c-n tab", lambda: self._state.moved(1))
        move("pageup", lambda: self._state.moved(-self._page()))
        move("pagedown", lambda: self._state.moved(self._page()))
        move("home g", lambda: self._state.moved_to(0))
        move("end G", lambda: self._state.moved_to(len(self._state.menu.items) - 1))
        bind("enter", lambda: self.choose(self.current))
        bind("escape q c-d", lambda: self.leave(None))
        bind(f"c-c {Keys.SIGINT.value}", self._interrupt)
        for digit in range(1, 10):
            made.add(str(digit))(
                lambda event, digit=digit: self._take(self._state.index_of_digit(digit))
            )
        for extra in extras:
            bind(extra.key, extra.act)
        return made

    def _interrupt(self) -> None:
        self._app.exit(exception=Interrupted())
