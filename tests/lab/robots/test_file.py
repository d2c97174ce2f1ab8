"""Robots in files: their names, and the errors of those that can't be loaded."""

from pathlib import Path

import pytest
from tests.cases import each

from boxroom_engine.bots.registry import BOTS
from boxroom_lab.robots.file import RobotFile, RobotLoadError, names_robot, player_of


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@each(
    "text, path, function, plain",
    [
        ("mine.py", "mine.py", "robot", "mine.py"),
        ("a b/mine.py:robot", "a b/mine.py", "robot", "a b/mine.py"),
        ("c:/mine.py:other", "c:/mine.py", "other", "c:/mine.py:other"),
    ],
)
def test_a_robot_is_named_by_file_and_function(
    text: str, path: str, function: str, plain: str
) -> None:
    file = RobotFile.parse(text)
    assert (file, str(file)) == (RobotFile(Path(path), function), plain)
    assert names_robot(text)


@each("text", ["greedy", "chain:max_ply=8", "mine.py:", "mine.py:a-b", ".py"])
def test_other_texts_name_no_robot(text: str) -> None:
    assert not names_robot(text)
    with pytest.raises(RobotLoadError, match=r"robot\.py or robot\.py:NAME, not "):
        RobotFile.parse(text)


def test_the_function_is_taken_out_of_the_file(tmp_path: Path) -> None:
    written(tmp_path, "FIRST = 0", "beside.py")
    path = written(tmp_path, "from beside import FIRST\ndef robot(state): return FIRST\n")
    robot = RobotFile(path).load()
    assert (robot.name, robot.is_classic) == (str(path), False)
    path = written(tmp_path, "def other(board): return []\n", "more.py")
    assert RobotFile(path, "other").load().is_classic


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_may_have_any_encoding(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes("# ©\r\ndef zoë(state): return 0\r\n".encode(encoding))
    assert RobotFile(path, "zoë").load().name == f"{path}:zoë"


def test_a_file_may_declare_its_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes("# coding: cp1253\ndef ψ(state): return 0\n".encode("cp1253"))
    assert RobotFile(path, "ψ").load().name == f"{path}:ψ"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1", "mine.py has no function robot: write one, or name another as in "),
        ("robot = 7", "mine.py is no robot: a robot is a function, not int"),
        ("def robot(): pass", "mine.py is no robot: a robot takes one argument"),
        ("1 / 0", "mine.py can't be run: ZeroDivisionError"),
        ("def robot(:", "mine.py can't be run: .*SyntaxError"),
        ("raise SystemExit(3)", "mine.py can't be run: SystemExit: 3"),
    ],
)
def test_why_there_is_no_robot(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(RobotLoadError, match=f"(?s){why}"):
        RobotFile(written(tmp_path, text)).load()


def test_a_missing_file_is_no_robot(tmp_path: Path) -> None:
    with pytest.raises(RobotLoadError, match="there is no file "):
        RobotFile(tmp_path / "mine.py").load()


def test_a_player_is_a_robot_or_a_bot_and_is_loaded_once(tmp_path: Path) -> None:
    path = written(tmp_path, "def robot(state): return 0\n")
    assert player_of("greedy") is BOTS["greedy"]
    assert player_of(str(path)) is player_of(str(path))
