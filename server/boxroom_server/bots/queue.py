"""One bot process, and the jobs that wait for it, in fair shares of its time (see `fair_queue`).

The memory of a process's bots, such as tables of positions, lives as long as the process, and
helps every room of the same queue. `BotPool` assigns rooms to queues, and plays for a bot that
fails.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from boxroom_server.bots.fair_queue import Asker, FairQueue
from boxroom_server.bots.jobs import BotFailed, Job, Result
from boxroom_server.bots.process import BotProcess
from boxroom_server.ops.metrics import Metrics

MIN_THINKING_S = 0.05
"""Least time for a job, however many jobs wait, unless the limit itself is less."""


def ignore() -> None:
    """Ignore that a bot begins to think."""


class BotQueue:
    """A queue of jobs for one process, which starts with the first job or in `warm_up`."""

    def __init__(self, limit_s: float, metrics: Metrics) -> None:
        self.rooms = 0
        """Number of rooms that use this queue."""
        self._limit_s = limit_s
        self._metrics = metrics
        # Done when the turn of a job comes.
        self._waiting = FairQueue[asyncio.Future[None]]()
        self._is_busy = False  # whether a job has its turn
        self._process: BotProcess | None = None  # before the first job, and after a failure

    def warm_up(self) -> None:
        """Start the process, so that the first job needn't wait for it."""
        if self._process is None:
            self._process = BotProcess()

    @property
    def waiting(self) -> int:
        """Number of jobs that the process hasn't begun yet."""
        return len(self._waiting)

    async def run(
        self, asker: Asker, job: Job[Result], begun: Callable[[], None] = ignore
    ) -> Result:
        """Return the result of `job`, once it is `asker`'s turn.

        Call `begun` when the process begins with it.

        Raises:
            BotFailed, TimeoutError, EOFError, OSError: see `BotProcess.run`. After all but the
                first the next job gets a new process.
        """
        await self._wait_for_turn(asker)
        began_s = self._metrics.now_s()
        try:
            begun()
            return await self._run_now(asker, job)
        finally:
            self._waiting.charge(asker, self._metrics.now_s() - began_s)
            self._end_turn()

    async def _wait_for_turn(self, asker: Asker) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(asker, turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._waiting.discard(asker, turn)
            if not turn.cancelled():  # it came in this moment, and isn't wanted any more
                self._end_turn()
            raise

    def _end_turn(self) -> None:
        """Pass the turn on to the next job that is still wanted."""
        while (turn := self._waiting.take()) is not None:
            if not turn.done():
                turn.set_result(None)
                return
        self._is_busy = False

    async def _run_now(self, asker: Asker, job: Job[Result]) -> Result:
        try:
            process = await self._live_process()
            await process.ready()
            with self._timed(job.kind):
                return await process.run(job, self._share_s(asker.client))
        except BotFailed:
            raise
        except BaseException:  # also CancelledError: the result isn't wanted any more
            await self.stop()
            raise

    @contextmanager
    def _timed(self, kind: str) -> Iterator[None]:
        """Observe the duration in the metrics, whether a job of that kind has a result or not."""
        began_s = self._metrics.now_s()
        try:
            yield
        finally:
            self._metrics.thinking[kind].observe(self._metrics.now_s() - began_s)

    async def _live_process(self) -> BotProcess:
        """Return the process; start a new one if there is none, or if it has died while idle."""
        if self._process is not None and not self._process.is_alive:
            await self.stop()
        if self._process is None:
            self._process = BotProcess()
        return self._process

    def _share_s(self, client: str) -> float:
        """Return the time limit of the next job, which it shares with the jobs that wait.

        So a room waits about one whole limit for each of its turns, and not one for each room
        before it; and the more jobs a client asks for, the less time each of them gets, and not
        the jobs of others.
        """
        return max(self._limit_s * self._waiting.share(client), min(self._limit_s, MIN_THINKING_S))

    async def stop(self) -> None:
        """Kill the process."""
        process, self._process = self._process, None
        if process is not None:
            await process.end()
