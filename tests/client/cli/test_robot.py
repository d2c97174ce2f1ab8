"""`boxroom robot`: what is wrong on its command line, and the robot that it writes."""

from pathlib import Path

import pytest
from tests.engine.arena.games import Watcher, ticking

from boxroom_client.exits import Exit
from boxroom_client.main import main
from boxroom_client.robots.file import RobotFile
from boxroom_engine.arena.playing import Terms, play
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.registry import make_game


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))


def test_a_new_robot_plays_and_takes_what_there_is() -> None:
    assert main(["robot", "new", "mine.py"]) == Exit.DONE
    robot = RobotFile(Path("mine.py")).load()
    assert robot.is_classic
    state = make_game("dots", {"rows": 3, "cols": 3}, 2).initial()
    leg = play(state, (robot, bot_of("random")), Terms(1.0, ticking()), "1", Watcher())
    assert leg.fault is None
    assert "boxroom arena mine.py greedy" in Path("mine.py").read_text("utf-8")


def test_a_file_is_never_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text("precious", encoding="utf-8")
    assert main(["robot", "new", "mine.py"]) == Exit.USAGE
    assert "mine.py is there already" in capsys.readouterr().err
    assert Path("mine.py").read_text("utf-8") == "precious"


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        ("new", Exit.USAGE, "boxroom robot new FILE.py"),
        ("new mine.txt", Exit.USAGE, "boxroom robot new FILE.py"),
        ("new no/mine.py", Exit.FAILED, "can't write no/mine.py: No such file"),
        ("mine.py other.py", Exit.USAGE, "after mine.py comes no other file: other.py"),
        ("mine.py --time 0", Exit.USAGE, "--time is a number of seconds above 0, up to 3600"),
        ("greedy --server kiwa", Exit.USAGE, "robot.py or robot.py:NAME, not 'greedy'"),
        ("mine.py", Exit.USAGE, "Name it with --server ADDRESS"),
        ("mine.py --server kiwa", Exit.FAILED, "there is no file mine.py"),
    ],
)
def test_mistakes_end_with_a_sentence(
    arguments: str, code: Exit, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["robot", *arguments.split()]) == code
    assert why in capsys.readouterr().err
