"""The screen of a menu, with keys and clicks in a terminal."""

import asyncio

import pytest
from tests.cases import each
from tests.client.screen.looks import LOOK
from tests.client.screen.playing import a_terminal

from boxroom_client.screen.lobby.chooser import Chooser, ExtraKey
from boxroom_client.screen.lobby.menu import Item, Menu
from boxroom_client.shell.frontend import Interrupted

UP, DOWN, RIGHT = "\x1b[A", "\x1b[B", "\x1b[C"
PAGE_UP, PAGE_DOWN, HOME, END = "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"
ENTER, ESC, CTRL_C, CTRL_D = "\r", "\x1b", "\x03", "\x04"
WHEEL_DOWN, WHEEL_UP = "\x1b[<65;5;5M", "\x1b[<64;5;5M"


def menu(*keys: str, obstacle: str = "") -> Menu[str]:
    return Menu("Things", tuple(Item(key, (f"item {key}",), key, "", obstacle) for key in keys))


FEW, MANY = menu(*"abc"), menu(*map(str, range(100)))


@each(
    "keys, chosen",
    [
        (ENTER, "a"),
        (DOWN + ENTER, "b"),
        (DOWN * 7 + UP + ENTER, "b"),
        ("jjk" + ENTER, "b"),
        (END + ENTER, "c"),
        (END + HOME + ENTER, "a"),
        ("\t" + ENTER, "b"),
        ("3", "c"),
        ("97" + DOWN + ENTER, "b"),
        (RIGHT + "x" + ENTER, "a"),
        (WHEEL_DOWN * 2 + WHEEL_UP + ENTER, "b"),
        (ESC, None),
        ("q", None),
        (CTRL_D, None),
    ],
)
async def test_keys_choose_from_few(keys: str, chosen: str | None) -> None:
    with a_terminal() as terminal:
        terminal.type(keys)
        assert await Chooser(FEW, look=LOOK).run() == chosen


async def test_a_page_is_a_little_less_than_what_is_seen() -> None:
    with a_terminal(80, 24) as terminal:
        task = asyncio.create_task(Chooser(MANY, look=LOOK).run())
        await terminal.sees("1 of 100")
        terminal.type(PAGE_DOWN)
        await terminal.sees("16 of 100")
        terminal.type(PAGE_DOWN + PAGE_UP + DOWN + ENTER)
        assert await task == "16"


async def test_digits_dont_choose_from_many() -> None:
    with a_terminal() as terminal:
        terminal.type("7" + ENTER)
        assert await Chooser(MANY, look=LOOK).run() == "0"


async def test_a_click_chooses() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Chooser(FEW, look=LOOK).run())
        await terminal.sees("item b")
        terminal.click(3, 0)
        terminal.click_on("item b")
        assert await task == "b"


async def test_a_click_means_what_was_seen_there_when_the_list_has_changed_since() -> None:
    with a_terminal() as terminal:
        chooser = Chooser(FEW, look=LOOK)
        task = asyncio.create_task(chooser.run())
        await terminal.sees("item b")
        terminal.click_on("item b")
        chooser.show(menu(*"xyb"))  # and no time to draw it
        assert await task == "b"


async def test_what_cant_be_chosen_says_why() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Chooser(menu("a", obstacle="It is late."), look=LOOK).run())
        await terminal.sees("item a", "It is late.")
        terminal.type(ENTER + "1")
        terminal.click_on("item a")
        terminal.type("q")
        assert await task is None


async def test_the_list_may_change_under_the_persons_hands() -> None:
    with a_terminal() as terminal:
        chooser = Chooser(FEW, look=LOOK)
        task = asyncio.create_task(chooser.run())
        await terminal.sees("▶ 1 item a")
        terminal.type(DOWN)
        await terminal.sees("▶ 2 item b")
        chooser.show(menu(*"xyzab"))
        await terminal.sees("▶ 5 item b")
        terminal.type(ENTER)
        assert await task == "b"


async def test_other_keys_do_other_things() -> None:
    def leave() -> None:
        chooser.leave("new")
        chooser.leave("newer")  # which comes too late

    with a_terminal() as terminal:
        chooser: Chooser[str] = Chooser(FEW, [ExtraKey("n", leave)], look=LOOK)
        terminal.type("nn")
        assert await chooser.run() == "new"


async def test_an_empty_list_has_nothing_to_choose() -> None:
    with a_terminal() as terminal:
        terminal.type(ENTER + DOWN + PAGE_DOWN + END + "1" + ESC)
        assert await Chooser(menu(), look=LOOK).run() is None


async def test_ctrl_c_interrupts() -> None:
    with a_terminal() as terminal:
        terminal.type(CTRL_C + CTRL_C)
        with pytest.raises(Interrupted):
            await Chooser(FEW, look=LOOK).run()


async def test_a_small_window_says_so_and_keys_still_work() -> None:
    with a_terminal(30, 8) as terminal:
        task = asyncio.create_task(Chooser(FEW, look=LOOK).run())
        await terminal.sees("40x12")
        terminal.click(5, 5)
        terminal.type(PAGE_DOWN + ENTER)
        assert await task == "b"
