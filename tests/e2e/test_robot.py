"""`boxroom robot` as users start it: a robot of ten lines plays in a room against a person."""

from pathlib import Path

import pytest
from tests.e2e.piped import Piped
from tests.e2e.serving import ServerProcess
from tests.e2e.terminal import Terminal

ROBOT = """\
from boxroom_engine.robots import Board, Line, get_all_lines, getnewboxes

def robot(board: Board) -> list[Line]:
    turn: list[Line] = []
    for line in get_all_lines(board.size):
        if line not in board.lines:
            turn.append(line)
            if not getnewboxes(board.lines + turn[:-1], line):
                break
    return turn
"""
EDGES = [f"h{n}" for n in range(6)] + [f"v{n}" for n in range(6)]


def test_a_robot_of_ten_lines_plays_against_a_person(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "mine.py"
    path.write_text(ROBOT, encoding="utf-8")
    with Piped("join", server.address, "--create", "--room", "den", "--name", "Ada") as ada:
        ada.type_lines("/set rows 2 cols 2")
        ada.wait_for("The host changes the settings")
        place = ("--server", server.address, "--room", "den", "--name", "Robby")
        with Piped("robot", str(path), *place) as robot:
            ada.wait_for("All seats are taken")
            ada.type_lines("/start", *EDGES)
            ada.wait_for("Type /rematch")
            robot.wait_for(" won")
            robot.interrupt()
            assert robot.close() == 130
        ada.wait_for("Robby leaves.")
        assert ada.close() == 0


def test_a_robot_that_takes_long_to_load_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not after the time limit for loading, which would be a failure."""
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "slow.py"
    path.write_text('import signal\nprint("loading")\nsignal.pause()\n', encoding="utf-8")
    with Terminal("robot", str(path), "--server", "127.0.0.1:1") as robot:
        robot.wait_for("loading")
        robot.press("\x03")  # Ctrl-C
        assert robot.wait_for_end() == 130
