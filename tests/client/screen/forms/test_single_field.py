"""Forms with one field."""

from collections.abc import Callable

from tests.client.screen.looks import LOOK, plain
from tests.client.screen.playing import a_terminal

from boxroom_client.screen.forms.single_field import NAME_FIELD, ask, question

TAKEN = "pi is somebody else's name here: take another."


async def asked(keys: str) -> str | None:
    with a_terminal() as terminal:
        terminal.type(keys)
        return await ask("Boxroom: your name", (TAKEN,), NAME_FIELD, "pi 2", look=LOOK)


async def test_enter_takes_the_proposal() -> None:
    assert await asked("\r") == "pi 2"


async def test_what_is_typed_replaces_it() -> None:
    assert await asked("Ada \r") == "Ada"


async def test_esc_cancels() -> None:
    assert await asked("\x1b") is None


async def test_a_mistake_is_told_and_can_be_corrected() -> None:
    assert await asked("A/da\r\x15Ada\r") == "Ada"


def test_it_says_why_it_asks(golden: Callable[[str, str], None]) -> None:
    form = question("Boxroom: your name", (TAKEN,), NAME_FIELD, "pi 2")
    looks = [form.rows(80, 24), form.typed("a/b").refused().rows(40, 12)]
    golden("single_field", "=\n".join(map(plain, looks)))
