"""A robot in the arena: a bot like the others, but asked in a process of its own.

So it can't meddle with its opponent, nor with the process that keeps the time.
"""

import random
from functools import cache

from boxroom_client.robots.file import names_robot
from boxroom_client.robots.process import RobotProcess
from boxroom_engine.bots.options import WithoutOptions
from boxroom_engine.bots.protocol import Bot, Limit
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import GameKind, Move, State


class RobotElsewhere(WithoutOptions):
    """The robot that `name` names, as `RobotFile.parse` takes it."""

    strength = 0
    description = "plays as a user's function decides"

    def __init__(self, name: str) -> None:
        self.name = name
        self._process = RobotProcess(name, is_silent=True)

    def load(self) -> None:
        """Start its process, unless it runs: that isn't to count as thinking.

        Raises:
            CantLoad: see `RobotProcess.load`.
        """
        self._process.load()

    def end(self) -> None:
        """End its process."""
        self._process.end()

    def supports(self, kind: GameKind) -> bool:
        """Whatever it does support, it answers for that when it is asked."""
        return True

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The move that the robot answers; it has no use for `rng`.

        Raises:
            RobotFailed: it answered none.
        """
        return self._process.choose(state, limit.budget_s)


def contender(text: str) -> Bot:
    """The bot or robot that `text` names, ready to play.

    Raises:
        CantLoad: see `RobotProcess.load`.
        BotNameError: there is no such bot.
    """
    if not names_robot(text):
        return bot_of(text)
    robot = _robot(text)
    robot.load()
    return robot


@cache
def _robot(text: str) -> RobotElsewhere:
    """One for each name: two seats of a robot share a process."""
    return RobotElsewhere(text)
