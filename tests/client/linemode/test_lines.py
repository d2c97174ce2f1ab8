"""Lines from pipes, files and devices, which no event loop can wait for."""

import asyncio
import os
import termios
import tty
from pathlib import Path

import pytest

from boxroom_client.linemode.lines import PipedLines, TerminalLines


def no_prompt() -> str:
    raise AssertionError("nobody sees it")


async def all_lines(lines: PipedLines) -> list[str]:
    found = []
    with lines.opened():
        async with asyncio.timeout(20):
            while (line := await lines.next(no_prompt)) is not None:
                found.append(line)
            assert await lines.next(no_prompt) is None
    return found


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"h0\nv0\n", ["h0", "v0"]),
        (b"h0\r\nv0", ["h0", "v0"]),
        (b"\n\n", ["", ""]),
        (b"\xef\xbb\xbfh0\rv0\r\nh1\r", ["h0", "v0", "h1"]),
        (b"Zo\xc3\xab\nZo\xeb\n", ["Zoë", "Zoë"]),
        (b"h0\r\n\x1a", ["h0"]),
        (b"h0\x1a", ["h0"]),
    ],
)
async def test_a_file_is_read_line_by_line(
    tmp_path: Path, content: bytes, lines: list[str]
) -> None:
    path = tmp_path / "typed"
    path.write_bytes(content)
    with path.open("rb") as file:
        found = await all_lines(PipedLines(file.fileno()))
    assert found == lines


async def test_a_line_that_never_ends_is_cut() -> None:
    zeros = os.open("/dev/zero", os.O_RDONLY)
    lines = PipedLines(zeros)
    with lines.opened():
        async with asyncio.timeout(20):
            line = await lines.next(no_prompt)
    assert line is not None
    assert len(line) < 200_000
    os.close(zeros)


async def test_a_pipe_is_read_as_lines_come() -> None:
    reading, writing = os.pipe()
    lines = PipedLines(reading)
    with lines.opened():
        asking = asyncio.create_task(lines.next(no_prompt))
        os.write(writing, b"h0\r")
        assert await asking == "h0"
        asking = asyncio.create_task(lines.next(no_prompt))
        os.write(writing, b"\nv0\n")
        assert await asking == "v0"
        os.close(writing)
        assert await lines.next(no_prompt) is None
    os.close(reading)


async def test_who_stops_waiting_doesnt_disturb_the_thread() -> None:
    reading, writing = os.pipe()
    lines = PipedLines(reading)
    with lines.opened():
        asking = asyncio.create_task(lines.next(no_prompt))
        await asyncio.sleep(0)
        asking.cancel()
        os.write(writing, b"lost\nkept\n")
        assert await lines.next(no_prompt) == "kept"
    os.close(writing)
    os.close(reading)


async def test_what_cant_be_read_has_no_lines(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    assert await all_lines(PipedLines(folder)) == []
    os.close(folder)


async def test_ctrl_d_is_not_lost_while_text_is_printed() -> None:
    """Then the terminal is in its usual mode for a moment, and in raw mode when the key is read."""
    keyboard, terminal = os.openpty()
    before = termios.tcgetattr(terminal)
    with TerminalLines(terminal).opened():
        os.write(keyboard, b"\x04")
        tty.setraw(terminal, termios.TCSANOW)
        assert os.read(terminal, 1) == b"\x04"
    assert termios.tcgetattr(terminal)[6][termios.VEOF] == before[6][termios.VEOF]
    os.close(keyboard)
    os.close(terminal)


async def test_a_terminal_may_go_before_the_lines_end() -> None:
    keyboard, terminal = os.openpty()
    with TerminalLines(terminal).opened():
        os.close(keyboard)
        os.close(terminal)
