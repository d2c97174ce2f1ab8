"""Filling in a form on the whole terminal, until it is right and Enter is pressed."""

from collections.abc import Callable, Sequence
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import UIContent, Window
from prompt_toolkit.styles import BaseStyle

from boxroom_client.screen.forms.fields import FIELD_KEYS, Words
from boxroom_client.screen.forms.form_state import MOVES, FormState
from boxroom_client.screen.supervised import run
from boxroom_client.screen.terminal import RowsControl, application
from boxroom_client.screen.text.styled import Row
from boxroom_client.shell.front import Interrupted
from boxroom_engine.room.text import clean


async def fill(
    blank: FormState,
    *,
    style: Callable[[], BaseStyle],
    mouse: bool = True,
) -> FormState | None:
    """The form as somebody has filled it in, without mistakes; None if somebody left.

    Raises:
        Interrupted: Ctrl-C.
    """
    return await _Filling(blank, style, mouse).run()


class _Filling:
    """Shows a form on the whole terminal."""

    def __init__(self, blank: FormState, style: Callable[[], BaseStyle], mouse: bool) -> None:
        self._blank = blank
        self._size = 0, 0
        control = _Sheet(self._draw, lambda: self._blank.cursor_at(*self._size), self._click)
        self._app: Application[Any] = application(
            Window(control), self._bindings(), style, mouse=lambda: mouse
        )

    async def run(self) -> FormState | None:
        """See `fill`."""
        filled: FormState | None = await run(self._app)
        return filled

    def _draw(self, columns: int, lines: int) -> list[Row]:
        self._size = columns, lines
        return self._blank.rows(columns, lines)

    def _click(self, x: int, y: int) -> None:
        """Go to a field; a click on the one where somebody is takes its next value."""
        index = self._blank.index_at(y, *self._size)
        if index is None:
            return
        is_here = index == self._blank.index and isinstance(self._blank.current.kind, Words)
        self._turn_to(self._blank.typed("right") if is_here else self._blank.moved_to(index))

    def _turn_to(self, blank: FormState) -> None:
        self._blank = blank
        self._app.invalidate()

    def _bindings(self) -> KeyBindings:
        made = KeyBindings()

        def bind(key: str) -> None:
            made.add(key)(lambda event: self._turn_to(self._blank.typed(key)))

        for key in (*MOVES, *FIELD_KEYS):
            bind(key)

        @made.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if event.data.isprintable():
                self._turn_to(self._blank.typed(event.data))

        @made.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            if pasted := " ".join(clean(event.data).split()):
                self._turn_to(self._blank.typed(pasted))

        @made.add("enter")
        def _(event: KeyPressEvent) -> None:
            if self._blank.is_right:
                self._leave(self._blank)
            else:
                self._turn_to(self._blank.refused())

        @made.add("escape", eager=True)
        @made.add("c-d")
        def _(event: KeyPressEvent) -> None:
            self._leave(None)

        @made.add("c-c")
        @made.add(Keys.SIGINT)
        def _(event: KeyPressEvent) -> None:
            self._app.exit(exception=Interrupted())

        return made

    def _leave(self, result: FormState | None) -> None:
        self._app.exit(result=result)


class _Sheet(RowsControl):
    """A pane with the cursor where one types."""

    def __init__(
        self,
        rows: Callable[[int, int], Sequence[Row]],
        cursor: Callable[[], tuple[int, int] | None],
        clicked: Callable[[int, int], None],
    ) -> None:
        super().__init__(rows, clicked=clicked, focusable=True)
        self._cursor = cursor

    def create_content(self, width: int, height: int) -> UIContent:
        """See `UIControl`."""
        content = super().create_content(width, height)
        at = self._cursor()
        if at is not None:
            content.cursor_position = Point(*at)
            content.show_cursor = True
        return content
