"""A robot in the arena: a bot like the others, but in a process of its own.

So it can't tamper with its opponent, nor with the process that measures the time.
"""

import random
from functools import cache

from boxroom_client.robots.file import names_robot
from boxroom_client.robots.process import RobotProcess
from boxroom_engine.bots.options import WithoutOptions
from boxroom_engine.bots.protocol import Bot, Limit
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import GameKind, Move, State


class IsolatedRobot(WithoutOptions):
    """A bot that asks the robot `name`, written as `RobotFile.parse` reads it, in its process."""

    strength = 0
    description = "plays as a user's function decides"

    def __init__(self, name: str) -> None:
        self.name = name
        # What the robot prints is discarded.
        self._process = RobotProcess(name, is_silent=True)

    def load(self) -> None:
        """Start its process, unless it runs, so that loading doesn't count as thinking time.

        Raises:
            RobotLoadError: see `RobotProcess.load`.
        """
        self._process.load()

    def end(self) -> None:
        """End its process."""
        self._process.end()

    def supports(self, kind: GameKind) -> bool:
        """Return True: the process reports a game that the robot can't play."""
        return True

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """Return the robot's move; `rng` isn't used.

        Raises:
            RobotFailed: the robot returned none.
        """
        return self._process.choose(state, limit.budget_s)


def load_arena_player(text: str) -> Bot:
    """Return the bot or robot that `text` names, ready to play.

    Raises:
        RobotLoadError: see `RobotProcess.load`.
        BotNameError: there is no such bot.
    """
    if not names_robot(text):
        return bot_of(text)
    robot = _isolated_robot(text)
    robot.load()
    return robot


@cache
def _isolated_robot(text: str) -> IsolatedRobot:
    """Return the robot of this name, always the same: two seats share its process."""
    return IsolatedRobot(text)
