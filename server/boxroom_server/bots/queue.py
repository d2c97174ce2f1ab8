"""A lane: one process, and the moves that wait for it, first come, first served.

What the bots of a process remember, such as tables of positions, lives as long as the process
does, and helps the rooms that come back to the same lane. Which room has which lane is for
`bot_workers` to say, and so is what is played for a bot that fails.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from boxroom_engine.games.protocol import Move, State
from boxroom_engine.room.limits import bot_kind
from boxroom_server.bots.process import BotFailed, BotProcess, Choose
from boxroom_server.ops.metrics import Metrics

LEAST_S = 0.05
"""The least that a bot may think however many wait, unless the limit itself is less."""


class BotQueue:
    """At most one process; it starts with the first move, or to warm up."""

    def __init__(self, limit_s: float, choose: Choose, metrics: Metrics) -> None:
        self.rooms = 0
        """How many rooms have this lane."""
        self.waiting = 0
        """How many moves were asked for and haven't begun."""
        self._limit_s = limit_s
        self._choose = choose
        self._metrics = metrics
        self._turn = asyncio.Lock()
        self._process: BotProcess | None = None

    def warm_up(self) -> None:
        """Start the process now, so that the first move needn't wait for it."""
        if self._process is None:
            self._process = BotProcess(self._choose)

    async def choose(self, bot: str, state: State, seed: int) -> Move:
        """What `bot` answers when its turn has come; perhaps no legal move.

        Raises:
            BotFailed, TimeoutError, EOFError, OSError: as `BotProcess` does. After all but
                the first there is a new process for the next move.
        """
        self.waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self.waiting -= 1
        try:
            return await self._ask(bot, state, seed)
        finally:
            self._turn.release()

    async def _ask(self, bot: str, state: State, seed: int) -> Move:
        try:
            process = await self._living()
            await process.ready()
            with self._timed(bot):
                return await process.choose(bot, state, self._share_s(), seed)
        except BotFailed:
            raise
        except BaseException:  # also CancelledError: nobody wants that move any more
            await self.stop()
            raise

    @contextmanager
    def _timed(self, bot: str) -> Iterator[None]:
        """Count how long this took `bot`, whether it has an answer or not."""
        began_s = self._metrics.now_s()
        try:
            yield
        finally:
            self._metrics.thinking[bot_kind(bot)].observe(self._metrics.now_s() - began_s)

    async def _living(self) -> BotProcess:
        """The process, or a new one if there is none or it has died with nothing to do."""
        if self._process is not None and not self._process.is_alive:
            await self.stop()
        if self._process is None:
            self._process = BotProcess(self._choose)
        return self._process

    def _share_s(self) -> float:
        """The limit of the move that begins: with others behind it, its share of the time.

        So a room whose turn comes round again and again waits about one whole limit for it,
        and not one for each room before it.
        """
        return max(self._limit_s / (1 + self.waiting), min(self._limit_s, LEAST_S))

    async def stop(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            await process.end()
