"""The robots and messages in docs/how-to/robots.md are those of the program."""

import ast
import inspect
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cases import each
from tests.engine.bots.test_robot import choose

import boxroom
from boxroom_engine.bots.robot import Robot
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.robots.referee import BadAnswer
from boxroom_lab.robots.file import RobotFile

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "robots.md").read_text(encoding="utf-8")
*ROBOTS, CALLS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("source", "is_classic"), list(zip(ROBOTS, [True, False], strict=True)))
def test_every_robot_plays_a_whole_game(source: str, is_classic: bool, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(source, encoding="utf-8")
    robot = RobotFile(path).load()
    assert robot.is_classic is is_classic
    random.seed(1)
    state = Dots(2, 2, Border.NONE, 2).initial()
    while not state.is_over:
        state = state.play(choose(robot, state))


def test_the_sentence_is_what_an_author_is_told() -> None:
    with pytest.raises(BadAnswer) as error:
        choose(Robot("mine", lambda board: [(0, 0, 0, 2)]), Dots(1, 1, Border.NONE, 2).initial())
    assert str(error.value) in PAGE.replace("\n", " ")


def test_calls_from_a_notebook_are_understood() -> None:
    _, *lines = ast.parse(CALLS).body
    for line in lines:
        assert isinstance(line, ast.Expr)
        assert isinstance(line.value, ast.Call)
        assert isinstance(line.value.func, ast.Name)
        keywords = {each.arg: None for each in line.value.keywords if each.arg is not None}
        signature = inspect.signature(getattr(boxroom, line.value.func.id))
        bound = signature.bind(*line.value.args, **keywords)
        assert set(bound.arguments.get("options", {})) <= {"rows", "cols"}


@each("function", [boxroom.arena, boxroom.seat])
def test_all_arguments_from_a_notebook_are_named(function: Callable[..., object]) -> None:
    section = PAGE.partition("## From a notebook")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", section)) | set(re.findall(r"(\w+)=", section))
    positional = {"robots", "robot", "options"}
    assert set(inspect.signature(function).parameters) <= named | positional
