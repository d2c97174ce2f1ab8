"""Turns that bots play in one room: their own, and those of players whose clock has run out."""

import asyncio
from contextlib import suppress
from typing import NamedTuple

from boxroom_engine.bots.levels import title_of
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.phrases import Phrase
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.events import Entry, MoveSource
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import Thinking
from boxroom_server.bots.jobs import BotAnswer
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.net.frames import encode_outgoing
from boxroom_server.rooms.host import RETRY_S, RoomHost
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.sentences import notice
from boxroom_server.storage.room_log import CannotSave
from boxroom_server.tasks import Tasks

THINKING_SHOWN_AFTER_S = 0.5
"""Time until members are shown that a bot is thinking."""

WAITING_SHOWN_AFTER_S = 3.0
"""Time until members are told that a bot waits for others before it begins to think."""

WAITING_SHOWN_EVERY_MS = 60_000
"""Least time between two such notices in a room."""


class _Turn(NamedTuple):
    """Identity of a turn within its room."""

    game: int
    ply: int
    seat: Seat
    by: MoveSource


def _turn(seat: Seat, room: Room, by: MoveSource) -> _Turn:
    return _Turn(room.game_number, room.ply, seat, by)


class BotTurns:
    """The turns of the room of `host` that bots are thinking about: an `Activity`.

    A bot's own move takes `pace_s` at least, so that people can follow.
    """

    def __init__(self, host: RoomHost, bots: BotPool, clock: Clock, pace_s: float) -> None:
        self._host = host
        self._bots = bots
        self._clock = clock
        self._pace_s = pace_s
        self._thinking: set[_Turn] = set()  # turns whose move is still to come
        self._remarked: dict[Seat, int] = {}  # the game in which the last remark was made
        self._tasks = Tasks()  # one for each of the turns
        self._retry: Cancellable | None = None  # after a turn that failed
        self._waiting_shown_ms: int | None = None  # the last time

    def start(self) -> None:
        """Start the turn of the bot that is to move, if one is and isn't thinking already."""
        room = self._host.room
        to_move = room.bot_to_move()
        if to_move is not None and room.state is not None:
            seat, bot = to_move
            if not self.is_played(seat, room, MoveSource.BOT):
                work = self._play_own(bot, seat, room)
                self._tasks.start(work, failed=self._retry_later)

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Start the turn of the bot that is to move now, if one is.

        Other bots' processes start with their game, while its first player thinks.
        """
        if after.game_number != before.game_number:
            for holder in after.seats:
                if holder.bot is not None:
                    self._bots.warm_up(after.code, holder.bot)
        if after.bot_to_move() is not None:
            self.start()

    async def stop(self) -> None:
        """Abandon all turns, and free the bots of the room."""
        await self._tasks.cancel()
        if self._retry is not None:
            self._retry.cancel()
        self._bots.release(self._host.room.code)

    def is_played(self, seat: Seat, room: Room, by: MoveSource) -> bool:
        """Return whether a bot is thinking about the turn of `seat` in the position of `room`."""
        return _turn(seat, room, by) in self._thinking

    async def play(self, bot: str, seat: Seat, room: Room, by: MoveSource) -> None:
        """Play the move that `bot` chooses in `room`, unless its game has moved on by then.

        Raises:
            CannotSave: the move can't be saved now.
            Asleep: the host is asleep.
        """
        state, turn = room.state, _turn(seat, room, by)
        assert state is not None
        self._thinking.add(turn)
        try:
            answer = await self._think(bot, state, turn)
            if self._host.room.state is state:  # another game may have come to the same ply
                self._show_remark(turn, answer.remark)
                text = state.game.format_move(answer.move)
                with suppress(CommandRefused):  # the game has moved on
                    await self._host.perform(cmd.PlayFor(seat, text, room.ply, by))
        finally:
            self._thinking.discard(turn)

    async def _play_own(self, bot: str, seat: Seat, room: Room) -> None:
        try:
            await self.play(bot, seat, room, MoveSource.BOT)
        except CannotSave:
            self._retry_later()
        except Asleep:
            return
        else:
            if self._host.room.state is room.state:
                self.start()  # the player took the seat back; the bot may be in it again

    def _retry_later(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
        self._retry = self._clock.call_later(RETRY_S, self.start)

    async def _think(self, bot: str, state: State, turn: _Turn) -> BotAnswer:
        """Return the answer of `bot`, not before people had time to follow the last one."""
        shown = self._clock.call_later(WAITING_SHOWN_AFTER_S, lambda: self._show_waiting(bot))

        def begun() -> None:
            nonlocal shown
            shown.cancel()
            shown = self._clock.call_later(
                THINKING_SHOWN_AFTER_S, lambda: self._show_thinking(turn.seat, bot)
            )

        pace_s = self._pace_s if turn.by is MoveSource.BOT else 0
        pace = asyncio.ensure_future(self._clock.sleep(pace_s))
        try:
            answer = await self._bots.choose(self._host.room.code, bot, state, begun)
            await pace
            return answer
        finally:
            shown.cancel()
            pace.cancel()

    def _show_thinking(self, seat: Seat, bot: str) -> None:
        self._host.connections.send_all(encode_outgoing(Thinking(seat, bot)))

    def _show_remark(self, turn: _Turn, remark: Phrase | None) -> None:
        """Tell members a bot's remark with the first of the moves that it holds for."""
        if remark is None:
            self._remarked.pop(turn.seat, None)
        elif self._remarked.get(turn.seat) != turn.game:
            self._remarked[turn.seat] = turn.game
            self._host.connections.send_all(encode_outgoing(notice("bot_remark", remark=remark)))

    def _show_waiting(self, bot: str) -> None:
        now_ms, last_ms = self._clock.now_ms(), self._waiting_shown_ms
        if last_ms is None or now_ms - last_ms >= WAITING_SHOWN_EVERY_MS:
            self._waiting_shown_ms = now_ms
            self._host.connections.send_all(encode_outgoing(notice("bot_waits", bot=title_of(bot))))
