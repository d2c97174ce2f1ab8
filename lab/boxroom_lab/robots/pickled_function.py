"""A robot that is a function of the running program, such as one of a notebook's cell.

It is pickled by value, as it is in no module that a process could import: closures, lambdas and
the functions and variables that it uses go along. The process gets a copy.
"""

import pickle
from dataclasses import dataclass
from traceback import format_exception_only

from boxroom_engine.bots.robot import NoRobot, Robot, RobotFunction
from boxroom_lab.robots.file import RobotLoadError


@dataclass(frozen=True, slots=True)
class PickledFunction:
    """A `RobotSource`: the function `name`, as the bytes that `of` made of it."""

    name: str
    data: bytes

    @classmethod
    def of(cls, function: RobotFunction, name: str) -> "PickledFunction":
        """Return `function` as a source, after checking that it can be a robot.

        Raises:
            RobotLoadError: it can't be a robot or can't be pickled, or cloudpickle isn't installed.
        """
        try:
            Robot(name, function)
        except NoRobot as error:
            raise RobotLoadError(f"{name} is no robot: {error}") from None
        try:
            import cloudpickle
        except ImportError:
            raise RobotLoadError(
                "a function that is in no file takes cloudpickle, which isn't installed:"
                " pip install 'boxroom[notebook]'"
            ) from None
        try:
            return cls(name, cloudpickle.dumps(function))
        except Exception as error:  # the objects that it uses may raise anything
            raise RobotLoadError(
                f"{name} can't be copied to a process of its own: {_text(error)}; make inside of"
                " it what can't be copied, such as an open file"
            ) from None

    def __str__(self) -> str:
        return self.name

    def load(self) -> Robot:
        try:
            return Robot(self.name, pickle.loads(self.data))  # noqa: S301 - written by `of`
        except Exception as error:  # importing its modules may raise anything
            raise RobotLoadError(
                f"{self.name} can't be copied to a process of its own: {_text(error)}"
            ) from None


def _text(error: Exception) -> str:
    return "".join(format_exception_only(error)).strip()
