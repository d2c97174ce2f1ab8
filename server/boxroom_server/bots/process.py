"""A process in which bots think about one move at a time; it answers with moves and errors only.

It runs with a lower priority than the server. `BotQueue` decides which move is next, and `BotPool`
plays for a bot that fails.
"""

import asyncio
import operator
import os
import random
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from traceback import format_exception_only
from typing import NamedTuple

from boxroom_common.child_processes import SPAWN, exit_with_parent, terminal_signals_blocked
from boxroom_engine.bots.protocol import Limit
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import Move, State

GRACE_S = 0.5
"""Time after its limit until a bot that doesn't stop by itself counts as hanging."""

START_S = 10.0
"""How long a process may take to start; on an idle machine it takes a tenth of a second."""

NICENESS = 12
"""How much lower than the server's its priority is, as setpriority(2) counts.

It gets a fifteenth of a core that is contended. With 10, players' moves still wait for bots now
and then; with 19, the maximum, the answers of bots on a busy machine come too late.
"""

_AUTOGROUP = Path("/proc/self/autogroup")
"""Linux's file with the priority of a session, see sched(7)."""

MAX_REASON_CHARS = 500
"""Longest reason of a failure that a process reports."""


class BotAnswer(NamedTuple):
    """A bot's move, and its remark for the table if it has one."""

    move: Move
    remark: str | None = None


Choose = Callable[[str, State, float, int], BotAnswer]
"""Function that a process runs: name of a bot, state, limit in seconds and seed to an answer."""


class BotFailed(Exception):
    """A bot gave no move, for the reason in the message; its process can be asked again."""


def choose_move(bot: str, state: State, limit_s: float, seed: int) -> BotAnswer:
    """Return the move of the bot called `bot`, and its last remark."""
    remarks: list[str] = []
    limit = Limit(limit_s, time.monotonic, remarks.append)
    move = bot_of(bot).choose(state, limit, random.Random(seed))
    return BotAnswer(move, remarks[-1] if remarks else None)


class BotProcess:
    """The server's end of a process that runs `choose`; the process starts at once.

    After any error of `choose` but BotFailed the process can't be used any more: end it.
    """

    def __init__(self, choose: Choose) -> None:
        # The process has the other end; moves and errors come back on this one.
        self._connection, process_end = SPAWN.Pipe()
        self._process = SPAWN.Process(target=_serve, args=(process_end, choose), daemon=True)
        self._is_ready = False  # whether the process has reported that it has started
        with terminal_signals_blocked():
            self._process.start()
        process_end.close()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs; it may die at any time."""
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """Id of the process; None if it hasn't started."""
        return self._process.pid

    async def ready(self) -> None:
        """Wait until the process has started.

        Raises:
            TimeoutError, EOFError, OSError: it doesn't start.
        """
        if not self._is_ready:
            async with asyncio.timeout(START_S):
                await self._receive()
            self._is_ready = True

    async def choose(self, bot: str, state: State, limit_s: float, seed: int) -> BotAnswer:
        """Return the answer of `bot`, perhaps an illegal move, in its limit and `GRACE_S`.

        Raises:
            BotFailed: the bot gave no move.
            TimeoutError: the bot hangs.
            EOFError, OSError: the process has died.
        """
        self._connection.send((bot, state, limit_s, seed))  # it is idle: this doesn't block
        async with asyncio.timeout(limit_s + GRACE_S):
            answer = await self._receive()
        if isinstance(answer, str):
            raise BotFailed(answer)
        return answer

    async def _receive(self) -> BotAnswer | str:
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        descriptor = self._connection.fileno()
        loop.add_reader(descriptor, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(descriptor)
        answer: BotAnswer | str = self._connection.recv()
        return answer

    async def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        self._connection.close()  # last, so that a pending `choose` gets an EOFError


# In the process


def _serve(connection: Connection, choose: Choose) -> None:
    """Answer requests until the server closes the connection."""
    Thread(target=exit_with_parent, daemon=True).start()
    _give_way()  # after the imports, as a move may wait for the start
    try:
        connection.send("ready")
        while True:
            connection.send(_answer(choose, *connection.recv()))
    except (EOFError, OSError):
        return


def _give_way() -> None:
    """Lower the priority of this process, and of its session.

    Linux divides the processor among sessions before it looks at the priorities of processes
    (sched(7), autogroup): a bot in the server's session would use up the server's share. So it gets
    a session of its own, with a low priority as well.
    """
    os.setsid()
    os.nice(NICENESS)
    with suppress(OSError):  # the file exists on Linux only, and not always
        _AUTOGROUP.write_text(str(NICENESS))


def _answer(choose: Choose, bot: str, state: State, limit_s: float, seed: int) -> BotAnswer | str:
    """Return a move with a remark, or the reason why there is none.

    Anything else that a bot returns or raises, down to SystemExit, might fail to be pickled.
    """
    try:
        move, remark = choose(bot, state, limit_s, seed)
        return BotAnswer(Move(operator.index(move)), remark)
    except BaseException as error:
        return "".join(format_exception_only(error)).strip()[:MAX_REASON_CHARS]
