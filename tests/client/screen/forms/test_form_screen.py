"""The screen of a form, with keys and clicks in a terminal."""

import asyncio

import pytest
from tests.cases import each
from tests.client.screen.forms.test_form_state import after
from tests.client.screen.looks import LOOK
from tests.client.screen.playing import a_terminal

from boxroom_client.screen.forms.form_screen import fill_in
from boxroom_client.shell.frontend import Interrupted

DOWN, LEFT, SHIFT_TAB, DELETE, HOME = "\x1b[B", "\x1b[D", "\x1b[Z", "\x1b[3~", "\x1b[H"
ENTER, ESC, BACKSPACE, F4 = "\r", "\x1b", "\x7f", "\x1bOS"
PASTE = "\x1b[200~{}\x1b[201~"


@each(
    "keys, values",
    [
        (ENTER, {}),
        (LEFT + ENTER, {"shape": "round"}),
        (DOWN + "3" + ENTER, {"pieces": "3"}),
        (DOWN + "3\t" + "Bob Bo" + ENTER, {"pieces": "3", "name 1": "Bob Bo"}),
        (SHIFT_TAB + "漢" + ENTER, {"name 2": "漢"}),
        ("\t\t" + BACKSPACE + HOME + DELETE + ENTER, {"name 1": "d"}),
        ("\t\t" + PASTE.format("Bob\r\n Bobson") + ENTER, {"name 1": "Bob Bobson"}),
        ("\t\t" + PASTE.format("\x07") + F4 + ENTER, {}),
        (DOWN + "0" + ENTER + "4" + ENTER, {"pieces": "4"}),
    ],
)
async def test_what_is_typed_is_filled_in(keys: str, values: dict[str, str]) -> None:
    with a_terminal() as terminal:
        terminal.type(keys)
        filled = await fill_in(after(), look=LOOK)
        assert filled is not None
        assert filled.values == values


@each("key", [ESC, "\x04"])
async def test_who_leaves_has_filled_in_nothing(key: str) -> None:
    with a_terminal() as terminal:
        terminal.type(DOWN + "3" + key)
        assert await fill_in(after(), look=LOOK) is None


async def test_ctrl_c_interrupts() -> None:
    with a_terminal() as terminal:
        terminal.type("\x03")
        with pytest.raises(Interrupted):
            await fill_in(after(), look=LOOK)


async def test_a_click_goes_to_a_field_and_another_one_changes_a_choice() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(fill_in(after(), look=LOOK))
        await terminal.sees("▶ Shape")
        terminal.click_on("Pieces")
        await terminal.sees("▶ Pieces")
        terminal.click_on("Pieces")
        terminal.type("1")
        await terminal.sees_no("Piece 2")
        terminal.click(0, 0)
        terminal.click_on("Shape")
        await terminal.sees("▶ Shape")
        terminal.click_on("Shape")
        await terminal.sees("a disc")
        terminal.type(ENTER)
        filled = await task
        assert filled is not None
        assert filled.values == {"pieces": "1", "shape": "round"}


async def test_the_cursor_is_where_one_types() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(fill_in(after(), look=LOOK))
        await terminal.sees("▶ Shape")
        assert terminal._screen.cursor.hidden
        terminal.type("\t\t" + "漢字")
        await terminal.sees("▶ Piece 1   漢")
        cursor = terminal._screen.cursor
        assert not cursor.hidden
        line = terminal._screen.buffer[cursor.y]
        assert line[cursor.x - 2].data == "字"
        terminal.type(ESC)
        await task
