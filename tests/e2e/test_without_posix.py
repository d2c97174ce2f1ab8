"""Boxroom where the names of POSIX are missing, as on Windows: see `without_posix`."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.piped import Piped, boxroom
from tests.e2e.serving import ServerProcess, server_process
from tests.e2e.terminal import CTRL_C, LIMIT_S, Terminal
from tests.faults.server_process import free_port

from boxroom_client.cli.commands import COMMANDS

FOLDER = Path(__file__).parent / "without_posix"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
EDGES = [f"h{n}" for n in range(6)] + [f"v{n}" for n in range(6)]
"""Lines of a board of 2×2 boxes."""
SMALL = ("--rows", "2", "--cols", "2")
SLOW_ENGINE = "The slow engine is in use. There is no fast one for Windows."
NO_ADMIN = "boxroom admin needs Unix sockets, which Python lacks on Windows"

SCRIPT = """\
from boxroom import arena, seat

def robby(state):
    print("I think \x1b[2J")
    return state.legal_moves()[0]

print(arena([robby, "greedy"], games=2, rows=2, cols=2, jobs=1))
seat(robby, {address!r}, "den", name="Robby", games=1)
"""


@pytest.fixture(autouse=True)
def _without_posix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))
    for variable in ("BOXROOM_CONFIG_DIR", "BOXROOM_DATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))


@pytest.fixture
def server(_without_posix: None) -> Iterator[ServerProcess]:
    """A server without POSIX, too."""
    with server_process() as running:
        yield running


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself(command: str) -> None:
    ended = boxroom(command, "--help")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("--version --verbose", SLOW_ENGINE),
        ("solve --rows 2 --cols 2", "The 8 best moves are"),
        ("perfect subtract-square --start 12", "Player 1 plays 1"),
        ("tree dots --rows 1 --cols 1 --depth 2", "Player 1 plays h0"),
        (f"replay {EXAMPLES / 'game.txt'}", "Ada won with 9 boxes."),
        (f"analyse {EXAMPLES / 'lesson.txt'} --time 0.01", "Ada ahead"),
        (f"draw {EXAMPLES / 'game.txt'} --out game.svg", "game.svg"),
        ("history list", "You have played no game"),
        ("config", "there is none yet"),
        ("arena random greedy --games 4 --grid 2x2 --jobs 1", "Elo is counted from random"),
        ("play --watch --rows 2 --cols 2", "Easy"),
    ],
)
def test_commands_do_their_work(
    line: str, printed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = boxroom(*line.split())
    assert ended.returncode == 0, ended.stderr
    assert printed in ended.stdout


def test_a_game_with_a_bot_is_played_to_its_end_through_pipes() -> None:
    played = boxroom("play", *SMALL, "--bot", "greedy", typed="\n".join(EDGES * 2))
    assert played.returncode == 0, played.stderr
    assert "Type /rematch" in played.stdout


@pytest.mark.parametrize("shell", [(), ("--plain",)])
def test_a_game_is_played_in_a_terminal(shell: tuple[str, ...]) -> None:
    with Terminal("play", *SMALL, "--name", "Ada", *shell) as ada:
        ada.wait_for("Ada")
        ada.type("h0")
        ada.wait_for("Child plays")
        ada.press(CTRL_C + CTRL_C)
        assert ada.wait_for_end() == 130


def test_people_and_a_robot_play_on_a_server(server: ServerProcess, tmp_path: Path) -> None:
    """The robot is that of a script, which plays in a contest before."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(address=server.address), encoding="utf-8")
    with Piped("join", server.address, "--create", "--room", "den", "--name", "Ada") as ada:
        ada.type_lines("/set rows 2 cols 2")
        ada.wait_for("The host changes the settings")
        with subprocess.Popen(
            [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as robby:
            ada.wait_for("All seats are taken")
            ada.type_lines("/start", *EDGES)
            ada.wait_for("Robby leaves.")
            printed, errors = robby.communicate(timeout=LIMIT_S)
        assert ada.close() == 0
    assert robby.returncode == 0, errors
    assert "Elo is counted from" in printed
    assert "I think" in errors
    assert "\x1b" not in errors


def test_a_server_keeps_its_rooms_and_runs_without_administration(tmp_path: Path) -> None:
    data = tmp_path / "data"
    place = ("--data", str(data), "--host", "127.0.0.1", "--port", "0", "--no-announce")
    with Piped("serve", *place) as server:
        server.wait_for("Ctrl-C stops the server.")
        second = boxroom("serve", *place)
        assert second.returncode == 1
        assert f"{data} belongs to another server that runs" in second.stderr
        server.interrupt()
        server.wait_for("Stopping: members are told.")
        assert server.close() == 0
    wanted = boxroom("serve", *place, "--admin-socket", str(tmp_path / "socket"))
    assert (wanted.returncode, wanted.stderr.splitlines()[-1]) == (1, f"boxroom: {NO_ADMIN}")
    asked = boxroom("admin", "--data", str(data), "list")
    assert (asked.returncode, asked.stderr) == (1, f"boxroom: {NO_ADMIN}\n")


def test_a_host_plays_with_a_guest_and_stops_the_server() -> None:
    port = str(free_port())
    quietly = ("--memory", "--", "--host", "127.0.0.1", "--no-announce")
    with Piped("host", "--name", "Ada", "--room", "den", "--port", port, *quietly) as ada:
        ada.wait_for("You are the host")
        with Piped("join", f"127.0.0.1:{port}", "--name", "Bob") as bob:
            ada.wait_for("Bob comes in")
            ada.type_lines("/start")
            bob.wait_for("In order of play: Ada and Bob.")
            assert bob.close() == 0
        ada.type_lines("/quit", "y")
        ada.wait_for("The server goes on for the others")
        assert ada.close() == 0
    ended = boxroom("host", "--stop", "--port", port)
    assert ended.stderr.startswith("boxroom: Others may still be there.")
    ended = boxroom("host", "--stop", "--yes", "--port", port)
    assert (ended.returncode, ended.stdout) == (0, f"The server on port {port} has stopped.\n")
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(port))) != 0
