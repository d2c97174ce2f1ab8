"""The number of keys with which people get to a move, after the shell's prompt."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e.piped import boxroom
from tests.e2e.terminal import BASH, Terminal
from tests.faults.server_process import free_port

DOWN = "\x1b[B"
ENTER = "\r"


class Typist:
    """A person at a shell whose keys are counted."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.keys = 0
        """Keys so far; an arrow is one."""

    def press(self, *keys: str, then: str) -> None:
        """Press `keys`, and wait until the screen shows `then`."""
        for key in keys:
            self.keys += 1
            self.terminal.press(key)
        self.terminal.wait_for(then)


ON_PORT = """
import sys
from boxroom_engine.wire import ports
ports.DEFAULT_PORT = {port}
from boxroom_client.main import main
sys.exit(main())
"""
"""The program with another default port, which nothing else here listens on."""


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[int]:
    """Give the default port; stop the server there at the end."""
    port = free_port()
    for folder in ("CONFIG_DIR", "DATA", "GAMES"):
        monkeypatch.setenv(f"BOXROOM_{folder}", str(tmp_path / folder))
    (tmp_path / "program.py").write_text(ON_PORT.format(port=port))
    yield port
    boxroom("host", "--stop", "--yes", "--port", str(port))


@contextmanager
def at_a_shell(tmp_path: Path, **environ: str) -> Iterator[Typist]:
    """Start a shell that knows the command `boxroom`."""
    with Terminal(command=BASH, lines=40, environ={"PS1": "shell: ", **environ}) as terminal:
        terminal.wait_for("shell:")
        terminal.type(f"boxroom() {{ {sys.executable} {tmp_path}/program.py $@; }}; clear")
        terminal.wait_until(lambda: terminal.text.strip() == "shell:", "clear")
        yield Typist(terminal)


def number_of(item: str, menu: str) -> str:
    """Return the digit that chooses `item`: other servers on the network may stand above it."""
    (line,) = (line for line in menu.split("\n") if item in line)
    return line.strip("▶ ")[0]


@pytest.mark.usefixtures("port")
def test_a_first_move_against_a_bot_takes_16_keys_at_most(tmp_path: Path) -> None:
    with at_a_shell(tmp_path) as typist:
        typist.press(*"boxroom", ENTER, then="Play")
        typist.press(ENTER, then="a game at this computer")
        typist.press(ENTER, then="your turn")
        typist.press(*"h0", ENTER, then="plays h0")
    assert typist.keys <= 16


def test_a_room_takes_24_keys_at_most_and_its_guests_first_move_20(
    tmp_path: Path, port: int
) -> None:
    with at_a_shell(tmp_path) as host:
        host.press(*"boxroom", ENTER, then="Host")
        host.press("3", then="a new room")
        host.press(DOWN, "7", DOWN, "7", DOWN, DOWN, "3", then="7")
        host.press(DOWN, "1", then="They play")
        host.press(ENTER, then="You are the host")
        host.terminal.wait_for("easy")
        host.terminal.wait_for("rows 7, cols 7")
        assert host.keys <= 24
        with at_a_shell(
            tmp_path, BOXROOM_CONFIG_DIR=str(tmp_path / "guest"), LOGNAME="bob"
        ) as guest:
            guest.press(*"boxroom", ENTER, then="Join")
            guest.press("2", then=f"localhost:{port}")
            guest.press(number_of(f"localhost:{port}", guest.terminal.text), then="2/3")
            guest.press(ENTER, then="waiting for the host")
            host.terminal.type("/start")
            host.terminal.wait_for("your turn")
            host.terminal.type("h0")
            guest.terminal.wait_for("your turn")
            guest.press(*"h1", ENTER, then="bob plays h1")
    assert guest.keys <= 20
