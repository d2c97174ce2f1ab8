"""The replay, with keys and clicks in a terminal."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.client.screen.boards import dots
from tests.client.screen.looks import SYMBOLS, fills, plain
from tests.client.screen.playing import PATIENCE_S, Terminal, a_terminal

from boxroom_client.screen.layout import NOWHERE
from boxroom_client.screen.model import DisplayOptions, Model
from boxroom_client.screen.replay.app import ReplayScreen
from boxroom_client.screen.replay.picture import draw, position_at
from boxroom_client.screen.replay.playback import Playback
from boxroom_client.screen.replay.recorded_game import NO_MEMBER, RecordedGame, Step
from boxroom_client.screen.themes.symbols import ASCII, Symbols
from boxroom_client.screen.themes.theme import load_theme
from boxroom_client.shell.recording import rooms
from boxroom_common.exits import Exit
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.record import Record

RIGHT, LEFT, UP, DOWN, ESC = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B", "\x1b"
SHIFT_RIGHT, SHIFT_LEFT = "\x1b[1;2C", "\x1b[1;2D"
HOME, END, PAGE_UP, PAGE_DOWN = "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~"
F1, F2, F3 = "\x1bOP", "\x1bOQ", "\x1bOR"
WHEEL_UP, WHEEL_DOWN = "\x1b[<64;{};{}M", "\x1b[<65;{};{}M"

GAME = "dots rows=2 cols=2 border=none | Ada, Bob | h0 h1 h2 h3 h4 h5 v0 v2 v1 v3 v5 v4"
NOUGHTS = "noughts | Ada, Bob | 4 0 8"


def steps_of(text: str) -> list[Step]:
    return list(rooms(Record.parse(text)))


def a_large_game() -> list[Step]:
    """Return a game on 30×30 boxes whose first moves are far from one another."""
    game = dots(30, 30)
    moves = ("h0", "v929", "h929", "v0")
    return list(rooms(Record(game, ("Ada", "Bob", "Cleo"), moves)))


class Time:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.waited: list[float] = []
        """Seconds of each wait of the screen."""
        self._passing = asyncio.Event()

    async def pause(self, seconds: float) -> None:
        self.waited.append(seconds)
        self._passing.clear()
        await self._passing.wait()

    def is_waited_for(self, times: int) -> bool:
        """Whether the screen has begun so many waits."""
        return len(self.waited) == times

    def passes(self) -> None:
        """End the current wait."""
        self._passing.set()


class Watching:
    """A person's terminal with a replay."""

    def __init__(self, terminal: Terminal, time: Time, task: asyncio.Task[Exit]) -> None:
        self.terminal = terminal
        self.time = time
        self._task = task

    async def presses(self, keys: str, *texts: str) -> None:
        """Press `keys`, and wait for `texts`."""
        self.terminal.type(keys)
        await self.terminal.sees(*texts)

    async def ended(self) -> Exit:
        """Wait for the end and return the exit code."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._task


@asynccontextmanager
async def watching(
    steps: list[Step],
    *,
    columns: int = 80,
    lines: int = 24,
    options: DisplayOptions | None = None,
    at: int = 0,
) -> AsyncIterator[Watching]:
    time = Time()
    with a_terminal(columns, lines) as terminal:
        screen = ReplayScreen(
            steps, options or DisplayOptions(), load_theme("dark"), at=at, pause=time.pause
        )
        task = asyncio.create_task(screen.run())
        try:
            yield Watching(terminal, time, task)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


# Looks


def a_screen(
    at: int, columns: int, lines: int, options: DisplayOptions, *, plays: bool = False
) -> str:
    game = RecordedGame(steps_of(GAME))
    model = Model(game.room(at), NO_MEMBER, options, game.journal(at), fresh_until_s=1.0)
    return plain(draw(model, Playback(game.last, at, plays=plays), columns, lines).rows)


def test_a_replay(golden: Callable[[str, str], None]) -> None:
    golden("replay-80x24", a_screen(9, 80, 24, DisplayOptions(), plays=True))
    golden("replay-over", a_screen(12, 80, 24, DisplayOptions()))
    golden("replay-40x12-ascii", a_screen(9, 40, 12, DisplayOptions(symbols=ASCII)))


async def test_the_help(golden: Callable[[str, str], None]) -> None:
    async with watching(steps_of(GAME), lines=40) as somebody:
        await somebody.presses(F1, "goes on by a move")
        golden("replay-help", f"{somebody.terminal.seen}\n")


@given(
    columns=st.integers(1, 140),
    lines=st.integers(1, 50),
    at=st.integers(0, 12),
    typed=st.sampled_from([None, "", "12"]),
    symbols=SYMBOLS,
    size=st.sampled_from([None, *Size]),
)
def test_every_picture_fills_its_terminal(
    *, columns: int, lines: int, at: int, typed: str | None, symbols: Symbols, size: Size | None
) -> None:
    game = RecordedGame(steps_of(GAME))
    options = DisplayOptions(symbols=symbols, size=size)
    model = Model(game.room(at), NO_MEMBER, options, game.journal(at))
    seen = draw(model, Playback(game.last, at, typed=typed), columns, lines)
    assert fills(seen.rows, columns, lines)
    assert plain(seen.rows).isascii() or symbols is not ASCII
    if seen.bar != NOWHERE:
        assert position_at(seen.bar, seen.bar.x, game.last) == 0
        assert position_at(seen.bar, seen.bar.x + seen.bar.columns - 1, game.last) == game.last


def test_it_knows_no_game() -> None:
    game = RecordedGame(steps_of(NOUGHTS))
    model = Model(game.room(3), NO_MEMBER, DisplayOptions(), game.journal(3))
    shown = plain(draw(model, Playback(3, 3), 80, 24).rows)
    assert "Noughts and Crosses" in shown
    assert "move 3 of 3" in shown


# Going through it


async def test_a_game_is_gone_through_move_by_move() -> None:
    async with watching(steps_of(GAME)) as somebody:
        await somebody.terminal.sees("move 0 of 12", "The game begins", "Ada's turn")
        for at, key in enumerate((RIGHT, "l", " "), start=1):
            await somebody.presses(key, f"move {at} of 12")
        await somebody.terminal.sees("3. Ada plays h2.", "Bob's turn")
        await somebody.presses(LEFT, "move 2 of 12")
        await somebody.terminal.sees_no("3. Ada")
        await somebody.presses("h", "move 1 of 12")
        await somebody.presses(LEFT + LEFT + LEFT, "move 0 of 12")


async def test_it_is_gone_through_in_leaps() -> None:
    async with watching(steps_of(GAME), at=1) as somebody:
        await somebody.presses(PAGE_DOWN, "move 11 of 12")
        await somebody.presses(PAGE_DOWN, "move 12 of 12", "game over", "4  Ada")
        await somebody.presses(PAGE_UP, "move 2 of 12")
        await somebody.presses(END, "move 12 of 12")
        await somebody.presses(HOME, "move 0 of 12")


async def test_it_leaps_to_moves_that_took_something() -> None:
    async with watching(steps_of(GAME)) as somebody:
        await somebody.presses("n", "move 9 of 12", "Ada takes 2 boxes and goes again (v1)")
        await somebody.presses("n", "move 12 of 12")
        await somebody.presses("N", "move 9 of 12")
        await somebody.presses("N", "move 9 of 12")


async def test_the_number_of_a_move_leads_there() -> None:
    async with watching(steps_of(GAME)) as somebody:
        await somebody.presses("10", "go to move 10_", "0 to 12")
        await somebody.presses("\r", "move 10 of 12")
        await somebody.presses("g", "go to move _")
        await somebody.presses("71\x7f", "go to move 7_")
        await somebody.presses("g", "move 7 of 12")
        await somebody.presses("99\r", "move 12 of 12")
        await somebody.presses("3", "go to move 3_")
        await somebody.presses(ESC, "move 12 of 12")


async def test_it_begins_where_one_wants_to() -> None:
    async with watching(steps_of(GAME), at=7) as somebody:
        await somebody.terminal.sees("move 7 of 12", "7. Ada plays v0.")


# By itself


async def test_it_plays_by_itself_until_the_end() -> None:
    async with watching(steps_of(GAME), at=9) as somebody:
        await somebody.presses("p", "playing, 1 s a move")
        for at in (10, 11, 12):
            await somebody.terminal.until(partial(somebody.time.is_waited_for, at - 9))
            somebody.time.passes()
            await somebody.terminal.sees(f"move {at} of 12")
        await somebody.terminal.sees("paused")
        await somebody.presses("p", "move 0 of 12", "playing")


async def test_it_plays_as_fast_as_one_wants_and_pauses() -> None:
    async with watching(steps_of(GAME)) as somebody:
        await somebody.presses("p", "playing, 1 s a move")
        await somebody.presses("+", "playing, 0.5 s a move")
        await somebody.presses("--", "playing, 2 s a move")
        await somebody.terminal.until(lambda: somebody.time.waited[-1:] == [2.0])
        await somebody.presses(RIGHT, "move 1 of 12", "playing")
        await somebody.presses("p", "paused, 2 s a move")
        somebody.time.passes()
        await somebody.presses(RIGHT, "move 2 of 12")


async def test_it_pauses_for_who_reads_the_help() -> None:
    async with watching(steps_of(GAME)) as somebody:
        await somebody.presses("p", "playing")
        await somebody.presses(F1, "Help", "goes on by a move")
        await somebody.presses(F1, "paused", "move 0 of 12")


# Looking


async def test_names_and_sizes_change_by_a_key() -> None:
    async with watching(steps_of(GAME), options=DisplayOptions(size=Size.NORMAL)) as somebody:
        await somebody.terminal.sees("•  h0 •  h1 •")
        await somebody.presses(F2, "•·····•·····•")
        await somebody.presses(F2, "•  h0 •  h1 •")
        await somebody.presses(F3, "•··· h0 ··•")
        await somebody.presses(F3 + F3, "• h0• h1•")


async def test_the_help_is_scrolled_and_closed() -> None:
    async with watching(steps_of(GAME), columns=40, lines=12) as somebody:
        await somebody.presses("?", "29 more", "goes on by a move")
        await somebody.presses(PAGE_DOWN, "plays slower")
        await somebody.terminal.sees_no("goes on by a move")
        await somebody.presses(UP + UP + UP + UP + UP + UP + UP + UP + UP, "goes on by a move")
        await somebody.presses(DOWN * 99, "Ctrl-C")
        await somebody.presses(WHEEL_UP.format(5, 5), "Help")
        await somebody.presses(f"n3{RIGHT}{PAGE_UP * 9}", "goes on by a move")
        await somebody.presses(ESC, "0 of 12")
        await somebody.presses("?", "29 more")
        await somebody.presses("q", "0 of 12")


async def test_the_view_of_a_large_board_follows_the_moves() -> None:
    async with watching(a_large_game(), options=DisplayOptions(size=Size.NORMAL)) as somebody:
        await somebody.terminal.sees("h30", "rows 1–8")
        await somebody.presses(RIGHT + RIGHT, "v928", "–30 of 30")
        await somebody.terminal.sees_no("h30 ")
        await somebody.presses(END, "h30 ")
        await somebody.terminal.sees_no("v928")


async def test_a_large_board_is_scrolled() -> None:
    async with watching(a_large_game(), options=DisplayOptions(size=Size.NORMAL)) as somebody:
        await somebody.terminal.sees("rows 1–8", "columns 1–11")
        await somebody.presses("j", "rows 2–9")
        await somebody.presses(UP, "rows 1–8")
        await somebody.presses("L", "columns 2–12")
        await somebody.presses(SHIFT_LEFT, "columns 1–11")
        await somebody.presses(SHIFT_RIGHT + DOWN, "columns 2–12", "rows 2–9")
        await somebody.presses(WHEEL_DOWN.format(3, 5), "rows 3–10")


async def test_the_log_is_scrolled_until_the_next_move() -> None:
    async with watching(steps_of(GAME), at=12, columns=100, lines=18) as somebody:
        await somebody.terminal.sees("4  Ada")
        await somebody.presses(WHEEL_UP.format(95, 12), "newer", "1. Ada plays h0.")
        await somebody.presses(LEFT, "11. Bob plays v5.")
        await somebody.terminal.sees_no("newer")


async def test_a_click_on_the_bar_goes_there() -> None:
    async with watching(steps_of(GAME), columns=120) as somebody:
        await somebody.terminal.sees("move 0 of 12")
        somebody.terminal.click(15 + 59, 22)
        await somebody.terminal.sees("move 12 of 12")
        somebody.terminal.click(16 + 30, 22)
        await somebody.terminal.sees("move 6 of 12")
        somebody.terminal.click(1, 1)
        await somebody.presses(RIGHT, "move 7 of 12")


@each("size", [(40, 12), (30, 8), (1, 1), (200, 60)])
async def test_it_is_gone_through_in_any_size(size: tuple[int, int]) -> None:
    async with watching(steps_of(GAME), columns=size[0], lines=size[1]) as somebody:
        somebody.terminal.type(END)
        if size >= (40, 12):
            await somebody.terminal.sees("12 of 12", "wins")
        somebody.terminal.type(F1 + DOWN + F1)
        somebody.terminal.type("q")
        assert await somebody.ended() is Exit.DONE


# The end


@each(
    "key, ending",
    [("q", Exit.DONE), (ESC, Exit.DONE), ("\x03", Exit.INTERRUPTED)],
)
async def test_it_is_left(key: str, ending: Exit) -> None:
    async with watching(steps_of(GAME)) as somebody:
        await somebody.presses(key)
        assert await somebody.ended() is ending
