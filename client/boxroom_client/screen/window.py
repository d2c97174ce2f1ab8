"""The prompt_toolkit layout of a game's screen: the picture, the input line, the footer."""

from collections.abc import Callable
from typing import NamedTuple

from prompt_toolkit.application import Application
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindingsBase
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    HSplit,
    ScrollOffsets,
    VSplit,
    Window,
)
from prompt_toolkit.layout.containers import Float, FloatContainer
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import (
    AfterInput,
    AppendAutoSuggestion,
    ConditionalProcessor,
    PasswordProcessor,
)

from boxroom_client.grapheme_cells import ClusterProcessor
from boxroom_client.screen.panes.bars import key_under
from boxroom_client.screen.picture import Picture
from boxroom_client.screen.terminal import RowsControl, ScreenApplication, application
from boxroom_client.screen.text.rows import Row, clipped_text, row_width
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.shell.input.line_history import LineHistory
from boxroom_client.text_width import text_width
from boxroom_common.exits import Exit

_LEAST_LINE = 6
"""Least columns to type in beside a long prompt."""
_CONTEXT = 8
"""Columns that stay visible before the cursor in a line that is longer than the window."""


class Prompt(NamedTuple):
    """The prompt before the line: its style, its text, which may be cut, and its end."""

    style: str
    text: str
    end: str

    def row(self, columns: int) -> Row:
        """Return it as a row in a terminal of so many columns."""
        most = max(0, columns - _LEAST_LINE - text_width(self.end))
        return [(self.style, clipped_text(self.text, most) + self.end)]


class GameWindow:
    """Shows the picture that `draw` returns for the terminal's columns and lines, with the input.

    `edited` is called with the text of the line after each change, `clicked` and `wheeled` with
    cells of the picture, `key_clicked` with the label of a key in the footer. While the line
    `is_secret`, it is neither shown nor recalled.
    """

    def __init__(
        self,
        draw: Callable[[int, int], Picture],
        *,
        completer: Completer,
        edited: Callable[[str], None],
        clicked: Callable[[int, int], None],
        wheeled: Callable[[int, int, int], None],
        key_clicked: Callable[[str], None],
        is_secret: Callable[[], bool],
    ) -> None:
        self._draw = draw
        self._is_secret = Condition(is_secret)
        self._key_clicked = key_clicked
        self._shown: Picture | None = None  # None before it was drawn for the first time

        self.line = Buffer(
            name="line",
            multiline=False,
            history=LineHistory(is_secret),
            auto_suggest=AutoSuggestFromHistory(),
            completer=completer,
            complete_while_typing=~self._is_secret
            & Condition(lambda: self.line.text.startswith("/")),
            on_text_changed=lambda buffer: edited(buffer.text),
        )
        """The input line."""
        # The picture, which has the focus while keys go to the board.
        self._canvas = Window(
            RowsControl(self._rows, clicked=clicked, wheeled=wheeled, focusable=True)
        )
        self.has_text = Condition(lambda: bool(self.line.text))
        """True while there is text in the input line."""
        self.on_board = has_focus(self._canvas)
        """True while the board has the focus."""
        self.app: ScreenApplication
        """Made by `opened`."""

    def opened(
        self,
        keys: KeyBindingsBase,
        look: ScreenLook,
        *,
        prompt: Callable[[], Prompt],
        input_hint: Callable[[], str],
        title: Callable[[], str],
    ) -> ScreenApplication:
        """Return the application; `prompt` stands before the line, `input_hint` in an empty one."""
        # A window of its own: the line's is scrolled sideways, and would scroll it away.
        before = Window(
            RowsControl(lambda *_: [prompt().row(self._columns)]),
            width=lambda: row_width(prompt().row(self._columns)),
        )

        def free() -> int:
            """Return the columns behind the prompt."""
            return max(0, self._columns - row_width(prompt().row(self._columns)))

        line = Window(
            BufferControl(
                self.line,
                input_processors=[
                    ConditionalProcessor(
                        AppendAutoSuggestion(style="class:suggestion"), ~self._is_secret
                    ),
                    ConditionalProcessor(PasswordProcessor(), self._is_secret),
                    AfterInput(
                        lambda: "" if self.line.text else clipped_text(input_hint(), free()),
                        style="class:suggestion",
                    ),
                    ClusterProcessor(),
                ],
            ),
            style="class:input",
            scroll_offsets=ScrollOffsets(left=_CONTEXT),
        )
        input_row = VSplit([before, line], height=1)
        footer = Window(
            RowsControl(lambda *_: [self.shown.footer or []], clicked=self._footer_clicked),
            height=1,
        )
        body = HSplit(
            [
                self._canvas,
                ConditionalContainer(input_row, Condition(lambda: self.shown.has_line)),
                ConditionalContainer(footer, Condition(lambda: self.shown.footer is not None)),
            ]
        )
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        self.app = application(FloatContainer(body, [menu]), keys, look, focus=line, title=title)
        self.app.before_render += self._before_render
        return self.app

    @property
    def shown(self) -> Picture:
        """The picture on the screen, to which clicks refer."""
        return self._shown or self._redraw()

    @property
    def _columns(self) -> int:
        return self.app.output.get_size().columns

    def _before_render(self, app: Application[Exit]) -> None:
        self._redraw()

    def _redraw(self) -> Picture:
        size = self.app.output.get_size()
        self._shown = self._draw(size.columns, size.rows)
        return self._shown

    def _rows(self, columns: int, lines: int) -> list[Row]:
        del columns, lines  # the picture is laid out for the whole terminal, with line and footer
        return self.shown.rows

    def _footer_clicked(self, x: int, y: int) -> None:
        label = key_under(self.shown.footer or [], x)
        if label is not None:
            self._key_clicked(label)

    def complete(self) -> None:
        """Complete the word at the cursor, or choose the next completion of it."""
        if self.line.complete_state is None:
            self.line.start_completion(select_first=True)
        else:
            self.line.complete_next()

    # Focus

    def insert(self, text: str) -> None:
        """Insert `text` into the line, and focus the line."""
        self.to_line()
        self.line.insert_text(text)

    def to_line(self) -> None:
        """Focus the line."""
        self.app.layout.focus(self.line)

    def to_board(self) -> None:
        """Focus the board."""
        self.app.layout.focus(self._canvas)
