"""Full screens: their colours, and tasks in the background."""

import asyncio

import pytest
from prompt_toolkit.output import ColorDepth
from tests.cases import each
from tests.client.screen.looks import LOOK
from tests.client.screen.playing import a_terminal

from boxroom_client.screen.lobby.chooser import Chooser
from boxroom_client.screen.lobby.menu import Menu
from boxroom_client.screen.terminal import colour_depth


@each("colours", ["truecolor", "24bit"])
def test_true_colours_are_used_where_the_terminal_has_them(colours: str) -> None:
    assert colour_depth({"COLORTERM": colours}) is ColorDepth.TRUE_COLOR


@each(
    "environ",
    [
        {},
        {"COLORTERM": "yes"},
        {"COLORTERM": "truecolor", "NO_COLOR": "1"},
        {"COLORTERM": "truecolor", "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_4_BIT"},
    ],
)
def test_else_it_is_left_to_prompt_toolkit(environ: dict[str, str]) -> None:
    assert colour_depth(environ) is None


def chooser() -> Chooser[str]:
    return Chooser(Menu("Things"), look=LOOK)


async def test_a_failure_closes_the_screen_and_is_raised() -> None:
    async def fail() -> None:
        raise LookupError("nothing there")

    with a_terminal(), pytest.raises(LookupError, match="nothing there"):
        await chooser().run(fail())


async def test_it_may_end_before_the_screen_and_is_ended_with_it() -> None:
    ended = asyncio.Event()

    async def stay() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def end() -> None:
        terminal.type("q")

    with a_terminal() as terminal:
        assert await chooser().run(end()) is None
        terminal.type("q")
        assert await chooser().run(stay()) is None
    assert ended.is_set()


async def test_the_end_of_input_is_the_end() -> None:
    with a_terminal() as terminal:
        terminal._keys.close()
        assert await chooser().run() is None


async def test_who_waits_for_it_can_give_up() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(chooser().run())
        await terminal.sees("Things")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
