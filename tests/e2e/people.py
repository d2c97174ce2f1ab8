"""People who play: at real terminals, and at a phone with a real browser.

The terminals are read all the time, also while a test waits for one of them, as a program stops
whose output isn't read.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from tests.e2e.referee import Game, Row
from tests.e2e.terminal import LIMIT_S, Terminal
from tests.web.browser import Visitor

_ROW = re.compile(r"(\w+(?: \d+)?) +(\d+) +(\d+) +(\d+) +(\d+)$")


_LEVELS = {"easy": "Easy"}


def row_of(cells: Iterable[str]) -> Row:
    """Return a row of a table from what its columns show."""
    name, *numbers = cells
    return Row(name, *map(int, numbers))


def rows_in_json(file: Path) -> set[Row]:
    """Return the rows of a table in a saved file, with levels as screens name them."""
    return {
        Row(
            _LEVELS.get(it["name"], it["name"]),
            *(it["games"], it["wins"], it["scores"]["dots"], it["points"]),
        )
        for it in json.loads(file.read_text())["table"]
    }


class Person(Protocol):
    """A person at some device."""

    async def sees(self, text: str) -> None:
        """Wait until the screen shows `text`."""

    async def plays(self, line: str) -> None:
        """Draw a line."""

    async def says(self, text: str) -> None:
        """Say something to all."""

    async def wants_a_rematch(self) -> None:
        """Ask for another game."""

    async def sees_board(self, game: Game) -> None:
        """Wait until the board shows the lines of a game as drawn, and no others."""

    async def sees_table(self, rows: set[Row]) -> None:
        """Open the table of the room, and wait until it shows these `rows`."""

    async def saves_table(self, file: Path) -> None:
        """Save the table of the room as JSON."""


class AtTerminal:
    """A person at a terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._has_read = asyncio.Event()
        self._has_ended = False

    def read(self) -> None:
        """Read what the program has printed; stop at its end."""
        if not self.terminal.read_more():
            asyncio.get_running_loop().remove_reader(self.terminal)
            self._has_ended = True
        self._has_read.set()

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something `holds`."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while not holds():
                    self._has_read.clear()
                    await self._has_read.wait()
        except TimeoutError:
            raise AssertionError(f"not {what}:\n{self.terminal.text}") from None

    async def sees(self, text: str) -> None:
        """Wait until the screen shows `text`, maybe in several lines of its last pane."""
        await self.until(lambda: text in self._read_through(), repr(text))

    def _read_through(self) -> str:
        rows = self.terminal.text.splitlines()
        return " ".join(row.rpartition("│")[2].strip() for row in rows)

    async def comes_to_the_end(self) -> int:
        """Wait until the program ends; return its exit code."""
        await self.until(lambda: self._has_ended, "ended")
        return self.terminal.wait_for_end()

    def types(self, line: str) -> None:
        """Type `line`, and Enter."""
        self.terminal.type(line)

    def presses(self, key: str) -> None:
        """Press a key."""
        self.terminal.press(key)

    async def plays(self, line: str) -> None:
        """Type the name of a line."""
        self.types(line)

    async def says(self, text: str) -> None:
        """Type it."""
        self.types(text)

    async def wants_a_rematch(self) -> None:
        """Type the command for it."""
        self.types("/rematch")

    async def sees_board(self, game: Game) -> None:
        """Look for the names of the lines that can be drawn."""
        on_board = self.terminal.on_board
        await self.until(
            lambda: all(map(on_board, game.free)) and not any(map(on_board, game.lines)),
            f"a board with {game.lines}",
        )

    async def sees_table(self, rows: set[Row]) -> None:
        """Type the command for it."""
        self.types("/table")
        await self.until(lambda: self._table() == rows, f"the table {rows}")

    def _table(self) -> set[Row]:
        found = (_ROW.search(line) for line in self.terminal.text.splitlines())
        return {row_of(row.groups()) for row in found if row}

    async def saves_table(self, file: Path) -> None:
        """Type the command for it."""
        self.types(f"/table {file}")
        await self.until(file.exists, f"saved as {file}")


@contextmanager
def at_terminal(terminal: Terminal) -> Iterator[AtTerminal]:
    """Let a person sit at a terminal, which is closed at the end."""
    loop = asyncio.get_running_loop()
    with terminal:
        person = AtTerminal(terminal)
        loop.add_reader(terminal, person.read)
        try:
            yield person
        finally:
            loop.remove_reader(terminal)


class AtPhone:
    """A person with a phone."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor

    async def sees(self, text: str) -> None:
        """Wait until the page shows `text`."""
        await self.visitor.wait_for(text)

    async def plays(self, line: str) -> None:
        """Touch a line, once it is this person's turn."""
        await self.visitor.page.locator(".board.can-move").wait_for()
        await self.visitor.tap(line)

    async def says(self, text: str) -> None:
        """Type it below the chat."""
        await self.visitor.page.locator(".composer input[name=text]").fill(text)
        await self.visitor.press("Send")

    async def wants_a_rematch(self) -> None:
        """Press the button for it."""
        await self.visitor.press("Rematch")

    async def sees_board(self, game: Game) -> None:
        """Look for the lines that aren't drawn."""
        free = """names => {
          const lines = document.querySelectorAll('.board-place .line:not(.drawn)');
          return [...lines].map(line => line.dataset.name).sort().join() === names;
        }"""
        await self.visitor.page.wait_for_function(free, arg=",".join(game.free))

    async def sees_game(self, number: int) -> list[str]:
        """Wait until a game begins; return its players in order of play."""
        begun = """number => {
          const { game_number: now, phase, players, to_move: first } = boxroom.state.picture;
          if (now !== number || phase !== 'playing') return null;
          return [...players.slice(first), ...players.slice(0, first)];
        }"""
        found = await self.visitor.page.wait_for_function(begun, arg=number)
        players: list[str] = await found.json_value()
        return players

    async def sees_move(self, number: int) -> str:
        """Wait until the page knows the move behind so many others; return it."""
        known = "number => boxroom.state.picture.tokens[number]"
        return str(
            await (await self.visitor.page.wait_for_function(known, arg=number)).json_value()
        )

    async def sees_table(self, rows: set[Row]) -> None:
        """Press the button for it."""
        await self.visitor.press("Table")
        lines = await self.visitor.page.locator(".standings tr").all()
        assert {row_of(await line.locator("td").all_inner_texts()) for line in lines[1:]} == rows

    async def saves_table(self, file: Path) -> None:
        """Press the link for it, below the table."""
        async with self.visitor.page.expect_download() as saving:
            await self.visitor.page.get_by_role("link", name="Save as JSON").click()
        await (await saving.value).save_as(file)
