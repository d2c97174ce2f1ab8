"""A game's screen in a fake terminal: keys go in through a pipe, and the picture comes out.

The output is a real `Vt100_Output` that pyte reads, so what is compared is what a person sees.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pyte
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from tests.client.fake_connection import FakeConnection

from boxroom_client.screen.app import GameScreen
from boxroom_client.screen.model import DisplayOptions
from boxroom_client.screen.themes.theme import load_theme
from boxroom_common.exits import Exit

PATIENCE_S = 20.0


class Terminal:
    """A terminal in which the test types and reads."""

    def __init__(self, keys: PipeInput, columns: int, lines: int) -> None:
        self._keys = keys
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self._screen)
        # The text on the screen; None if it has changed since it was read.
        self._seen: str | None = None
        self.written = ""

    # What prompt_toolkit writes to

    encoding = "utf-8"

    def write(self, text: str) -> int:
        self.written += text
        self._stream.feed(text)
        self._seen = None
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    # What a test does

    def size(self) -> Size:
        """Return lines and columns."""
        return Size(self._screen.lines, self._screen.columns)

    def resize(self, columns: int, lines: int) -> None:
        """Resize the window."""
        self._screen.resize(lines, columns)
        self._seen = None

    def type(self, keys: str) -> None:
        """Press keys."""
        self._keys.send_text(keys)

    def enter(self, line: str) -> None:
        """Type a line."""
        self.type(f"{line}\r")

    def click(self, x: int, y: int) -> None:
        """Click on that cell; both numbers are from 0."""
        self.type(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def click_on(self, text: str) -> None:
        """Click on the first occurrence of `text`, on the left side if it is there."""
        lines = self._screen.display
        left = [line.partition("│")[0] for line in lines]
        for y, line in (*enumerate(left), *enumerate(lines)):
            if text in line:
                self.click(line.index(text) + len(text) // 2, y)
                return
        raise AssertionError(f"{text!r} isn't to be seen:\n{self.seen}")

    @property
    def cells(self) -> pyte.Screen:
        """The screen with its colours."""
        return self._screen

    @property
    def rung(self) -> int:
        """How many times the bell rang."""
        return re.sub(r"\x1b\].*?\a", "", self.written).count("\a")

    @property
    def title(self) -> str:
        """The title of the window."""
        return self._screen.title

    @property
    def seen(self) -> str:
        """The text on the screen."""
        if self._seen is None:
            self._seen = "\n".join(line.rstrip() for line in self._screen.display)
        return self._seen

    async def sees(self, *texts: str) -> None:
        """Wait until all of `texts` are on the screen."""
        await self.until(lambda: all(text in self.seen for text in texts), texts)

    async def sees_no(self, text: str) -> None:
        """Wait until `text` isn't on the screen."""
        await self.until(lambda: text not in self.seen, text)

    async def until(self, holds: Callable[[], bool], what: object = "") -> None:
        """Wait until `holds` is true."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not holds():  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError(f"{what!r} doesn't come:\n{self.seen}") from None


@contextmanager
def a_terminal(
    columns: int = 80, lines: int = 24, *, depth: ColorDepth | None = None
) -> Iterator[Terminal]:
    """Make a terminal that all applications in the context use."""
    with create_pipe_input() as keys:
        terminal = Terminal(keys, columns, lines)
        output: Any = Vt100_Output(
            terminal,  # type: ignore[arg-type]
            terminal.size,
            term="xterm-256color",
            default_color_depth=depth,
        )
        with create_app_session(input=keys, output=output):
            yield terminal


class Playing:
    """Ada's screen with its terminal and connection."""

    def __init__(
        self,
        terminal: Terminal,
        connection: FakeConnection,
        screen: GameScreen,
        task: asyncio.Task[Exit],
    ) -> None:
        self.terminal = terminal
        self.connection = connection
        self._screen = screen
        self._task = task

    def resize(self, columns: int, lines: int) -> None:
        """Resize the window, as after its signal."""
        self.terminal.resize(columns, lines)
        self._screen._app._on_resize()

    async def ended(self) -> Exit:
        """Wait for the end and return the exit code."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._task


@asynccontextmanager
async def playing(
    connection: FakeConnection,
    *,
    columns: int = 80,
    lines: int = 24,
    options: DisplayOptions | None = None,
    now_s: Callable[[], float] = lambda: 0.0,
) -> AsyncIterator[Playing]:
    """Run Ada's screen on `connection`."""
    with a_terminal(columns, lines) as terminal:
        screen = GameScreen(
            connection, options or DisplayOptions(), load_theme("dark"), now_s=now_s
        )
        task = asyncio.create_task(screen.run())
        try:
            yield Playing(terminal, connection, screen, task)
        finally:
            if not task.done():
                task.cancel()
            await asyncio.gather(task, return_exceptions=True)
