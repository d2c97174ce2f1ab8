"""Functions as robots in a process: what they use goes along, and faults name them."""

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.cases import each

from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import make_game
from boxroom_lab.robots.file import RobotLoadError
from boxroom_lab.robots.isolated_robot import load_arena_player
from boxroom_lab.robots.pickled_function import PickledFunction
from boxroom_lab.robots.process import RobotProcess

STATE = make_game("dots", {"rows": 2, "cols": 2}, 2).initial()
PATIENTLY_S = 20.0


def last_but(number: int) -> Callable[[State], int]:
    """Return a closure over `number` that uses another closure."""

    def moves(state: State) -> list[int]:
        return list(state.legal_moves())

    def robot(state: State) -> int:
        return moves(state)[-1 - number]

    return robot


@each(
    "function, move",
    [(last_but(3), 8), (lambda state: state.legal_moves()[2], 2)],
)
def test_closures_and_lambdas_play_in_another_process(
    function: Callable[[State], int], move: int
) -> None:
    with RobotProcess(PickledFunction.of(function, "mine"), STATE.game) as process:
        assert process.choose(STATE, PATIENTLY_S) == move


def test_a_classic_robot_is_known_by_its_parameter() -> None:
    robot = PickledFunction.of(lambda board: [(0, 0, 1, 0)], "mine").load()
    assert robot.is_classic
    assert robot.name == "mine"


def test_the_copy_keeps_its_own_state() -> None:
    seen: list[int] = []

    def robot(state: State) -> int:
        seen.append(1)
        return len(seen) - 1

    with RobotProcess(PickledFunction.of(robot, "mine")) as process:
        assert process.choose(STATE, PATIENTLY_S) == 0
        assert process.choose(STATE, PATIENTLY_S) == 1
    assert seen == []


LOCK = threading.Lock()


def with_lock() -> Callable[[State], int]:
    lock = LOCK
    return lambda state: 1 if lock.locked() else 0


@each(
    "function, why",
    [
        (3, "mine is no robot: a robot is a function, not int"),
        (lambda: 3, "mine is no robot: a robot takes one argument"),
        (
            with_lock(),
            "mine can't be copied to a process of its own: .*lock.*; make inside of it what",
        ),
    ],
)
def test_what_cant_be_a_robot_is_refused(function: Any, why: str) -> None:
    with pytest.raises(RobotLoadError, match=why):
        PickledFunction.of(function, "mine")


def test_without_cloudpickle_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(RobotLoadError, match=r"pip install 'boxroom\[notebook\]'"):
        PickledFunction.of(lambda state: 0, "mine")


class Bad:
    """An object that can't be made again."""

    def __reduce__(self) -> Any:
        return int, ("no number",)

    def __call__(self, state: State) -> int:
        return 0


def test_a_copy_that_cant_be_made_is_an_error() -> None:
    with (
        RobotProcess(PickledFunction.of(Bad(), "mine")) as process,
        pytest.raises(RobotLoadError, match=r"mine can't be copied .*: ValueError: .*no number"),
    ):
        process.load()


def test_a_copy_that_ends_its_process_is_an_error() -> None:
    class Deadly(Bad):
        def __reduce__(self) -> Any:
            return eval, ("__import__('os')._exit(3)",)

    with (
        RobotProcess(PickledFunction.of(Deadly(), "mine")) as process,
        pytest.raises(RobotLoadError, match=r"^mine ended its process$"),
    ):
        process.load()


def test_the_arena_knows_functions_by_their_names() -> None:
    functions = {"mine": PickledFunction.of(lambda state: 5, "mine")}
    assert load_arena_player("greedy", functions) is BOTS["greedy"]
    robot = load_arena_player("mine", functions)
    assert robot.name == "mine"
    assert load_arena_player("mine", functions) is robot
    robot.end()  # type: ignore[attr-defined]
