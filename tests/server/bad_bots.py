"""Bots that misbehave, or tell of their process: a module that the processes can import.

`choose` stands in for `boxroom_server.bots.process.choose_move`; the bot's name says what it does.
"""

import asyncio
import os
import signal
import sys
import time
from itertools import count
from typing import Any

from boxroom_engine.games.protocol import Move, State

_calls = count()
"""As a bot's tables, it lives as long as the process."""


class Unpicklable:
    """Can't be sent to another process."""

    def __reduce__(self) -> Any:
        raise TypeError("no way")


class Unlucky(Exception):
    """Can be sent to another process, and can't be made there again."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


class Unspeakable(Exception):
    """Doesn't even have a name."""

    def __str__(self) -> str:
        raise ValueError("don't ask")


def choose(bot: str, state: State, limit_s: float, seed: int) -> Any:
    """What `bot` does instead of choosing a move, or the first legal move."""
    match bot:
        case "spins":
            while True:
                pass
        case "sleeps":
            time.sleep(3600)
        case "ignores signals":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                pass
        case "crashes":
            os._exit(3)
        case "exits":
            sys.exit("enough")
        case "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "raises":
            raise RuntimeError("no idea")
        case "raises what can't travel":
            raise Unlucky("no", "luck")
        case "raises what can't be said":
            raise Unspeakable
        case "gives up":
            raise asyncio.CancelledError
        case "interrupts":
            raise KeyboardInterrupt
        case "answers nothing":
            return None
        case "answers nonsense":
            return "h0"
        case "answers in between":
            return 0.5
        case "is off the board":
            return Move(10**6)
        case "is unpicklable":
            return Unpicklable()
        case "counts":  # move number n in the n-th call of this process
            return state.legal_moves()[next(_calls)]
        case "tells its limit":  # move number n for n seconds
            return state.legal_moves()[int(limit_s)]
        case "prints":
            print("this must not spoil what the server prints")
        case _:
            pass
    return state.legal_moves()[0]


BAD = (
    "spins",
    "sleeps",
    "ignores signals",
    "crashes",
    "exits",
    "is killed",
    "raises",
    "raises what can't travel",
    "raises what can't be said",
    "gives up",
    "interrupts",
    "answers nothing",
    "answers nonsense",
    "answers in between",
    "is off the board",
    "is unpicklable",
)
"""All that give no legal move in time."""
