"""A robot in the arena: a bot in a process of its own."""

import random
from pathlib import Path

import pytest

from boxroom_engine.arena.playing import FaultKind
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.registry import DEFAULT, make_game
from boxroom_engine.stopping import Limit
from boxroom_lab.robots.file import RobotLoadError
from boxroom_lab.robots.isolated_robot import IsolatedRobot, load_arena_player
from boxroom_lab.robots.process import RobotFailed

STATE = make_game("dots", {"rows": 2, "cols": 2}, 2).initial()
PATIENTLY = Limit(20.0, lambda: 0.0)


def test_a_bot_is_itself() -> None:
    assert load_arena_player("greedy") is BOTS["greedy"]


def test_a_robot_plays_and_its_mistakes_have_a_kind(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def robot(state): return 3 if state.ply == 0 else 99", encoding="utf-8")
    robot = load_arena_player(str(path))
    assert isinstance(robot, IsolatedRobot)
    assert load_arena_player(str(path)) is robot
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


def test_a_robot_that_cant_be_loaded_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RobotLoadError, match="there is no file"):
        load_arena_player(str(tmp_path / "mine.py"))
