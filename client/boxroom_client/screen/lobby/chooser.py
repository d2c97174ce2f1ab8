"""The screen of a menu: choose an item on the whole terminal, with keys or the mouse."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Window

from boxroom_client.screen.lobby.menu import ChooserState, Item, Menu
from boxroom_client.screen.terminal import BackgroundTask, RowsControl, application, run_screen
from boxroom_client.screen.text.rows import Row
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.shell.frontend import Interrupted

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ExtraKey:
    """A key with an action of its own."""

    key: str
    """Name of the key in prompt_toolkit."""
    act: Callable[[], None]


class Chooser(Generic[T]):
    """Shows a menu on the whole terminal until the person chooses or leaves."""

    def __init__(
        self,
        menu: Menu[T],
        extras: Sequence[ExtraKey] = (),
        *,
        look: ScreenLook,
    ) -> None:
        # The menu with its current item, as of now.
        self._state = ChooserState(menu, symbols=look.symbols)
        # The state and the terminal's size when it was last drawn, to which clicks refer.
        self._drawn = self._state, 0, 0
        control = RowsControl(self._draw, clicked=self._click, wheeled=self._wheel, focusable=True)
        self._app = application(Window(control), self._bindings(extras), look)

    @property
    def current(self) -> Item[T] | None:
        """The current item."""
        return self._state.current

    def show(self, menu: Menu[T]) -> None:
        """Show another menu from now on."""
        self._set_state(self._state.showing(menu))

    def choose(self, item: Item[T] | None) -> None:
        """Leave with `item`; ignore None, and items with an obstacle."""
        if item is not None and not item.obstacle:
            self.leave(item.value)

    def leave(self, result: T | None) -> None:
        """Close the screen; `run` returns `result`."""
        if not self._app.is_done:
            self._app.exit(result=result)

    async def run(self, background: BackgroundTask | None = None) -> T | None:
        """Return the chosen value; None if the person left. `background` runs as long.

        Raises:
            Interrupted: Ctrl-C.
        """
        result: T | None = await run_screen(self._app, background)
        return result

    def _set_state(self, state: ChooserState[T]) -> None:
        self._state = state
        self._app.invalidate()

    def _draw(self, columns: int, lines: int) -> list[Row]:
        self._drawn = self._state, columns, lines
        return self._state.rows(columns, lines)

    # Keys and clicks

    def _page(self) -> int:
        """Return the items of a page: one less than are visible."""
        _, columns, lines = self._drawn
        return max(1, len(self._state.visible(columns, lines)) - 1)

    def _click(self, x: int, y: int) -> None:
        """Choose the item that was drawn there, even if the list has changed meanwhile."""
        state, columns, lines = self._drawn
        index = state.index_at(y, columns, lines)
        if index is None:
            return
        clicked = state.menu.items[index].key
        for number, item in enumerate(self._state.menu.items):
            if item.key == clicked:
                self._choose_index(number)

    def _wheel(self, x: int, y: int, by: int) -> None:
        self._set_state(self._state.moved(by))

    def _choose_index(self, index: int | None) -> None:
        """Go to an item and choose it."""
        if index is not None:
            self._set_state(self._state.moved_to(index))
            self.choose(self.current)

    def _bindings(self, extras: Sequence[ExtraKey]) -> KeyBindings:
        made = KeyBindings()

        def bind(names: str, act: Callable[[], None]) -> None:
            for name in names.split():
                made.add(name, eager=name == "escape")(lambda event: act())

        def move(names: str, to: Callable[[], ChooserState[T]]) -> None:
            bind(names, lambda: self._set_state(to()))

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
                lambda event, digit=digit: self._choose_index(self._state.index_of_digit(digit))
            )
        for extra in extras:
            bind(extra.key, extra.act)
        return made

    def _interrupt(self) -> None:
        self._app.exit(exception=Interrupted())
