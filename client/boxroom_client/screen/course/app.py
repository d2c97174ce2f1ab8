"""The controller of the puzzles' screen: keys and clicks answer, and go on."""

from collections.abc import Callable
from functools import partial

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Window

from boxroom_client.profile.config import NUMBERS
from boxroom_client.screen.board.cursor import Direction
from boxroom_client.screen.board.pane import BoardLook, BoardPane
from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.model import DisplayOptions
from boxroom_client.screen.panes import bars
from boxroom_client.screen.terminal import RowsControl, application, run_screen
from boxroom_client.screen.text.rows import Row, wrapped
from boxroom_client.screen.themes.theme import Theme
from boxroom_client.shell.courses import Course, Stage
from boxroom_common.exits import Exit
from boxroom_common.phrases import say
from boxroom_engine.games.errors import GameError
from boxroom_engine.games.protocol import Move

_TEXT_LINES = 5
"""Lines for the sentences below the board."""

_TYPED = "hvHV0123456789"
_MOST_TYPED = 5

_Hint = tuple[str, str]


class CourseScreen:
    """Asks the tasks of `course` on the whole terminal."""

    def __init__(self, course: Course, options: DisplayOptions, theme: Theme) -> None:
        self._course = course
        self._options = options
        self._pane = BoardPane()
        # The name of a move that is being typed.
        self._typed = ""
        # Said instead of the sentences until the next key, such as why a move can't be played.
        self._refusal = ""
        control = RowsControl(self._draw, clicked=self._click, focusable=True)
        self._app = application(Window(control), self._bindings(), options.look(theme.style))

    async def run(self) -> Exit:
        """Show tasks until the course is over or the person leaves; return the exit code."""
        exit_code: Exit | None = await run_screen(self._app)
        return Exit.DONE if exit_code is None else exit_code

    # Drawing

    def _draw(self, columns: int, lines: int) -> list[Row]:
        if columns < LEAST_COLUMNS or lines < LEAST_LINES:
            return bars.too_small(columns, lines)
        symbols = self._options.symbols
        title = symbols.fitted([("class:title", f" {self._course.title}")], columns, "class:title")
        texts = [
            symbols.fitted([("class:log.answer", f" {line}")], columns)
            for text in (self._refusal,) * bool(self._refusal) or self._course.lines
            for line in wrapped(symbols.text(text), columns - 2)
        ][:_TEXT_LINES]
        below = [
            *bars.rule(columns, 1, symbols=symbols),
            *texts,
            *([symbols.fitted([], columns)] * (_TEXT_LINES - len(texts))),
            symbols.fitted([("class:prompt", f" > {self._typed}")], columns),
            bars.footer(self._hints(), columns, keeps_last=True, symbols=symbols),
        ]
        return [title, *self._board(columns, lines - 1 - len(below)), *below]

    def _board(self, columns: int, lines: int) -> list[Row]:
        course, options = self._course, self._options
        look = BoardLook(
            (0, 1),
            columns,
            lines,
            options.size,
            options.symbols.ascii_only,
            options.names,
            course.seat,
        )
        since = None if course.stage is Stage.ASKED else course.asked
        self._pane.show(course.position, look, since)
        return self._pane.rows(is_fresh_bright=True)

    def _hints(self) -> list[_Hint]:
        names = "F2", say("terminal.replay_key.names.hint")
        leave = "Esc", say("terminal.replay_key.leave.hint")
        match self._course.stage:
            case Stage.ASKED:
                return [("Enter", say("terminal.puzzle.plays")), names, leave]
            case Stage.REFUTED:
                again = "r", say("terminal.puzzle.again")
                return [("Enter", say("terminal.puzzle.next_move")), again, names, leave]
            case Stage.SOLVED | Stage.OVER:
                return [("Enter", say(self._course.NEXT_HINT)), names, leave]

    # Keys and clicks

    def _bindings(self) -> KeyBindings:
        made = KeyBindings()

        def bind(key: str, act: Callable[[], None]) -> None:
            @made.add(key, eager=key == "escape")
            def _(event: KeyPressEvent) -> None:
                self._refusal = ""
                act()

        for direction in Direction:
            bind(direction.name.lower(), partial(self._pane.step, direction))
        for char in _TYPED:
            bind(char, partial(self._type, char))
        bind("tab", lambda: self._pane.cycle(1))
        bind("s-tab", lambda: self._pane.cycle(-1))
        bind("backspace", self._erase)
        bind("enter", self._enter)
        bind(" ", self._enter)
        bind("r", self._course.ask_again)
        bind("f2", self._toggle_names)
        for key in ("q", "escape", "f10"):
            bind(key, partial(self._leave, Exit.DONE))
        for key in ("c-c", Keys.SIGINT):
            bind(key, partial(self._leave, Exit.INTERRUPTED))
        return made

    def _type(self, char: str) -> None:
        if self._course.stage is Stage.ASKED:
            self._typed = f"{self._typed}{char}"[:_MOST_TYPED]

    def _erase(self) -> None:
        self._typed = self._typed[:-1]

    def _enter(self) -> None:
        typed, self._typed = self._typed, ""
        if self._course.stage is not Stage.ASKED:
            self._go_on()
        elif typed:
            self._answer(typed)
        elif self._pane.move is not None:
            self._course.play(self._pane.move)

    def _go_on(self) -> None:
        self._course.go_on()
        if self._course.stage is Stage.OVER:
            self._leave(Exit.DONE)

    def _answer(self, text: str) -> None:
        try:
            self._course.play(self._course.move_of(text))
        except GameError as error:
            self._refusal = str(error)

    def _click(self, x: int, y: int) -> None:
        move: Move | None = self._pane.move_at(x, y - 1)
        self._refusal = ""
        if self._course.stage is not Stage.ASKED:
            self._go_on()
        elif move is not None:
            self._course.play(move)

    def _toggle_names(self) -> None:
        self._options.names = not self._options.names
        self._options.save(NUMBERS, self._options.names)

    def _leave(self, exit_code: Exit) -> None:
        if not self._app.is_done:
            self._app.exit(result=exit_code)
