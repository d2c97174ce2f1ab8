"""A robot in the arena: a bot like the others, but in a process of its own.

So it can't tamper with its opponent, nor with the process that measures the time.
"""

import random
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from boxroom_engine.bots.protocol import Bot, BotBase
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.stopping import Limit
from boxroom_lab.learners.named import contender
from boxroom_lab.robots.file import Player, RobotSource, names_robot
from boxroom_lab.robots.process import RobotProcess

_LOAD_S = 60.0
"""Time limit for loading it during a contest, in which others use the machine as well.

Before the contest it was loaded within `boxroom_lab.robots.process.LOAD_S`.
"""


class IsolatedRobot(BotBase):
    """A bot that asks a robot in its process: one in a file, by its name, or another source."""

    strength = 0
    description = "plays as a user's function decides"

    def __init__(self, player: Player) -> None:
        self.name = str(player)
        # What the robot prints is discarded.
        self._process = RobotProcess(player, is_silent=True, load_s=_LOAD_S)

    def load(self) -> None:
        """Start its process, unless it runs, so that loading doesn't count as thinking time.

        Raises:
            RobotLoadError: see `RobotProcess.load`.
        """
        self._process.load()

    def end(self) -> None:
        """End its process."""
        self._process.end()

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """Return the robot's move; `rng` isn't used.

        Raises:
            RobotFailed: the robot returned none.
        """
        return self._process.choose(state, limit.budget_s)


_NO_FUNCTIONS: Mapping[str, RobotSource] = MappingProxyType({})


def load_arena_player(text: str, functions: Mapping[str, RobotSource] = _NO_FUNCTIONS) -> Bot:
    """Return the bot, learner or robot that `text` names, ready to play.

    Args:
        text: the name of a bot or a learner, of a robot in a file, or of one of `functions`.
        functions: robots that are in no file, by their names.

    Raises:
        RobotLoadError: see `RobotProcess.load`.
        BotNameError: there is no such bot.
    """
    if text not in functions and not names_robot(text):
        return contender(text)
    robot = _isolated_robot(functions.get(text, text))
    robot.load()
    return robot


@cache
def _isolated_robot(player: Player) -> IsolatedRobot:
    """Return the robot of this source, always the same: two seats share its process."""
    return IsolatedRobot(player)
