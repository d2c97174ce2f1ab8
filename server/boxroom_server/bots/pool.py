"""All bot processes of a server, and the move that is played for a bot that gives none.

Bots think in processes, each with a queue of jobs before it (`BotQueue`). A room keeps its queue
for its whole life, because a bot may keep tables of positions in its process. All rooms of a
queue share these tables, so memory depends on the number of processes and not of rooms. Bots that
only look at the board have a queue of their own: behind bots that think they would wait a hundred
times as long as they take.
"""

import logging
import random
from collections.abc import Callable
from contextlib import suppress

from boxroom_engine.games.protocol import State
from boxroom_engine.room.limits import bot_kind
from boxroom_server.bots.fair_queue import Asker
from boxroom_server.bots.jobs import BotAnswer, Choose, ChooseMove, Job, Result, choose_move
from boxroom_server.bots.queue import BotQueue, ignore
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Metrics

logger = logging.getLogger(__name__)

QUICK_BOTS = frozenset({"random", "child", "beginner", "careless", "greedy"})
"""Bots that look no further than the next move; it takes them milliseconds."""

STAND_IN = "greedy"
"""Bot that plays for one that gives no move; it plays every game."""


class BotPool:
    """`workers` queues for bots that think up to `limit_s` for a move, and one for quick bots.

    One more is for the coach, whose judgements no game waits for.

    A queue starts its process with its first job, or in `warm_up`.
    """

    def __init__(
        self,
        workers: int,
        limit_s: float,
        rng: random.Random,
        choose: Choose = choose_move,
        metrics: Metrics | None = None,
    ) -> None:
        self.client_of: Callable[[str], str] = str
        """Returns the client that made the room with a code; the directory of rooms sets it.

        Clients get equal shares of the time of a queue.
        """
        self._rng = rng
        self._choose = choose
        self._metrics = metrics or Metrics()
        self._quick_queue = BotQueue(limit_s, self._metrics)  # of `QUICK_BOTS`
        self._queues = tuple(BotQueue(limit_s, self._metrics) for _ in range(workers))
        self._spare_queue = BotQueue(limit_s, self._metrics)  # of jobs for which no game waits
        self._queue_of_room: dict[str, BotQueue] = {}  # by the room's code

    @property
    def moves_waiting(self) -> int:
        """Number of requested moves, reviews and judgements that no process has begun yet."""
        return sum(queue.waiting for queue in self._all_queues)

    @property
    def _all_queues(self) -> tuple[BotQueue, ...]:
        return (self._quick_queue, *self._queues, self._spare_queue)

    def warm_up(self, room: str, bot: str) -> None:
        """Start the process in which `bot` thinks, so that its first move needn't wait for it.

        If that fails, the first move tries it again, and reports why.
        """
        with suppress(OSError):
            self._queue_for(room, bot).warm_up()

    async def choose(
        self, room: str, bot: str, state: State, begun: Callable[[], None] = ignore
    ) -> BotAnswer:
        """Return a legal move in `state`: by `bot` if it answers in time, by `STAND_IN`, or any.

        Call `begun` when one of them begins to think.
        """
        for player in dict.fromkeys((bot, STAND_IN)):
            try:
                return await self.ask(room, player, state, begun)
            except Exception as error:
                logger.warning(
                    "bot %s gave no move: %r", player, error, extra=fields(room=room, bot=player)
                )
        return BotAnswer(self._rng.choice(state.legal_moves()))

    async def ask(
        self, room: str, bot: str, state: State, begun: Callable[[], None] = ignore
    ) -> BotAnswer:
        """Return a legal move of `bot` in `state`, with a remark.

        Raises:
            BotFailed, TimeoutError, EOFError, OSError: see `BotQueue.run`.
            MoveError: its move isn't legal.
        """
        queue = self._queue_for(room, bot)
        try:
            asker = Asker(self.client_of(room), room)
            job = ChooseMove(self._choose, bot, state, self._rng.getrandbits(64))
            answer = await queue.run(asker, job, begun)
            state.play(answer.move)
        except Exception:
            self._metrics.bot_failures[bot_kind(bot)] += 1
            raise
        return answer

    async def work(self, client: str, job: Job[Result]) -> Result:
        """Return the result of a job that belongs to no room, for `client`.

        Raises:
            BotFailed, TimeoutError, EOFError, OSError: see `BotQueue.run`.
        """
        queue = min(self._queues, key=lambda queue: queue.waiting)
        return await queue.run(Asker(client, ""), job)

    async def work_beside(self, room: str, job: Job[Result]) -> Result:
        """Return the result of a job for `room` that delays no bot's move, nor the jobs of `work`.

        Raises:
            BotFailed, TimeoutError, EOFError, OSError: see `BotQueue.run`.
        """
        return await self._spare_queue.run(Asker(self.client_of(room), room), job)

    def _queue_for(self, room: str, bot: str) -> BotQueue:
        if bot_kind(bot) in QUICK_BOTS:
            return self._quick_queue
        if room not in self._queue_of_room:
            queue = min(self._queues, key=lambda queue: (queue.rooms, queue.waiting))
            queue.rooms += 1
            self._queue_of_room[room] = queue
        return self._queue_of_room[room]

    def release(self, room: str) -> None:
        """Forget the queue of a room that has closed."""
        queue = self._queue_of_room.pop(room, None)
        if queue is not None:
            queue.rooms -= 1

    async def stop(self) -> None:
        """Kill all processes."""
        for queue in self._all_queues:
            await queue.stop()
