"""Robots as arguments of a call, and the errors of calls."""

import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import current_thread, main_thread

from boxroom_client.signals import StopSignals
from boxroom_common.exits import UsageError
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.bots.robot import RobotFunction
from boxroom_engine.errors import BoxroomError
from boxroom_engine.stopping import never
from boxroom_lab.cli.arena import canonical_name
from boxroom_lab.robots.pickled_function import PickledFunction

RobotArgument = RobotFunction | str
"""A robot: a function, or the name of a bot or of a robot in a file."""

_FLAG = re.compile(r"--([a-z]+)(?: [A-Z]+\b)?")
_KEYWORDS = {"memory": "memory_mib", "time": "time_s"}  # the others are named as their flags


class NotebookError(BoxroomError):
    """A call that can't be carried out; the message says why."""


@contextmanager
def explained() -> Iterator[None]:
    """Raise the errors of commands as `NotebookError`, in the words of a call."""
    try:
        yield
    except BoxroomError as error:
        if not str(error):
            raise  # a signal that another part was to catch
        raise NotebookError(_as_keywords(str(error))) from None


def _as_keywords(sentence: str) -> str:
    """Replace flags by keywords: `--games` by `games`, `--room ROOM` by `room`."""
    return _FLAG.sub(lambda flag: _KEYWORDS.get(flag[1], flag[1]), sentence)


def function_name(function: RobotFunction) -> str:
    """Return the name of a function, or that of its type if it has none."""
    return str(getattr(function, "__name__", type(function).__name__))


def contenders(
    robots: Iterable[RobotArgument],
) -> tuple[tuple[str, ...], dict[str, PickledFunction]]:
    """Return the names of all robots, and the functions among them by name.

    The same function has the same name; different ones have different names, and none that a bot
    has.

    Raises:
        RobotLoadError: an object can't be a robot.
        UsageError: a text names no bot and no robot.
    """
    if isinstance(robots, str) or callable(robots):
        raise UsageError("arena takes a list of robots, such as [my_robot, 'greedy']")
    names: list[str] = []
    functions: dict[str, PickledFunction] = {}
    known: dict[int, str] = {}
    given = tuple(robots)  # keeps all alive, so that no two have the same id
    for robot in given:
        if isinstance(robot, str):
            names.append(canonical_name(robot))
            continue
        if id(robot) not in known:
            name = _free_name(function_name(robot), functions)
            functions[name] = PickledFunction.of(robot, name)
            known[id(robot)] = name
        names.append(known[id(robot)])
    return tuple(names), functions


def _free_name(name: str, taken: Iterable[str]) -> str:
    numbered = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(each for each in numbered if each not in BOTS and each not in taken)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Give a function that returns whether the user has interrupted the call.

    Ctrl-C and a notebook's stop button both send SIGINT, which only the main thread can handle.
    """
    if current_thread() is not main_thread():
        yield never
        return
    with StopSignals([signal.SIGINT]) as stop_signals:
        yield stop_signals.received
