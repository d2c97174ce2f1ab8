"""`boxroom.arena` and `seat` in a real kernel and in a plain script, also on a real server."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e.kernel import Kernel
from tests.e2e.piped import Piped
from tests.e2e.terminal import LIMIT_S, PROGRAM
from tests.results import RESULT

LINES = [f"h{n}" for n in range(6)] + [f"v{n}" for n in range(6)]

ROBOT = """\
from boxroom import arena, seat

place = 0

def of(moves):
    return moves[place]

def robby(state):
    return of(state.legal_moves())
"""
"""A cell, or the beginning of a script, with a robot that uses a function and a variable."""


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))


@contextmanager
def server() -> Iterator[str]:
    """A server in a process of its own; yield its address."""
    arguments = ("serve", "--memory", "--host", "127.0.0.1", "--port", "0", "--pace-s", "0")
    with subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"port (\d+)", process.stdout.readline())
        assert found is not None
        try:
            yield f"127.0.0.1:{found[1]}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=LIMIT_S)


@contextmanager
def ada_in_den(address: str) -> Iterator[Piped]:
    """Ada is the host of a room with a small board, and waits for another player."""
    with Piped("join", address, "--create", "--room", "den", "--name", "Ada") as ada:
        ada.type_lines("/set rows 2 cols 2")
        ada.wait_for("The host changes the settings")
        yield ada
        assert ada.close() == 0


def test_a_cell_shows_its_progress_and_a_table() -> None:
    with Kernel() as kernel:
        assert kernel.run(ROBOT).error == ""
        cell = kernel.run("arena([robby, 'greedy'], games=4, rows=2, cols=2, seed=1)")
        assert (cell.error, cell.printed) == ("", "")
        assert 'max="4"></progress> 0 of 4 games' in cell.shown[0]["text/html"]
        assert 'value="4" max="4"></progress> 4 of 4 games' in cell.shown[-1]["text/html"]
        assert '<th scope="row">robby</th>' in cell.result["text/html"]
        assert cell.result["text/plain"].startswith("Dots and Boxes (rows 2, cols 2")
        cell = kernel.run("arena([robby, 'greedy'], games=0)")
        assert cell.error == "NotebookError: games is 1 to 100,000, not 0"


def test_a_changed_cell_plays_as_it_is_now() -> None:
    with Kernel() as kernel:
        kernel.run(ROBOT)
        kernel.run("place = 99")
        cell = kernel.run("arena([robby, 'greedy'], games=2, rows=2, cols=2, jobs=1)")
        assert "IndexError: tuple index out of range" in cell.result["text/plain"]
        kernel.run("def robby(state):\n    while True: pass")
        cell = kernel.run("arena([robby, 'greedy'], games=2, rows=2, cols=2, time_s=0.05)")
        assert "robby lost 2 games on time" in cell.result["text/plain"]


@pytest.mark.parametrize("before", ["", "import asyncio; await asyncio.sleep(0)\n"])
def test_the_stop_button_ends_a_contest_with_the_games_so_far(before: str) -> None:
    """A cell that awaits something gets the signal from its kernel in another way."""
    with Kernel() as kernel:
        kernel.run(ROBOT)
        cell = kernel.start(f"{before}arena([robby, 'greedy'], games=100000, rows=2, cols=2)")
        cell.wait_for(lambda: len(cell.shown) > 1)
        kernel.interrupt()
        cell.wait_for(lambda: cell.is_done)
        assert cell.error == ""
        assert "of 100,000 games, then interrupted." in cell.result["text/plain"]


def test_a_cell_plays_in_a_room_with_a_person() -> None:
    with server() as address, ada_in_den(address) as ada, Kernel() as kernel:
        kernel.run(ROBOT)
        call = f"seat(robby, {address!r}, 'den', name='Robby'"
        cell = kernel.start(f"{call}, games=1)\nprint('on it goes')")
        ada.wait_for("All seats are taken")
        ada.type_lines("/start", *LINES)
        ada.wait_for("Type /rematch")
        cell.wait_for(lambda: cell.is_done)
        assert cell.error == ""
        assert "Robby is in the room den.\n" in cell.printed
        assert RESULT.search(cell.printed)
        assert cell.printed.endswith("on it goes\n")
        ada.wait_for("Robby leaves.")


def test_the_stop_button_ends_a_seat() -> None:
    with server() as address, ada_in_den(address) as ada, Kernel() as kernel:
        kernel.run(ROBOT)
        cell = kernel.start(f"seat(robby, {address!r}, 'den', name='Robby')\nprint('on it goes')")
        ada.wait_for("All seats are taken")
        cell.wait_for(lambda: "Robby is in the room den." in cell.printed)
        kernel.interrupt()
        ada.wait_for("Robby leaves.")
        cell.wait_for(lambda: cell.is_done)
        assert cell.error == ""
        assert cell.printed.endswith("on it goes\n")


def test_a_plain_script_needs_no_guard(tmp_path: Path) -> None:
    """Its top level runs once, although processes are spawned from there."""
    script = tmp_path / "script.py"
    with server() as address, ada_in_den(address) as ada:
        script.write_text(
            f"{ROBOT}\nprint('top level')\n"
            "print(arena([robby, lambda board: [], 'greedy'], games=2, rows=2, cols=2, jobs=2))\n"
            f"seat(robby, {address!r}, 'den', name='Robby', games=1)\n",
            encoding="utf-8",
        )
        with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as run:
            ada.wait_for("All seats are taken")
            ada.type_lines("/start", *LINES)
            ada.wait_for("Robby leaves.")
            printed, _ = run.communicate(timeout=LIMIT_S)
    assert run.returncode == 0
    assert printed.count("top level") == 1
    assert "<lambda> lost 4 games by an illegal move" in printed
    assert RESULT.search(printed)


def test_ctrl_c_ends_a_seat_in_a_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    with server() as address, ada_in_den(address) as ada:
        script.write_text(
            f"{ROBOT}\nseat(robby, {address!r}, 'den', name='Robby')\nprint('on it goes')\n",
            encoding="utf-8",
        )
        with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as run:
            ada.wait_for("All seats are taken")
            run.send_signal(signal.SIGINT)
            ada.wait_for("Robby leaves.")
            printed, _ = run.communicate(timeout=LIMIT_S)
    assert run.returncode == 0
    assert printed.endswith("on it goes\n")
