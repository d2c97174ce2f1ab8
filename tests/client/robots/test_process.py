"""A robot in a process of its own: every fault is reported to its author."""

from pathlib import Path

import pytest

from boxroom_client.robots.file import RobotLoadError
from boxroom_client.robots.process import RobotFailed, RobotProcess
from boxroom_engine.games.registry import make_game

STATE = make_game("dots", {"rows": 2, "cols": 2}, 2).initial()
PATIENTLY_S = 20.0


def robot(folder: Path, text: str) -> str:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_it_answers_move_after_move(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = robot(
        tmp_path, "def robot(state):\n    print('hm')\n    return state.legal_moves()[0]\n"
    )
    with RobotProcess(file, STATE.game) as process:
        process.load()
        process.load()
        assert process.choose(STATE, PATIENTLY_S) == 0
        assert process.choose(STATE.play(STATE.legal_moves()[0]), PATIENTLY_S) == 1
    assert capfd.readouterr().out == ""  # its output isn't mixed with the command's


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("return 99", "the robot answered 99: "),
        ("return 1 // 0", "the robot raised ZeroDivisionError: .*mine.py, line 4"),
        ("raise SystemExit", "the robot raised SystemExit"),
        ("os._exit(3)", "the robot ended its process"),
        ("time.sleep(3600)", "the robot gave no answer in 0.01 s"),
    ],
)
def test_a_fault_is_reported_and_the_next_request_starts_afresh(
    body: str, why: str, tmp_path: Path
) -> None:
    first = f"    if state.ply == 0:\n        {body}\n"
    file = robot(tmp_path, f"import os, time\ndef robot(state):\n{first}    return 1\n")
    with RobotProcess(file) as process:
        process.load()
        position = STATE.game.format_position(STATE)
        with pytest.raises(RobotFailed, match=f"in {position} {why}"):
            process.choose(STATE, 0.01)
        assert process.choose(STATE.play(STATE.legal_moves()[0]), PATIENTLY_S) == 1


def test_a_robot_that_cant_be_loaded_gives_no_moves(tmp_path: Path) -> None:
    with RobotProcess(robot(tmp_path, "1 / 0")) as process:
        with pytest.raises(RobotLoadError, match="can't be run: ZeroDivisionError"):
            process.load()
        with pytest.raises(RobotFailed, match="can't be run: ZeroDivisionError"):
            process.choose(STATE, PATIENTLY_S)


def test_a_robot_that_cant_play_the_game_isnt_loaded(tmp_path: Path) -> None:
    file = robot(tmp_path, "def robot(board): return []")
    for player in (file, "chain"):
        with (
            RobotProcess(player, make_game("noughts", {}, 2)) as process,
            pytest.raises(RobotLoadError, match="doesn't play noughts"),
        ):
            process.load()


def test_a_bot_is_asked_like_a_robot() -> None:
    with RobotProcess("greedy", STATE.game) as process:
        assert process.choose(STATE, PATIENTLY_S) in STATE.legal_moves()


@pytest.mark.parametrize(
    ("text", "load_s", "why"),
    [
        ("import time; time.sleep(3600)", 0.01, "takes more than 0.01 s to load"),
        ("import os; os._exit(3)", PATIENTLY_S, "ended its process"),
    ],
)
def test_a_file_that_cant_be_loaded_in_time_is_an_error(
    text: str, load_s: float, why: str, tmp_path: Path
) -> None:
    with (
        RobotProcess(robot(tmp_path, text), load_s=load_s) as process,
        pytest.raises(RobotLoadError, match=why),
    ):
        process.load()
