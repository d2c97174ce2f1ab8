"""docs/tutorial/robot.md: its loop is the one of new robots, and its changes make that better."""

import random
import re
from pathlib import Path

from tests.docs.pages import ROOT
from tests.engine.bots.test_robot import choose

from boxroom_engine.bots.robot import Robot
from boxroom_engine.games.dots import Border, Dots
from boxroom_lab.robots.file import RobotFile
from boxroom_lab.robots.template import robot_template

PAGE = (ROOT / "docs" / "tutorial" / "robot.md").read_text(encoding="utf-8")
LOOP, SAFE, FUNCTION = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_loop_on_the_page_is_the_templates() -> None:
    assert LOOP in robot_template("mine.py")


def robot_of(source: str, path: Path) -> Robot:
    path.write_text(source, encoding="utf-8")
    return RobotFile(path).load()


def test_the_robot_with_the_changes_beats_the_one_without(tmp_path: Path) -> None:
    first = robot_template("mine.py")
    changed = re.sub(r"^.*# here you can do better\n", SAFE, first, flags=re.MULTILINE)
    players = (
        robot_of(f"{changed}\n\n{FUNCTION}", tmp_path / "safe.py"),
        robot_of(first, tmp_path / "mine.py"),
    )
    random.seed(1)
    ahead = 0
    for _ in range(10):
        state = Dots(3, 3, Border.NONE, 2).initial()
        while state.to_move is not None:
            state = state.play(choose(players[state.to_move], state))
        ahead += state.scores[0] - state.scores[1]
    assert ahead > 10
