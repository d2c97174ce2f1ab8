"""One bot process, and the moves that wait for it, first come, first served.

The memory of a process's bots, such as tables of positions, lives as long as the process, and
helps every room of the same queue. `BotPool` assigns rooms to queues, and plays for a bot that
fails.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from boxroom_engine.games.protocol import Move, State
from boxroom_engine.room.limits import bot_kind
from boxroom_server.bots.process import BotFailed, BotProcess, Choose
from boxroom_server.ops.metrics import Metrics

MIN_THINKING_S = 0.05
"""Least time for a move, however many moves wait, unless the limit itself is less."""


class BotQueue:
    """A queue of moves for one process, which starts with the first move or in `warm_up`."""

    def __init__(self, limit_s: float, choose: Choose, metrics: Metrics) -> None:
        self.rooms = 0
        """Number of rooms that use this queue."""
        self.waiting = 0
        """Number of requested moves that the bot doesn't think about yet."""
        self._limit_s = limit_s
        self._choose = choose
        self._metrics = metrics
        self._turn = asyncio.Lock()  # held by the move that the process thinks about
        self._process: BotProcess | None = None  # before the first move, and after a failure

    def warm_up(self) -> None:
        """Start the process, so that the first move needn't wait for it."""
        if self._process is None:
            self._process = BotProcess(self._choose)

    async def choose(self, bot: str, state: State, seed: int) -> Move:
        """Return the move of `bot`, perhaps an illegal one, once all earlier moves are done.

        Raises:
            BotFailed, TimeoutError, EOFError, OSError: see `BotProcess.choose`. After all but
                the first the next move gets a new process.
        """
        self.waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self.waiting -= 1
        try:
            return await self._choose_now(bot, state, seed)
        finally:
            self._turn.release()

    async def _choose_now(self, bot: str, state: State, seed: int) -> Move:
        try:
            process = await self._live_process()
            await process.ready()
            with self._timed(bot):
                return await process.choose(bot, state, self._share_s(), seed)
        except BotFailed:
            raise
        except BaseException:  # also CancelledError: the move isn't wanted any more
            await self.stop()
            raise

    @contextmanager
    def _timed(self, bot: str) -> Iterator[None]:
        """Observe the duration in the metrics, whether `bot` answers or fails."""
        began_s = self._metrics.now_s()
        try:
            yield
        finally:
            self._metrics.thinking[bot_kind(bot)].observe(self._metrics.now_s() - began_s)

    async def _live_process(self) -> BotProcess:
        """Return the process; start a new one if there is none, or if it has died while idle."""
        if self._process is not None and not self._process.is_alive:
            await self.stop()
        if self._process is None:
            self._process = BotProcess(self._choose)
        return self._process

    def _share_s(self) -> float:
        """Return the time limit of the next move, which it shares with the moves that wait.

        So a room waits about one whole limit for each of its turns, and not one for each room
        before it.
        """
        return max(self._limit_s / (1 + self.waiting), min(self._limit_s, MIN_THINKING_S))

    async def stop(self) -> None:
        """Kill the process."""
        process, self._process = self._process, None
        if process is not None:
            await process.end()
