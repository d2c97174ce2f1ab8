"""Processes in which bots think, each move under a hard limit.

A bot that hangs is killed with its process, a process that dies is replaced, and in either
case there is a move all the same: a legal one at random. Should the pool itself break, which
it does when a process dies that had nothing to do, there is a new one for the next move.
"""

import asyncio
import logging
import operator
import random
import signal
import time
from collections.abc import Callable
from multiprocessing import get_context, resource_tracker
from traceback import format_exception_only

from pebble import ProcessPool

from boxroom_engine.bots.protocol import Limit
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import Move, State

logger = logging.getLogger(__name__)

GRACE_S = 0.5
"""How long after its limit a bot that doesn't stop by itself is killed."""

START_S = 10.0
"""How long after that the pool counts as broken: a process may still have to start or end."""

MOST_REASON_CHARS = 500

Choose = Callable[[str, State, float, int], Move]
"""What a process runs: the name of a bot, a state, a limit in seconds, a seed."""


def choose_move(bot: str, state: State, limit_s: float, seed: int) -> Move:
    """The move of the bot called `bot`."""
    return bot_of(bot).choose(state, Limit(limit_s, time.monotonic), random.Random(seed))


class BotWorkers:
    """A pool of processes; it starts with the first move that is asked for, or to warm up."""

    def __init__(
        self, workers: int, limit_s: float, rng: random.Random, choose: Choose = choose_move
    ) -> None:
        self._workers = workers
        self._limit_s = limit_s
        self._rng = rng
        self._choose = choose
        self._a_worker = asyncio.Semaphore(workers)
        self._pool: ProcessPool | None = None
        self._waking: asyncio.Future[None] | None = None

    def warm_up(self) -> None:
        """Start a process now, so that the first move needn't wait for one."""
        if self._pool is None:
            self._pool = self._new_pool()
            self._waking = asyncio.wrap_future(self._pool.schedule(_wake))

    async def choose(self, bot: str, state: State) -> Move:
        """A legal move in `state`, by `bot` if it answers in time."""
        try:
            move = await self._ask(bot, state)
            state.play(move)
        except Exception as error:
            logger.warning("bot %s gave no move (%r): a random one is played", bot, error)
            return self._rng.choice(state.legal_moves())
        return move

    async def _ask(self, bot: str, state: State) -> Move:
        # No more than there are workers at once, so that the wait for an answer has an end.
        async with self._a_worker:
            if self._pool is not None and not self._pool.active:
                await self.stop()
            if self._pool is None:
                self._pool = self._new_pool()
            pool = self._pool
            future = pool.schedule(
                _in_worker,
                args=(self._choose, bot, state, self._limit_s, self._rng.getrandbits(64)),
                timeout=self._limit_s + GRACE_S,  # from when a worker begins with it
            )
            try:
                async with asyncio.timeout(self._limit_s + GRACE_S + START_S) as waiting:
                    return Move(await asyncio.wrap_future(future))
            finally:
                if waiting.expired():
                    await self._end(pool)

    def _new_pool(self) -> ProcessPool:
        # A fork would copy the event loop and the sockets.
        pool = ProcessPool(max_workers=self._workers, context=get_context("spawn"))
        # Ctrl-C in a terminal goes to every process, and the server decides what it means. Its
        # processes, and the threads that start them, inherit from here that they don't hear it.
        resource_tracker.ensure_running()  # starting later, it would unblock the signal
        signals = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            assert pool.active  # to ask is to start it
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, signals)
        return pool

    async def stop(self) -> None:
        """End the processes, whatever they do."""
        if self._waking is not None:
            # A pool that is stopped while it starts processes loses one of them, which
            # complains when it finds its semaphores gone. To start one takes half a second.
            await asyncio.wait([self._waking], timeout=START_S)
            self._waking = None
        if self._pool is not None:
            await self._end(self._pool)

    async def _end(self, pool: ProcessPool) -> None:
        if self._pool is pool:
            self._pool = None
        pool.stop()  # type: ignore[no-untyped-call]
        await asyncio.to_thread(pool.join)


def _wake() -> None:
    """Nothing, but to be sent it a process has to have started and imported this module."""


def _in_worker(choose: Choose, bot: str, state: State, limit_s: float, seed: int) -> int:
    """Run `choose`; nothing but a number or a RuntimeError goes back.

    The pool raises in the server whatever was raised here, even SystemExit, and breaks at
    what can't be pickled.
    """
    try:
        return operator.index(choose(bot, state, limit_s, seed))
    except BaseException as error:
        reason = "".join(format_exception_only(error)).strip()
        raise RuntimeError(reason[:MOST_REASON_CHARS]) from None
