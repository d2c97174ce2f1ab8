"""Turns that bots play in one room: their own, and those of players whose clock has run out."""

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
"""Time until members are shown that a bot is thinking."""


class _Turn(NamedTuple):
    """Identity of a turn within its room."""

    game: int
    ply: int
    seat: Seat
    by: MoveSource


class BotTurns:
    """The turns of one room that bots are thinking about.

    `room` returns the room as it is now, `perform` performs a command in it, `show_thinking` shows
    its members that a bot is thinking, `check_due` is called when a turn led to no move, and
    `retry_later` when a move couldn't be saved.
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
        show_thinking: Callable[[Seat, str], None],
        check_due: Callable[[], None],
        retry_later: Callable[[], None],
    ) -> None:
        self._bots = bots
        self._clock = clock
        self._pace_s = pace_s
        self._tasks = tasks
        self._room = room
        self._perform = perform
        self._show_thinking = show_thinking
        self._check_due = check_due
        self._retry_later = retry_later
        self._thinking: set[_Turn] = set()  # turns whose move is still to come

    def start_bot_to_move(self, room: Room) -> None:
        """If a bot is to move in `room`, the room as it is now, start its turn."""
        to_move, state = room.bot_to_move(), room.state
        if to_move is not None and state is not None:
            seat, bot = to_move
            self.start(bot, seat, state, MoveSource.BOT)

    def start(self, bot: str, seat: Seat, state: State, by: MoveSource) -> None:
        """Let `bot` play in `state`, unless it is thinking about that already."""
        turn = _Turn(self._room().game_number, state.ply, seat, by)
        if turn not in self._thinking:
            self._thinking.add(turn)
            self._tasks.start(self._play(bot, state, turn), failed=self._retry_later)

    async def _play(self, bot: str, state: State, turn: _Turn) -> None:
        """Get a move from a worker and play it, unless the room has moved on by then."""
        try:
            move = await self._think(bot, state, turn)
            if self._room().state is state:  # another game may have come to the same ply
                text = state.game.format_move(move)
                await self._perform(cmd.PlayFor(turn.seat, text, turn.ply, turn.by))
        except CannotSave:
            self._retry_later()
            return
        finally:
            self._thinking.discard(turn)
        if self._room().state is state:
            # The player took the seat back, or the timer was early; either may be over again.
            self._check_due()

    async def _think(self, bot: str, state: State, turn: _Turn) -> Move:
        """Return the move of `bot`, not before people had time to follow the last one."""
        shown = self._clock.call_later(
            THINKING_SHOWN_AFTER_S, lambda: self._show_thinking(turn.seat, bot)
        )
        pace_s = self._pace_s if turn.by is MoveSource.BOT else 0
        pace = asyncio.ensure_future(self._clock.sleep(pace_s))
        try:
            move = await self._bots.choose(self._room().code, bot, state)
            await pace
            return move
        finally:
            shown.cancel()
            pace.cancel()
