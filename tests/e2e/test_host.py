"""`boxroom host`, and the menu of `boxroom` alone, as users start them."""

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.certificates import Authority
from tests.e2e.piped import Piped, boxroom
from tests.e2e.terminal import CTRL_C, LIMIT_S, PROGRAM, Terminal

ESC, DOWN = "\x1b", "\x1b[B"
QUIETLY = ("--memory", "--", "--host", "127.0.0.1", "--no-announce", "--pace-s", "0")


@pytest.fixture(autouse=True)
def _own_identities(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))


@pytest.fixture
def port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return str(free.getsockname()[1])


def is_served(port: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


@contextmanager
def serving(port: str) -> Iterator[None]:
    arguments = ("serve", "--memory", "--host", "127.0.0.1", "--port", port, "--no-announce")
    with subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            yield
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=LIMIT_S)


def test_the_host_plays_with_guests_and_stops_the_server(port: str) -> None:
    arguments = ("host", "--plain", "--name", "Ada", "--room", "den", "--port", port, *QUIETLY)
    with ExitStack() as stack:
        ada = stack.enter_context(Terminal(*arguments))
        ada.wait_for(f"boxroom join 127.0.0.1:{port}")
        ada.wait_for(f"http://127.0.0.1:{port}/")
        ada.wait_for("You are the host")
        ada.wait_for(f"http://localhost:{port}/#den")
        bob = stack.enter_context(Piped("join", f"127.0.0.1:{port}", "--name", "Bob"))
        bob.wait_for("Joining the room den")
        ada.wait_for("Bob comes in")
        ada.type("/start")
        bob.wait_for("In order of play: Ada and Bob.")
        ada.type("/quit")
        ada.wait_for("Leave the game that is on?")
        ada.type("y")
        ada.wait_for("The server goes on for the others.")
        bob.type_lines("are you there?")
        bob.wait_for("Bob: are you there?")
        ada.press(CTRL_C)
        assert ada.wait_for_end() == 130
    assert not is_served(port)


def test_the_host_joins_where_the_server_listens(port: str) -> None:
    options = ("--memory", "--", "--host", "::1", "--no-announce")
    with Terminal("host", "--plain", "--name", "Ada", "--port", port, *options) as ada:
        ada.wait_for(f"boxroom join [::1]:{port}")
        ada.wait_for("You are the host")


def test_the_host_joins_its_server_with_tls(
    port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("BOXROOM_CA", str(authority.file))
    options = ("--memory", "--", "--host", "127.0.0.1", *authority.issue().flags)
    with Terminal("host", "--plain", "--name", "Ada", "--port", port, *options) as ada:
        ada.wait_for(f"boxroom join wss://127.0.0.1:{port}")
        ada.wait_for("You are the host")


def test_a_log_in_json_is_for_programs() -> None:
    ended = boxroom("host", "--", "--log-json")
    assert ended.returncode == 2
    assert "--log-json is for programs" in ended.stderr


def test_a_server_that_runs_already_is_used(port: str) -> None:
    with serving(port):
        with Terminal("host", "--plain", "--name", "Ada", "--port", port, *QUIETLY) as ada:
            ada.wait_for(f"A server runs on port {port} already: the room is there.")
            ada.wait_for("You are the host")
            ada.type("/quit")
            ada.wait_for("Leave the room?")
            ada.type("y")
            assert ada.wait_for_end() == 0
        assert is_served(port)


def test_a_port_of_another_program_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = boxroom("host", "--port", str(port), *QUIETLY)
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"boxroom: can't listen on 127.0.0.1:{port}: another program does")


@pytest.mark.parametrize("port", ["0", "-1", "99999"])
def test_a_number_that_is_no_port_is_wrong_usage(port: str) -> None:
    ended = boxroom("host", "--port", port, *QUIETLY)
    assert ended.returncode == 2
    assert f"--port is 1 to 65535, not {port}" in ended.stderr


def test_an_option_that_serve_refuses_is_told() -> None:
    ended = boxroom("host", "--memory", "--", "--prot", "1")
    assert ended.returncode == 1
    assert "there is no option --prot: did you mean --port?" in ended.stderr


def test_the_menu_leads_to_a_game_and_can_be_left() -> None:
    with Terminal(lines=24) as terminal:
        terminal.wait_for("Play")
        terminal.press("\r")
        terminal.wait_for("a game at this computer")
        terminal.press(ESC)
        assert terminal.wait_for_end() == 0
    with Terminal(lines=24) as terminal:
        terminal.wait_for("Play")
        terminal.press(DOWN)
        terminal.press("q")
        assert terminal.wait_for_end() == 0
    with Terminal(lines=24) as terminal:
        terminal.wait_for("Play")
        terminal.press(CTRL_C)
        assert terminal.wait_for_end() == 130
