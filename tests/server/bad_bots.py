"""Bots that misbehave or reveal their process, in a module that worker processes can import.

`choose` replaces `boxroom_server.bots.jobs.choose_move`; a bot's name selects its behaviour.
"""

import asyncio
import os
import signal
import sys
import time
from itertools import count
from typing import Any

from boxroom_engine.games.protocol import Move, State
from boxroom_server.bots.jobs import BotAnswer, ChooseMove

_calls = count()
"""Number of calls in this process; like a bot's tables it lives as long as the process."""


class Unpicklable:
    """An object that can't be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError("no way")


class Unlucky(Exception):
    """An exception that can be pickled and not unpickled."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


class Unspeakable(Exception):
    """An exception without a text."""

    def __str__(self) -> str:
        raise ValueError("don't ask")


def job(bot: str, state: State) -> ChooseMove:
    """Return the job to misbehave as `bot` says."""
    return ChooseMove(choose, bot, state, seed=7)


def choose(bot: str, state: State, limit_s: float, seed: int) -> BotAnswer:
    """Misbehave as `bot` says, or answer with the first legal move."""
    return BotAnswer(_move(bot, state, limit_s))


def answer_nonsense(bot: str, state: State, limit_s: float, seed: int) -> BotAnswer:
    """Return no move, for any bot."""
    return choose("answers nonsense", state, limit_s, seed)


def _move(bot: str, state: State, limit_s: float) -> Any:
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
