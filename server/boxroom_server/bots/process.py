"""A process that does one job of a bot at a time.

It runs with a lower priority than the server. `BotQueue` decides which job is next, and `BotPool`
plays for a bot that fails.
"""

import asyncio
import os
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from threading import Thread
from traceback import format_exception_only
from typing import Any, TypeVar

from boxroom_common.child_processes import SPAWN, exit_with_parent, terminal_signals_blocked
from boxroom_common.kernel.use import use_when_built
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.registry import load_abilities
from boxroom_server.bots.jobs import Job

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

PORTION_S = 0.25
"""Portions in which the server waits for a process: each counts once, however long it has lasted.

So a bot isn't blamed for the time in which the server itself, or the whole machine, stood still.
"""

MAX_REASON_CHARS = 500
"""Longest reason of a failure that a process reports."""


Result = TypeVar("Result")


class BotFailed(BoxroomError):
    """A job has no result, for the reason in the message; its process can be asked again."""


class BotProcess:
    """The server's end of a process that does jobs; the process starts at once.

    After any error of `run` but BotFailed the process can't be used any more: end it.
    """

    def __init__(self) -> None:
        # The process has the other end; results and errors come back on this one.
        self._connection, process_end = SPAWN.Pipe()
        self._process = SPAWN.Process(target=_serve, args=(process_end,), daemon=True)
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
            await self._receive(START_S)
            self._is_ready = True

    async def run(self, job: Job[Result], limit_s: float) -> Result:
        """Return the result of `job`, in its limit and `GRACE_S`.

        Raises:
            BotFailed: the job has no result.
            TimeoutError: it hangs.
            EOFError, OSError: the process has died.
        """
        self._connection.send((job, limit_s))  # it is idle: this doesn't block
        result: Result | BotFailed = await self._receive(limit_s + GRACE_S)
        if isinstance(result, BotFailed):
            raise result
        return result

    async def _receive(self, limit_s: float) -> Any:
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        descriptor = self._connection.fileno()
        loop.add_reader(descriptor, readable.set)
        waiting = asyncio.ensure_future(readable.wait())
        try:
            while limit_s > 0 and not waiting.done():
                await asyncio.wait((waiting,), timeout=min(limit_s, PORTION_S))
                limit_s -= PORTION_S
        finally:
            waiting.cancel()
            loop.remove_reader(descriptor)
        if not (readable.is_set() or self._connection.poll()):  # timers come before it in uvloop
            raise TimeoutError
        return self._connection.recv()

    async def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        self._connection.close()  # last, so that a pending `run` gets an EOFError


# In the process


def _serve(connection: Connection) -> None:
    """Do jobs until the server closes the connection."""
    Thread(target=exit_with_parent, daemon=True).start()
    use_when_built()
    load_abilities()
    _give_way()  # after the imports, as a move may wait for the start
    try:
        connection.send("ready")
        while True:
            connection.send_bytes(_pickled_result(*connection.recv()))
    except (EOFError, OSError):
        return


def _give_way() -> None:
    """Lower the priority of this process, and of its session.

    Linux divides the processor among sessions before it looks at the priorities of processes
    (sched(7), autogroup): a bot in the server's session would use up the server's share. So it gets
    a session of its own, with a low priority as well.
    """
    os.setsid()
    with suppress(OSError):  # a filter of system calls may refuse it: a bot plays nevertheless
        os.nice(NICENESS)
    with suppress(OSError):  # the file exists on Linux only, and not always
        _AUTOGROUP.write_text(str(NICENESS))


def _pickled_result(job: Job[object], limit_s: float) -> memoryview:
    """Return the pickled result of `job`, or the reason why there is none, also of SystemExit."""
    try:
        return ForkingPickler.dumps(job(limit_s))
    except BaseException as error:
        reason = "".join(format_exception_only(error)).strip()[:MAX_REASON_CHARS]
        return ForkingPickler.dumps(BotFailed(reason))
