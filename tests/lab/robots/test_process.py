"""A robot in a process of its own: every fault is reported to its author."""

import os
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from boxroom_engine.arena.playing import FaultKind
from boxroom_engine.games.registry import make_game
from boxroom_lab.robots.file import RobotLoadError
from boxroom_lab.robots.output import MAX_LINE_BYTES
from boxroom_lab.robots.process import RobotFailed, RobotProcess

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


FAULTS = [
    ("return 99", FaultKind.ILLEGAL, "the robot answered 99: "),
    ("return 1 // 0", FaultKind.ERROR, "the robot raised ZeroDivisionError: .*mine.py, line 6"),
    ("raise SystemExit", FaultKind.ERROR, "the robot raised SystemExit"),
    ("os._exit(3)", FaultKind.DIED, "the robot ended its process"),
    ("time.sleep(3600)", FaultKind.TIME, "the robot gave no answer in 0.01 s"),
]


def test_a_fault_is_reported_and_the_next_request_starts_afresh(tmp_path: Path) -> None:
    faults = "".join(
        f"    if state.ply == {ply}:\n        {body}\n" for ply, (body, *_) in enumerate(FAULTS)
    )
    file = robot(tmp_path, f"import os, time\ndef robot(state):\n{faults}    return 11\n")
    states = [STATE]
    for _ in FAULTS:
        states.append(states[-1].play(states[-1].legal_moves()[0]))
    with RobotProcess(file) as process:
        process.load()
        for state, (_, kind, why) in zip(states, FAULTS, strict=False):
            position = re.escape(STATE.game.format_position(state))
            with pytest.raises(RobotFailed, match=f"in {position} {why}") as failed:
                process.choose(state, 0.01)
            assert failed.value.kind is kind
            assert process.choose(states[-1], PATIENTLY_S) == 11


EVIL = "\\x1b]0;owned\\x07\\x1b[2J\\u202e\\x9b31m"
"""A title, a cleared screen, reversed text and a colour, as a robot's file writes them."""


def harmless(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


@pytest.mark.parametrize("is_silent", [False, True])
def test_what_it_prints_reaches_the_terminal_line_by_line_and_harmless(
    is_silent: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = robot(
        tmp_path,
        "import os, sys\n"
        "def robot(state):\n"
        f"    for number in range(300):\n        print(f'  {{number}}: {EVIL}')\n"
        f"    print('error {EVIL}', file=sys.stderr)\n"
        f"    os.write(2, b'no line end \\xff' + '{EVIL}'.encode())\n"
        "    return 0\n",
    )
    with RobotProcess(file, is_silent=is_silent) as process:
        assert process.choose(STATE, PATIENTLY_S) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert harmless(err)
    shown = "]0;owned[2J31m"
    printed = [] if is_silent else [f"  {number}: {shown}" for number in range(300)]
    assert err.splitlines() == [*printed, f"error {shown}", f"no line end \ufffd{shown}"]


def test_a_line_that_never_ends_is_printed_in_pieces(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    length = 3 * MAX_LINE_BYTES + 7
    body = f"def robot(state):\n    print('x' * {length}, end='')\n    return 0\n"
    with RobotProcess(robot(tmp_path, body)) as process:
        assert process.choose(STATE, PATIENTLY_S) == 0
        process.choose(STATE, PATIENTLY_S)
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) > 3
    assert sum(map(len, lines)) == 2 * length


@pytest.mark.parametrize(
    "body",
    [f"def robot(state):\n    raise ValueError('{EVIL}')\n", f"raise ValueError('{EVIL}')\n"],
)
def test_its_errors_are_harmless_too(body: str, tmp_path: Path) -> None:
    with RobotProcess(robot(tmp_path, body)) as process:
        with pytest.raises(RobotFailed, match="owned") as failed:
            process.choose(STATE, PATIENTLY_S)
        assert harmless(str(failed.value))


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


def test_it_is_ended_once_though_a_thread_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads that close one connection close another one's descriptor, or get an error."""
    closed: Counter[Connection] = Counter()
    close = Connection.close

    def count(connection: Connection) -> None:
        closed[connection] += 1
        close(connection)

    monkeypatch.setattr(Connection, "close", count)
    started = tmp_path / "started"
    os.mkfifo(started)
    process = RobotProcess(
        robot(tmp_path, f"import signal\nopen({str(started)!r}, 'w').close()\nsignal.pause()\n")
    )
    with ThreadPoolExecutor() as threads:
        loading = threads.submit(process.load)
        started.read_bytes()  # waits
        process.end()
        assert isinstance(loading.exception(), RobotLoadError)
    assert set(closed.values()) == {1}
