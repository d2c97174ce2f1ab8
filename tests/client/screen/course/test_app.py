"""The puzzles' screen, with keys and clicks in a terminal."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.client.screen.playing import PATIENCE_S, Terminal, a_terminal

from boxroom_client.profile.puzzle_progress import SavedProgress
from boxroom_client.screen.course.app import CourseScreen
from boxroom_client.screen.model import DisplayOptions
from boxroom_client.screen.themes.theme import load_theme
from boxroom_client.shell.puzzles import PuzzleCourse
from boxroom_common.exits import Exit
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.review.puzzle import Puzzle

RIGHT, DOWN, ESC, ENTER, BACKSPACE, TAB = "\x1b[C", "\x1b[B", "\x1b", "\r", "\x7f", "\t"
F2, CTRL_C = "\x1bOQ", "\x03"

PUZZLES = [
    Puzzle.parse("3x3 ab1637/000,000/1/- h11 last_safe 1"),
    Puzzle.parse("4x4 aa621f07ef/0000,0000/0/- v14 last_safe 1"),
]


class Solving:
    """A person's terminal with puzzles."""

    def __init__(self, terminal: Terminal, task: asyncio.Task[Exit]) -> None:
        self.terminal = terminal
        self._task = task

    async def presses(self, keys: str, *texts: str) -> None:
        """Press `keys`, and wait for `texts`."""
        self.terminal.type(keys)
        await self.terminal.sees(*texts)

    async def changes(self, keys: str) -> None:
        """Press `keys`, and wait for another picture."""
        before = self.terminal.seen
        self.terminal.type(keys)
        await self.terminal.until(lambda: self.terminal.seen != before)

    async def ended(self) -> Exit:
        """Wait for the end and return the exit code."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._task


@asynccontextmanager
async def solving(columns: int = 80, lines: int = 24) -> AsyncIterator[Solving]:
    with a_terminal(columns, lines) as terminal, TemporaryDirectory() as folder:
        saved = SavedProgress(Path(folder))
        course = PuzzleCourse(PUZZLES, saved, date(2026, 11, 28), Theme.LAST_SAFE)
        screen = CourseScreen(course, DisplayOptions(), load_theme("dark"))
        task = asyncio.create_task(screen.run())
        try:
            await terminal.sees("Find the line that wins" if lines >= 12 else "12")
            yield Solving(terminal, task)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def test_a_right_answer_leads_to_the_next_puzzle() -> None:
    async with solving() as somebody:
        await somebody.presses("h11", "> h11")
        await somebody.presses(ENTER, "Right!", "Enter next puzzle")
        await somebody.presses(ENTER, "Find the line that wins", "v14")
        await somebody.presses("q")
        assert await somebody.ended() == Exit.DONE


async def test_a_wrong_answer_is_played_out_step_by_step() -> None:
    async with solving() as somebody:
        await somebody.presses(f"h1{BACKSPACE}{BACKSPACE}{BACKSPACE}h6{ENTER}", "h6 doesn't win")
        await somebody.presses(ENTER, "The other player draws ")
        while "That is the end" not in somebody.terminal.seen:
            await somebody.changes(ENTER)
        await somebody.presses(ENTER, "Again! Find a better line.", "h11")


async def test_the_rest_of_a_refutation_can_be_left_out() -> None:
    async with solving() as somebody:
        await somebody.presses(f"h6{ENTER}", "h6 doesn't win", "r try again")
        await somebody.presses("r", "Again! Find a better line.")


async def test_lines_are_chosen_by_arrows_and_by_clicks() -> None:
    async with solving() as somebody:
        await somebody.presses(f"{RIGHT}{DOWN}{TAB}{ENTER}", "Enter next")
        somebody.terminal.type("r" if "r try again" in somebody.terminal.seen else ENTER)
        await somebody.terminal.sees("Enter draws the line")
    async with solving() as somebody:
        somebody.terminal.click_on("h11")
        await somebody.terminal.sees("Right!")
        somebody.terminal.click(0, 0)
        await somebody.terminal.sees("Find the line that wins")


async def test_what_is_no_line_is_refused_until_the_next_key() -> None:
    async with solving() as somebody:
        await somebody.presses(f"h99{ENTER}", "h99 is not on a 3×3 board")
        await somebody.presses("h", "Find the line that wins", "> h")


async def test_names_are_hidden_and_shown() -> None:
    async with solving() as somebody:
        somebody.terminal.type(F2)
        await somebody.terminal.sees_no("h11")
        await somebody.presses(F2, "h11")


async def test_a_small_terminal_says_so_and_ctrl_c_interrupts() -> None:
    async with solving(30, 8) as somebody:
        somebody.terminal.resize(80, 24)
        somebody.terminal.type(CTRL_C)
        assert await somebody.ended() == Exit.INTERRUPTED
