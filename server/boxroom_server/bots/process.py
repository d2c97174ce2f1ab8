"""A process in which bots think, one move at a time, and from which nothing else comes back.

It gives way to the server, however long a bot thinks. Who is asked next is for a `lane` to say,
and what is played for a bot that fails for `bot_workers`.
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

from boxroom_common.child_processes import SPAWN, exit_with_parent, terminal_signals_blocked
from boxroom_engine.bots.protocol import Limit
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import Move, State

GRACE_S = 0.5
"""How long after its limit a bot that doesn't stop by itself is given up."""

START_S = 10.0
"""How long a process may take to start; on an idle machine it takes a tenth of a second."""

NICENESS = 12
"""How much lower than the server's its priority is, as setpriority(2) counts.

It gets a fifteenth of a core that others want as well. With 10 people's moves still wait for bots
now and then; with 19, the most there is, bots on a busy machine come too late with their answers.
"""

_AUTOGROUP = Path("/proc/self/autogroup")
"""Where Linux is told the priority of a session, see sched(7)."""

MOST_REASON_CHARS = 500

Choose = Callable[[str, State, float, int], Move]
"""What a process runs: the name of a bot, a state, a limit in seconds, a seed."""


class BotFailed(Exception):
    """The bot gave no move, and says why; its process is there for the next one."""


def choose_move(bot: str, state: State, limit_s: float, seed: int) -> Move:
    """The move of the bot called `bot`."""
    return bot_of(bot).choose(state, Limit(limit_s, time.monotonic), random.Random(seed))


class BotProcess:
    """A process that runs `choose`, seen from the event loop; it starts when it is made.

    After anything that `choose` raises but BotFailed it is of no more use: end it.
    """

    def __init__(self, choose: Choose) -> None:
        self._connection, theirs = SPAWN.Pipe()
        self._process = SPAWN.Process(target=_serve, args=(theirs, choose), daemon=True)
        self._is_ready = False
        with terminal_signals_blocked():
            self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        """Whether it is there; it may die at any time."""
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """Its number in the operating system."""
        return self._process.pid

    async def ready(self) -> None:
        """Return when it has started.

        Raises:
            TimeoutError, EOFError, OSError: it doesn't start.
        """
        if not self._is_ready:
            async with asyncio.timeout(START_S):
                await self._heard()
            self._is_ready = True

    async def choose(self, bot: str, state: State, limit_s: float, seed: int) -> Move:
        """What `bot` answers within its limit and a little more; perhaps no legal move.

        Raises:
            BotFailed: it has no answer.
            TimeoutError: it hangs.
            EOFError, OSError: the process has died.
        """
        self._connection.send((bot, state, limit_s, seed))  # it waits: this takes no time
        async with asyncio.timeout(limit_s + GRACE_S):
            answer = await self._heard()
        if isinstance(answer, str):
            raise BotFailed(answer)
        return Move(answer)

    async def _heard(self) -> int | str:
        loop, heard = asyncio.get_running_loop(), asyncio.Event()
        descriptor = self._connection.fileno()
        loop.add_reader(descriptor, heard.set)
        try:
            await heard.wait()
        finally:
            loop.remove_reader(descriptor)
        answer: int | str = self._connection.recv()
        return answer

    async def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        self._connection.close()  # not before: somebody may still listen, and hears the end


# In the process


def _serve(connection: Connection, choose: Choose) -> None:
    """Answer what is asked until nobody asks any more."""
    Thread(target=exit_with_parent, daemon=True).start()
    _give_way()  # only now: somebody may wait for the start
    try:
        connection.send("ready")
        while True:
            connection.send(_answer(choose, *connection.recv()))
    except (EOFError, OSError):
        return


def _give_way() -> None:
    """Let others have the processor first.

    Linux divides it among sessions before it looks at the priorities of processes (sched(7),
    autogroup): what a bot takes in the server's session would be missing there when the server
    wakes up. So it has a session of its own, and that has a low priority too.
    """
    os.setsid()
    os.nice(NICENESS)
    with suppress(OSError):  # there is such a file on Linux only, and not always
        _AUTOGROUP.write_text(str(NICENESS))


def _answer(choose: Choose, bot: str, state: State, limit_s: float, seed: int) -> int | str:
    """The number of a move, or why there is none: nothing else may travel.

    Whatever else a bot gives or raises, down to SystemExit, mightn't survive being pickled.
    """
    try:
        return operator.index(choose(bot, state, limit_s, seed))
    except BaseException as error:
        return "".join(format_exception_only(error)).strip()[:MOST_REASON_CHARS]
