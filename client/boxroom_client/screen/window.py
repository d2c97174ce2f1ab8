"""The game's screen as prompt_toolkit has it: the picture, the line below it, the footer."""

from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindingsBase
from prompt_toolkit.layout import BufferControl, ConditionalContainer, HSplit, Window
from prompt_toolkit.layout.containers import Float, FloatContainer
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import AfterInput, AppendAutoSuggestion, BeforeInput
from prompt_toolkit.styles import BaseStyle

from boxroom_client.screen.picture import Picture
from boxroom_client.screen.terminal import RowsControl, application
from boxroom_client.screen.text.styled import Row
from boxroom_common.exits import Exit


class GameWindow:
    """Draws what `draw` gives for a terminal of so many columns and lines, once for each look.

    `accept` is given each line that is typed, and `edited` what stands in it by now.
    """

    def __init__(
        self,
        draw: Callable[[int, int], Picture],
        *,
        completer: Completer,
        accept: Callable[[str], None],
        edited: Callable[[str], None],
        clicked: Callable[[int, int], None],
        wheeled: Callable[[int, int, int], None],
    ) -> None:
        self._draw = draw
        self._seen: Picture | None = None

        def take(buffer: Buffer) -> bool:
            accept(buffer.text)
            return False  # the line is kept in the history and cleared

        self.line = Buffer(
            name="line",
            multiline=False,
            history=InMemoryHistory(),
            auto_suggest=AutoSuggestFromHistory(),
            completer=completer,
            complete_while_typing=Condition(lambda: self.line.text.startswith("/")),
            accept_handler=take,
            on_text_changed=lambda buffer: edited(buffer.text),
        )
        self._canvas = Window(
            RowsControl(self._rows, clicked=clicked, wheeled=wheeled, focusable=True)
        )
        self.has_text = Condition(lambda: bool(self.line.text))
        self.on_board = has_focus(self._canvas)
        self.app: Application[Exit]

    def opened(
        self,
        keys: KeyBindingsBase,
        style: Callable[[], BaseStyle],
        *,
        prompt: Callable[[], str],
        how_to: Callable[[], str],
        mouse: Callable[[], bool],
    ) -> Application[Exit]:
        """The application; `prompt` stands before the line, and `how_to` in it when it is empty."""
        line = Window(
            BufferControl(
                self.line,
                input_processors=[
                    BeforeInput(prompt, style="class:prompt"),
                    AppendAutoSuggestion(style="class:suggestion"),
                    AfterInput(
                        lambda: "" if self.line.text else how_to(), style="class:suggestion"
                    ),
                ],
            ),
            height=1,
            style="class:input",
        )
        footer = Window(RowsControl(lambda *_: [self.seen.footer or []]), height=1)
        body = HSplit(
            [
                self._canvas,
                ConditionalContainer(line, Condition(lambda: self.seen.has_line)),
                ConditionalContainer(footer, Condition(lambda: self.seen.footer is not None)),
            ]
        )
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        self.app = application(FloatContainer(body, [menu]), keys, style, focus=line, mouse=mouse)
        self.app.before_render += self._look_again
        return self.app

    @property
    def seen(self) -> Picture:
        """What is on the screen: what a click means."""
        return self._seen or self._look()

    def _look_again(self, app: Application[Exit]) -> None:
        self._look()

    def _look(self) -> Picture:
        size = self.app.output.get_size()
        self._seen = self._draw(size.columns, size.rows)
        return self._seen

    def _rows(self, columns: int, lines: int) -> list[Row]:
        del columns, lines  # the whole terminal's count: line and footer are planned as well
        return self.seen.rows

    # Where keys go

    def insert(self, text: str) -> None:
        """Put `text` into the line, and the keys go there from now on."""
        self.to_line()
        self.line.insert_text(text)

    def to_line(self) -> None:
        """Let the keys go to the line."""
        self.app.layout.focus(self.line)

    def to_board(self) -> None:
        """Let the keys go to the board."""
        self.app.layout.focus(self._canvas)
