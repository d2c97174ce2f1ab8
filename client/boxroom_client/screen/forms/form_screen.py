"""The screen of a form: edit its fields on the whole terminal until it is valid and Enter comes."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from prompt_toolkit.data_structures import Point
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import UIContent, Window

from boxroom_client.screen.forms.fields import FIELD_KEYS, Choice
from boxroom_client.screen.forms.form_state import MOVES, FormState
from boxroom_client.screen.terminal import RowsControl, application, run_screen
from boxroom_client.screen.text.rows import Row
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.shell.frontend import Interrupted
from boxroom_engine.room.text import clean


async def fill_in(form: FormState, *, look: ScreenLook) -> FormState | None:
    """Return the form as the person has filled it in, without mistakes; None if cancelled.

    Raises:
        Interrupted: Ctrl-C.
    """
    return await _FormScreen(form, look).run()


class _FormScreen:
    """Shows a form on the whole terminal."""

    def __init__(self, form: FormState, look: ScreenLook) -> None:
        self._form = replace(form, symbols=look.symbols)
        self._size = 0, 0  # columns and lines of the terminal when it was last drawn
        control = _FormControl(self._draw, lambda: self._form.cursor_at(*self._size), self._click)
        self._app = application(Window(control), self._bindings(), look)

    async def run(self) -> FormState | None:
        filled: FormState | None = await run_screen(self._app)
        return filled

    def _draw(self, columns: int, lines: int) -> list[Row]:
        self._size = columns, lines
        return self._form.rows(columns, lines)

    def _click(self, x: int, y: int) -> None:
        """Go to a field; a click on the current choice takes its next value."""
        index = self._form.index_at(y, *self._size)
        if index is None:
            return
        is_here = index == self._form.index and isinstance(self._form.current.kind, Choice)
        self._set_form(self._form.typed("right") if is_here else self._form.moved_to(index))

    def _set_form(self, form: FormState) -> None:
        self._form = form
        self._app.invalidate()

    def _bindings(self) -> KeyBindings:
        made = form_keys(lambda: self._form, self._set_form, self._leave)

        @made.add("c-c")
        @made.add(Keys.SIGINT)
        def _(event: KeyPressEvent) -> None:
            self._app.exit(exception=Interrupted())

        return made

    def _leave(self, result: FormState | None) -> None:
        self._app.exit(result=result)


def form_keys(
    form: Callable[[], FormState],
    set_form: Callable[[FormState], None],
    leave: Callable[[FormState | None], None],
) -> KeyBindings:
    """Return the keys of a form, which call `set_form` and, in the end, `leave`.

    `leave` gets the form if it was finished without mistakes, or None.
    """
    made = KeyBindings()

    def bind(key: str) -> None:
        made.add(key)(lambda event: set_form(form().typed(key)))

    for key in (*MOVES, *FIELD_KEYS):
        bind(key)

    @made.add(Keys.Any)
    def _(event: KeyPressEvent) -> None:
        if event.data.isprintable():
            set_form(form().typed(event.data))

    @made.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        if pasted := " ".join(clean(event.data).split()):
            set_form(form().typed(pasted))

    @made.add("enter")
    def _(event: KeyPressEvent) -> None:
        if form().is_valid:
            leave(form())
        else:
            set_form(form().refused())

    @made.add("escape", eager=True)
    @made.add("c-d")
    def _(event: KeyPressEvent) -> None:
        leave(None)

    return made


class _FormControl(RowsControl):
    """A control that shows the cursor in the current field."""

    def __init__(
        self,
        rows: Callable[[int, int], Sequence[Row]],
        cursor: Callable[[], tuple[int, int] | None],
        clicked: Callable[[int, int], None],
    ) -> None:
        super().__init__(rows, clicked=clicked, focusable=True)
        self._cursor = cursor

    def create_content(self, width: int, height: int) -> UIContent:
        content = super().create_content(width, height)
        at = self._cursor()
        if at is not None:
            content.cursor_position = Point(*at)
            content.show_cursor = True
        return content
