"""Which process a bot's move is asked of, and the move that is played when none comes.

Bots think in *lanes* of one process each. A room keeps its lane as long as it lives, because a
bot may keep tables of positions in its process; they are of use to every room that shares them,
so memory is that of the lanes, however many rooms there are. Bots that only look at the board
have a lane of their own: they would wait a hundred times as long as they take behind others
that think.
"""

import logging
import random

from boxroom_engine.games.protocol import Move, State
from boxroom_engine.room.limits import bot_kind
from boxroom_server.bots.process import Choose, choose_move
from boxroom_server.bots.queue import BotQueue
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Metrics

logger = logging.getLogger(__name__)

QUICK = frozenset({"random", "careless", "greedy"})
"""Bots that look no further than the next move; it takes them milliseconds."""

STAND_IN = "greedy"
"""Plays the move of a bot that gives none; it plays every game."""


class BotPool:
    """`workers` lanes for bots that think up to `limit_s` for a move, and one for the others.

    A process starts with the first move that is asked of its lane, or to warm up.
    """

    def __init__(
        self,
        workers: int,
        limit_s: float,
        rng: random.Random,
        choose: Choose = choose_move,
        metrics: Metrics | None = None,
    ) -> None:
        self._rng = rng
        self._metrics = metrics or Metrics()
        self._quick = BotQueue(limit_s, choose, self._metrics)
        self._lanes = tuple(BotQueue(limit_s, choose, self._metrics) for _ in range(workers))
        self._lane_of: dict[str, BotQueue] = {}

    @property
    def moves_waiting(self) -> int:
        """How many moves were asked for and haven't begun."""
        return sum(lane.waiting for lane in (self._quick, *self._lanes))

    def warm_up(self) -> None:
        """Start a process of either kind, so that the first move needn't wait for one."""
        self._quick.warm_up()
        self._lanes[0].warm_up()

    async def choose(self, room: str, bot: str, state: State) -> Move:
        """A legal move in `state`: by `bot` if it answers in time, or by `STAND_IN`, or any."""
        for player in dict.fromkeys((bot, STAND_IN)):
            try:
                return await self.ask(room, player, state)
            except Exception as error:
                logger.warning(
                    "bot %s gave no move: %r", player, error, extra=fields(room=room, bot=player)
                )
        return self._rng.choice(state.legal_moves())

    async def ask(self, room: str, bot: str, state: State) -> Move:
        """A legal move of `bot` in `state`.

        Raises:
            BotFailed, TimeoutError, EOFError, OSError: see `BotQueue`.
            MoveError: its move isn't legal.
        """
        lane = self._lane_for(room, bot)
        try:
            move = await lane.choose(bot, state, self._rng.getrandbits(64))
            state.play(move)
        except Exception:
            self._metrics.bot_failures[bot_kind(bot)] += 1
            raise
        return move

    def _lane_for(self, room: str, bot: str) -> BotQueue:
        if bot_kind(bot) in QUICK:
            return self._quick
        if room not in self._lane_of:
            lane = min(self._lanes, key=lambda lane: (lane.rooms, lane.waiting))
            lane.rooms += 1
            self._lane_of[room] = lane
        return self._lane_of[room]

    def release(self, room: str) -> None:
        """The room called `room` has come to its end."""
        lane = self._lane_of.pop(room, None)
        if lane is not None:
            lane.rooms -= 1

    async def stop(self) -> None:
        """End the processes, whatever they do."""
        for lane in (self._quick, *self._lanes):
            await lane.stop()
