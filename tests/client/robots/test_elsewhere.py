"""A robot as the arena has it: a bot that is asked in a process of its own."""

import random
from pathlib import Path

import pytest

from boxroom_client.robots.elsewhere import RobotElsewhere, contender
from boxroom_client.robots.file import CantLoad
from boxroom_client.robots.process import RobotFailed
from boxroom_engine.arena.playing import FaultKind
from boxroom_engine.bots.protocol import Limit
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.registry import DEFAULT, make_game

STATE = make_game("dots", {"rows": 2, "cols": 2}, 2).initial()
PATIENTLY = Limit(20.0, lambda: 0.0)


def test_a_bot_is_itself() -> None:
    assert contender("greedy") is BOTS["greedy"]


def test_a_robot_plays_and_its_mistakes_have_a_kind(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def robot(state): return 3 if state.ply == 0 else 99", encoding="utf-8")
    robot = contender(str(path))
    assert isinstance(robot, RobotElsewhere)
    assert contender(str(path)) is robot
    assert robot.name == str(path)
    assert robot.supports(DEFAULT)
    try:
        move = robot.choose(STATE, PATIENTLY, random.Random(1))
        assert move == 3
        with pytest.raises(RobotFailed, match="the robot answered 99: ") as failed:
            robot.choose(STATE.play(move), PATIENTLY, random.Random(1))
        assert failed.value.kind is FaultKind.ILLEGAL
    finally:
        robot.end()


def test_what_cant_be_loaded_isnt_ready(tmp_path: Path) -> None:
    with pytest.raises(CantLoad, match="there is no file"):
        contender(str(tmp_path / "mine.py"))
