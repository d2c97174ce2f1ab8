"""One bot process, and the moves that wait for it, in fair shares of its time (see `fair_queue`).

The memory of a process's bots, such as tables of positions, lives as long as the process, and
helps every room of the same queue. `BotPool` assigns rooms to queues, and plays for a bot that
fails.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from boxroom_engine.games.protocol import State
from boxroom_engine.room.limits import bot_kind
from boxroom_server.bots.fair_queue import Asker, FairQueue
from boxroom_server.bots.process import BotAnswer, BotFailed, BotProcess, Choose
from boxroom_server.ops.metrics import Metrics

MIN_THINKING_S = 0.05
"""Least time for a move, however many moves wait, unless the limit itself is less."""


def ignore() -> None:
    """Do nothing when a bot begins to think."""


class BotQueue:
    """A queue of moves for one process, which starts with the first move or in `warm_up`."""

    def __init__(self, limit_s: float, choose: Choose, metrics: Metrics) -> None:
        self.rooms = 0
        """Number of rooms that use this queue."""
        self._limit_s = limit_s
        self._choose = choose
        self._metrics = metrics
        # Done when the turn of a move comes.
        self._waiting = FairQueue[asyncio.Future[None]]()
        self._is_thinking = False  # whether a move has its turn
        self._process: BotProcess | None = None  # before the first move, and after a failure

    def warm_up(self) -> None:
        """Start the process, so that the first move needn't wait for it."""
        if self._process is None:
            self._process = BotProcess(self._choose)

    @property
    def waiting(self) -> int:
        """Number of requested moves that the bot doesn't think about yet."""
        return len(self._waiting)

    async def choose(
        self,
        asker: Asker,
        bot: str,
        state: State,
        seed: int,
        begun: Callable[[], None] = ignore,
    ) -> BotAnswer:
        """Return the answer of `bot`, perhaps an illegal move, once it is `asker`'s turn.

        Call `begun` when the bot begins to think.

        Raises:
            BotFailed, TimeoutError, EOFError, OSError: see `BotProcess.choose`. After all but
                the first the next move gets a new process.
        """
        await self._wait_for_turn(asker)
        began_s = self._metrics.now_s()
        try:
            begun()
            return await self._choose_now(asker, bot, state, seed)
        finally:
            self._waiting.charge(asker, self._metrics.now_s() - began_s)
            self._end_turn()

    async def _wait_for_turn(self, asker: Asker) -> None:
        if not self._is_thinking:
            self._is_thinking = True
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
        """Pass the turn on to the next move that is still wanted."""
        while (turn := self._waiting.take()) is not None:
            if not turn.done():
                turn.set_result(None)
                return
        self._is_thinking = False

    async def _choose_now(self, asker: Asker, bot: str, state: State, seed: int) -> BotAnswer:
        try:
            process = await self._live_process()
            await process.ready()
            with self._timed(bot):
                return await process.choose(bot, state, self._share_s(asker.client), seed)
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

    def _share_s(self, client: str) -> float:
        """Return the time limit of the next move, which it shares with the moves that wait.

        So a room waits about one whole limit for each of its turns, and not one for each room
        before it; and the more moves a client asks for, the less time each of them gets, and not
        the moves of others.
        """
        return max(self._limit_s * self._waiting.share(client), min(self._limit_s, MIN_THINKING_S))

    async def stop(self) -> None:
        """Kill the process."""
        process, self._process = self._process, None
        if process is not None:
            await process.end()
