"""A robot in a file, which people name as `FILE.py`, or `FILE.py:NAME` for another function.

Loading a file runs it, and it may do anything: only a process of its own should do so.
"""

import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import decode_source, module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import format_exception_only
from typing import Protocol

from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.bots.robot import NoRobot, Robot
from boxroom_engine.decoding import decoded
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game
from boxroom_engine.phrases import phrase

USUAL_FUNCTION = "robot"
"""The function that is the robot if the name doesn't say."""

_WRITTEN = re.compile(r"(.+\.py)(?::(\w+))?")


class RobotLoadError(BoxroomError, ValueError):
    """A robot that can't be loaded; the message is a sentence with the reason."""


class RobotLoadTimeout(RobotLoadError):
    """A robot that isn't loaded in time, which may be the fault of a busy machine."""


class RobotSource(Protocol):
    """A robot that isn't loaded yet: hashable, and it can be sent to a process.

    Its text is its name, for people.
    """

    def load(self) -> Robot:
        """Return the robot, which may run its author's code.

        Raises:
            RobotLoadError: it can't be loaded.
        """

    def __hash__(self) -> int: ...


class _AnyEncodingLoader(SourceFileLoader):
    """A loader that also runs source in an encoding that Python refuses; see `decoding`."""

    def get_data(self, path: str) -> bytes:
        """Return the source as UTF-8; `SourceFileLoader` also reads compiled code here."""
        data = super().get_data(path)
        if path != self.path:
            return data
        try:
            decode_source(data)
        except (SyntaxError, UnicodeDecodeError):
            return decoded(data).encode()
        return data  # which may declare its encoding


@dataclass(frozen=True, slots=True)
class RobotFile:
    """The file and function of a robot; `parse` and `str` are a pair."""

    path: Path
    function: str = USUAL_FUNCTION

    @classmethod
    def parse(cls, text: str) -> "RobotFile":
        """Return the robot that `text` names.

        Raises:
            RobotLoadError: `text` doesn't have the form of a robot's name.
        """
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise RobotLoadError(
                f"a robot is named by its file, and its function if that isn't {USUAL_FUNCTION}:"
                f" robot.py or robot.py:NAME, not {text!r}"
            )
        return cls(Path(found[1]), found[2] or USUAL_FUNCTION)

    def __str__(self) -> str:
        named = "" if self.function == USUAL_FUNCTION else f":{self.function}"
        return f"{self.path}{named}"

    def load(self) -> Robot:
        """Run the file, and return its function as a robot.

        Raises:
            RobotLoadError: the file can't be read or run, or has no such function.
        """
        known = self._run()
        if self.function not in known:
            raise RobotLoadError(
                f"{self.path} has no function {self.function}: write one,"
                f" or name another as in {self.path}:NAME"
            )
        try:
            return Robot(str(self), known[self.function])  # type: ignore[arg-type]
        except NoRobot as error:
            raise RobotLoadError(f"{self.function} in {self.path} is no robot: {error}") from None

    def _run(self) -> dict[str, object]:
        """Run the file and return its globals; it can import modules from its own folder."""
        if not self.path.is_file():
            raise RobotLoadError(f"there is no file {self.path}")
        path = self.path.resolve()
        loader = _AnyEncodingLoader(path.stem, str(path))
        spec = spec_from_file_location(path.stem, path, loader=loader)
        assert spec is not None  # there is a loader
        module = module_from_spec(spec)
        sys.path.insert(0, str(path.parent))
        try:
            loader.exec_module(module)
        except (Exception, SystemExit) as error:  # a robot may raise anything
            what = "".join(format_exception_only(error)).strip()
            raise RobotLoadError(f"{self.path} can't be run: {what}") from None
        return vars(module)


def names_robot(text: str) -> bool:
    """Whether `text` names a robot in a file, not a bot."""
    return _WRITTEN.fullmatch(text) is not None


Player = str | RobotSource
"""The name of a bot or of a robot in a file, or another source of a robot."""


@cache
def player_of(player: Player) -> Bot:
    """Return the robot or bot that `player` stands for; a file is run once in a process.

    Raises:
        RobotLoadError: see `RobotSource.load`.
        BotNameError: there is no such bot.
    """
    if not isinstance(player, str):
        return player.load()
    return RobotFile.parse(player).load() if names_robot(player) else bot_of(player)


def check_plays(player: Bot, game: Game) -> None:
    """Check that `player` can play `game`.

    Raises:
        OptionError: it can't.
    """
    if isinstance(player, Robot):
        player.check_plays(game)
    elif not player.supports(game.kind):
        raise OptionError(phrase("option.bot_game", bot=player.name, game=game.kind.name))
