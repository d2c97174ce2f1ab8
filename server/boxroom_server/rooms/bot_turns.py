"""Turns that a bot plays in one room: its own, and those of people whose clock has run out."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.events import MoveSource
from boxroom_engine.room.room import Room
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Clock
from boxroom_server.storage.room_log import CannotSave
from boxroom_server.tasks import Tasks

THINKING_SHOWN_AFTER_S = 0.5


class _Turn(NamedTuple):
    """What a bot thinks about, and for whom; in no room does it come twice."""

    game: int
    ply: int
    seat: Seat
    by: MoveSource


class BotTurns:
    """The turns of one room about which a bot is thinking.

    `room` gives the room as it is, `perform` lets a command happen in it, `show` tells its
    guests that a bot thinks, and `see_what_is_due` is called when a turn has come to nothing.
    """

    def __init__(
        self,
        *,
        bots: BotPool,
        clock: Clock,
        pace_s: float,
        tasks: Tasks,
        room: Callable[[], Room],
        perform: Callable[[cmd.Command], Awaitable[object]],
        show: Callable[[Seat, str], None],
        see_what_is_due: Callable[[], None],
        try_again_later: Callable[[], None],
    ) -> None:
        self._bots = bots
        self._clock = clock
        self._pace_s = pace_s
        self._tasks = tasks
        self._room = room
        self._perform = perform
        self._show = show
        self._see_what_is_due = see_what_is_due
        self._try_again_later = try_again_later
        self._thinking: set[_Turn] = set()

    def let_bot_think(self, room: Room) -> None:
        """If a bot is to move in `room`, which is the room as it is, have it think."""
        to_move, state = room.bot_to_move(), room.state
        if to_move is not None and state is not None:
            seat, bot = to_move
            self.have_played(bot, seat, state, MoveSource.BOT)

    def have_played(self, bot: str, seat: Seat, state: State, by: MoveSource) -> None:
        """Have `bot` play in `state`, unless it thinks about that already."""
        turn = _Turn(self._room().game_number, state.ply, seat, by)
        if turn not in self._thinking:
            self._thinking.add(turn)
            self._tasks.start(self._play(bot, state, turn), failed=self._try_again_later)

    async def _play(self, bot: str, state: State, turn: _Turn) -> None:
        """Get a move from a worker and play it, unless the room has moved on by then."""
        try:
            move = await self._think(bot, state, turn)
            if self._room().state is state:  # another game may have come to the same ply
                text = state.game.format_move(move)
                await self._perform(cmd.PlayFor(turn.seat, text, turn.ply, turn.by))
        except CannotSave:
            self._try_again_later()
            return
        finally:
            self._thinking.discard(turn)
        if self._room().state is state:
            # The person took the seat back, or the timer was early; either may be past again.
            self._see_what_is_due()

    async def _think(self, bot: str, state: State, turn: _Turn) -> Move:
        """The move of `bot`, which takes the time that eyes need to follow."""
        thinking = self._clock.call_later(
            THINKING_SHOWN_AFTER_S, lambda: self._show(turn.seat, bot)
        )
        pace_s = self._pace_s if turn.by is MoveSource.BOT else 0
        pace = asyncio.ensure_future(self._clock.sleep(pace_s))
        try:
            move = await self._bots.choose(self._room().code, bot, state)
            await pace
            return move
        finally:
            thinking.cancel()
            pace.cancel()
