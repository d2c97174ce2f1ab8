"""Bots that misbehave, in a module that worker processes can import."""

import errno
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

from boxroom_engine.bots.protocol import Bot, BotBase
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import GameKind, Move, State
from boxroom_engine.stopping import Limit
from boxroom_lab.robots.file import RobotLoadError, RobotLoadTimeout

BAD = ("spins", "sleeps", "crashes", "aborts", "raises", "cheats", "is late")
"""The bots that lose every game."""


class Bad(BotBase):
    """A bot that plays the first legal move for a while, and then does what its name says."""

    strength = -1
    description = "misbehaves"

    def __init__(self, name: str) -> None:
        self.name = name

    def supports(self, kind: GameKind) -> bool:
        return True

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        if state.ply >= 4:
            misbehave(self.name, limit)
        return Move(-1) if self.name == "cheats" else state.legal_moves()[0]


def misbehave(name: str, limit: Limit) -> None:
    match name:
        case "spins":
            while True:
                pass
        case "sleeps":
            time.sleep(3600)
        case "crashes":
            os._exit(3)
        case "aborts":
            os.abort()
        case "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "raises":
            raise RuntimeError("no idea")
        case "is late":
            time.sleep(max(0.0, limit.began_s + limit.budget_s + 0.52 - limit.clock()))
        case "prints":
            os.write(1, b"this must not get into the report\n")
        case _:
            pass


def bad_or_good(name: str) -> Bot:
    """Return a bad bot by its name, or a good one."""
    match name:
        case "loads slowly":
            raise RobotLoadTimeout("loads slowly takes too long to load")
        case "fails loading":
            raise RobotLoadError("no module of that name")
        case "can't be started":
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        case "dies loading":
            os._exit(4)
        case _:
            pass
    return Bad(name) if name in BAD or name in ("prints", "is killed") else bot_of(name)


class FatalLater:
    """A function that finds bots, and from the second process on ends the one that receives it."""

    def __init__(self, marker: Path) -> None:
        self._marker = marker

    def __call__(self, name: str) -> Bot:
        return bad_or_good(name)

    def __reduce__(self) -> Any:
        return _fatal_later, (self._marker,)


def _fatal_later(marker: Path) -> FatalLater:
    if marker.exists():
        os._exit(9)
    marker.touch()
    return FatalLater(marker)


class Fatal:
    """A function object that ends the process that unpickles it."""

    def __call__(self, name: str) -> Bot:
        raise AssertionError("it is never called")

    def __reduce__(self) -> Any:
        return os._exit, (9,)
