"""`boxroom host`, and the menu of `boxroom` alone, as users start them."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.certificates import Authority
from tests.e2e.piped import Piped, boxroom
from tests.e2e.serving import server_process
from tests.e2e.terminal import CTRL_C, CTRL_D, Terminal
from tests.faults.server_process import free_port

from boxroom_common.run_file import RunFile

ESC, DOWN, F10 = "\x1b", "\x1b[B", "\x1b[21~"
CUT = "The connection of Ada is lost"
SERVE = ("--", "--host", "127.0.0.1", "--no-announce", "--pace-s", "0")
QUIETLY = ("--memory", *SERVE)
GOES_ON = "The server goes on for the others, and ends 10 minutes after the last one has left."


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("BOXROOM_DATA", str(tmp_path / "data"))


@pytest.fixture
def ends(port: str) -> Iterator[None]:
    """Stop the server at the end of the test."""
    yield
    boxroom("host", "--stop", "--yes", "--port", port)
    assert not is_served(port)


def kill_server(port: str, tmp_path: Path) -> None:
    """End the server as a crash would."""
    server = RunFile(tmp_path / "config" / "hosted" / f"{port}.json").read()
    assert server is not None
    os.kill(server.pid, signal.SIGKILL)


@pytest.fixture
def port() -> str:
    return str(free_port())


def is_served(port: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


@contextmanager
def hosting(
    port: str, *options: str, serve: tuple[str, ...] = QUIETLY
) -> Iterator[tuple[Terminal, Piped]]:
    """Let Ada host the room den in a terminal, and Bob join it; end the server at last."""
    host = ("host", "--name", "Ada", "--room", "den", "--port", port, *options)
    with ExitStack() as stack:
        stack.callback(boxroom, "host", "--stop", "--yes", "--port", port)
        ada = stack.enter_context(Terminal(*host, *serve, lines=40))
        ada.wait_for("You are the host")
        bob = stack.enter_context(Piped("join", f"127.0.0.1:{port}", "--name", "Bob"))
        bob.wait_for("Joining the room den")
        ada.wait_for("Bob comes in")
        yield ada, bob
    assert not is_served(port)


def can_talk(bob: Piped, text: str = "are you there?") -> bool:
    bob.type_lines(text)
    bob.wait_for(f"Bob: {text}")
    return True


def test_the_host_plays_with_guests_and_stops_the_server(port: str) -> None:
    with hosting(port, "--plain") as (ada, bob):
        assert f"boxroom join 127.0.0.1:{port}" in ada.written
        assert f"http://127.0.0.1:{port}/" in ada.written
        assert f"http://localhost:{port}/#den" in ada.written
        assert "Ctrl-C stops the server" not in ada.written
        ada.type("/start")
        bob.wait_for("In order of play: Ada and Bob.")
        ada.type("/quit")
        ada.wait_for("Leave the game that is on?")
        ada.type("y")
        assert ada.wait_for_end() == 0
        assert GOES_ON in " ".join(ada.text.split())
        assert f"`boxroom host --port {port}` brings you back." in ada.text
        assert f"`boxroom host --port {port} --stop` stops the server." in ada.text
        assert "It saves nothing (--memory)" in ada.text
        assert can_talk(bob)
        with Terminal("host", "--stop", "--port", port) as stopping:
            stopping.wait_for("Bob is still there.")
            stopping.wait_for("its rooms and games will be lost.")
            stopping.type("n")
            assert stopping.wait_for_end() == 0
        assert can_talk(bob, "still there?")
        with Terminal("host", "--stop", "--port", port) as stopping:
            stopping.wait_for("Stop the server?")
            stopping.type("y")
            stopping.wait_for(f"The server on port {port} has stopped.")
            assert stopping.wait_for_end() == 0
        assert not is_served(port)


@pytest.mark.parametrize(
    ("keys", "shell"),
    [
        ((CTRL_C, CTRL_C), ()),
        ((F10, "y\r"), ()),
        ((CTRL_C,), ("--plain",)),
        ((CTRL_D,), ("--plain",)),
    ],
)
def test_the_shell_is_free_whatever_key_the_host_leaves_with(
    port: str, keys: tuple[str, ...], shell: tuple[str, ...]
) -> None:
    with hosting(port, *shell) as (ada, bob):
        for key in keys:
            ada.press(key)
            ada.read_more()
        assert ada.wait_for_end() == 0
        assert "The server goes on for the others" in ada.text
        bob.wait_for("Ada leaves")
        assert can_talk(bob)


@pytest.mark.parametrize(
    ("ending", "shell"),
    [
        *(("hang up", ()), (signal.SIGTERM, ()), (signal.SIGKILL, ())),
        *(("hang up", ("--plain",)), (signal.SIGTERM, ("--plain",))),
    ],
)
def test_guests_stay_when_the_host_ends_without_leaving(
    port: str, ending: signal.Signals | str, shell: tuple[str, ...]
) -> None:
    with hosting(port, *shell) as (ada, bob):
        if isinstance(ending, signal.Signals):
            os.kill(ada.pid, ending)
            bob.wait_for("The connection of Ada")
        else:
            ada.hang_up()
            os.waitpid(ada.pid, 0)
        assert can_talk(bob)


@pytest.mark.parametrize("shell", [(), ("--plain",)])
def test_a_server_that_crashes_is_started_anew_on_its_data(
    port: str, tmp_path: Path, shell: tuple[str, ...]
) -> None:
    with hosting(port, *shell, serve=SERVE) as (ada, bob):
        ada.type("/start")
        bob.wait_for("In order of play: Ada and Bob.")
        ada.type("h0")
        bob.wait_for("Ada plays h0")
        for word in ("once", "again"):
            kill_server(port, tmp_path)
            ada.wait_for("server had crashed", times=1 + (word == "again"))
            assert can_talk(bob, word)
        bob.type_lines("h1")
        ada.wait_for("Bob plays h1")


def test_a_crash_of_a_server_that_saves_nothing_is_the_end(port: str, tmp_path: Path) -> None:
    with hosting(port, "--plain") as (ada, _):
        kill_server(port, tmp_path)
        ada.wait_for("saves nothing (--memory): the room is lost")
        assert ada.wait_for_end() != 0


def test_a_server_that_has_crashed_without_its_host_is_started_by_the_next_command(
    port: str, tmp_path: Path
) -> None:
    data = ("--data", str(tmp_path / "elsewhere"))
    with hosting(port, "--plain", serve=(*SERVE, *data)) as (ada, bob):
        ada.press(CTRL_D)
        ada.wait_for_end()
        kill_server(port, tmp_path)
        bob.wait_for("The connection is lost")
        ended = boxroom("host", "--stop", "--port", port)
        assert ended.stderr == f"boxroom: no server of yours runs on port {port}\n"
        with Terminal("host", "--plain", "--name", "Ada", "--port", port) as ada_again:
            ada_again.wait_for("Your server had crashed; it runs again")
            ada_again.wait_for("Back to your room den.")
        assert can_talk(bob)


def test_two_who_host_at_once_on_a_port_share_the_server(port: str, ends: None) -> None:
    host = ("host", "--plain", "--port", port, *QUIETLY)
    with (
        Terminal("host", "--name", "Ada", *host[1:]) as ada,
        Terminal("host", "--name", "Cid", *host[1:]) as cid,
    ):
        for person in (ada, cid):
            person.wait_for("You are the host")


def test_a_server_with_people_is_stopped_by_a_script_only_with_yes(port: str) -> None:
    with hosting(port, "--plain"):
        ended = boxroom("host", "--stop", "--port", port)
        assert ended.returncode == 1
        assert ended.stderr.startswith("boxroom: Ada and Bob are still there.")
        assert ended.stderr.endswith("`--stop --yes` stops it all the same.\n")
        assert is_served(port)


def test_the_host_comes_back_after_a_crash(port: str) -> None:
    with hosting(port) as (ada, bob):
        os.kill(ada.pid, signal.SIGKILL)
        bob.wait_for(CUT)
        assert can_talk(bob)
        again = ("host", "--plain", "--name", "Ada", "--port", port)
        for named in (("--room", "den"), ()):
            with Terminal(*again, *named) as ada_again:
                ada_again.wait_for(f"Your server on port {port} still runs.")
                ada_again.wait_for("Back to your room den." if named else "Back to the room den")
                ada_again.wait_for("/start starts the game")
                os.kill(ada_again.pid, signal.SIGKILL)


def test_the_room_of_somebody_else_isnt_entered(port: str) -> None:
    with hosting(port):
        ended = boxroom("host", "--name", "Cid", "--room", "DEN", "--port", port)
    assert ended.returncode == 1
    assert ended.stderr == (
        f"boxroom: Ada hosts the room den there: boxroom join localhost:{port} --room den joins it,"
        " and another --room makes a new one\n"
    )


def leave(ada: Terminal) -> None:
    ada.press(CTRL_D)
    ada.wait_for("The server goes on for the others")
    assert ada.wait_for_end() == 0


def test_the_host_joins_where_the_server_listens(port: str, ends: None) -> None:
    options = ("--memory", "--", "--host", "::1", "--no-announce")
    with Terminal("host", "--plain", "--name", "Ada", "--port", port, *options) as ada:
        ada.wait_for(f"boxroom join [::1]:{port}")
        ada.wait_for("You are the host")
        leave(ada)


def test_the_host_joins_its_server_with_tls_and_comes_back(
    port: str, ends: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("BOXROOM_CA", str(authority.file))
    options = ("--memory", "--", "--host", "127.0.0.1", *authority.issue().flags)
    with Terminal("host", "--plain", "--name", "Ada", "--port", port, *options) as ada:
        ada.wait_for(f"boxroom join wss://127.0.0.1:{port}")
        ada.wait_for("You are the host")
        leave(ada)
    with Terminal("host", "--plain", "--name", "Ada", "--port", port) as ada:
        ada.wait_for(f"Your server on port {port} still runs.")
        ada.wait_for("You are the host")


def test_a_log_in_json_is_for_programs() -> None:
    ended = boxroom("host", "--", "--log-json")
    assert ended.returncode == 2
    assert "--log-json is for programs" in ended.stderr


def test_a_server_that_runs_already_is_used(port: str) -> None:
    with server_process(int(port)):
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
