"""The server's end of a process that does one job of a bot at a time; `worker` is the other end.

`BotQueue` decides which job is next, and `BotPool` plays for a bot that fails.
"""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from threading import Thread
from typing import Any

from boxroom_common.child_processes import SPAWN, Connection, terminal_signals_blocked
from boxroom_server.bots.jobs import BotFailed, Job, Result
from boxroom_server.bots.worker import serve_jobs

GRACE_S = 0.5
"""Time after its limit until a bot that doesn't stop by itself counts as hanging."""

START_S = 10.0
"""How long a process may take to start; on an idle machine it takes a tenth of a second."""

PORTION_S = 0.25
"""Portions in which the server waits for a process: each counts once, however long it has lasted.

So a bot isn't blamed for the time in which the server itself, or the whole machine, stood still.
"""


class BotProcess:
    """The server's end of a process that does jobs; the process starts at once.

    After any error of `run` but BotFailed the process can't be used any more: end it.
    """

    def __init__(self) -> None:
        # The process has the other end; results and errors come back on this one.
        self._connection, process_end = SPAWN.Pipe()
        self._process = SPAWN.Process(target=serve_jobs, args=(process_end,), daemon=True)
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
        with _readable(self._connection) as readable:
            waiting = asyncio.ensure_future(readable.wait())
            try:
                while limit_s > 0 and not waiting.done():
                    await asyncio.wait((waiting,), timeout=min(limit_s, PORTION_S))
                    limit_s -= PORTION_S
            finally:
                waiting.cancel()
        if not (readable.is_set() or self._connection.poll()):  # timers come before it in uvloop
            raise TimeoutError
        return self._connection.recv()

    async def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        self._connection.close()  # last, so that a pending `run` gets an EOFError


if sys.platform == "win32":

    @contextmanager
    def _readable(connection: Connection) -> Iterator[asyncio.Event]:
        """Yield an event that is set when something has come; a thread waits for the pipe."""
        loop, readable, is_over = asyncio.get_running_loop(), asyncio.Event(), False

        def watch() -> None:
            with suppress(OSError, RuntimeError):  # the pipe or the loop is closed
                while not is_over:
                    if wait([connection], PORTION_S):
                        loop.call_soon_threadsafe(readable.set)
                        return

        Thread(target=watch, daemon=True).start()
        try:
            yield readable
        finally:
            is_over = True

else:

    @contextmanager
    def _readable(connection: Connection) -> Iterator[asyncio.Event]:
        """Yield an event that is set when something has come."""
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        descriptor = connection.fileno()
        loop.add_reader(descriptor, readable.set)
        try:
            yield readable
        finally:
            loop.remove_reader(descriptor)
