"""Hints: a bot thinks for a member who asks, and only that member receives the answer.

The rules of the room, in the engine, decide whether a member may ask.
"""

import logging
from collections.abc import Callable

from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import Hint, Notice
from boxroom_server.bots.pool import BotPool
from boxroom_server.ops.logs import fields
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)


class Hints:
    """The pending hints of one room, at most one for each member.

    `room` returns the room as it is now, `send` sends a message to one of its members, and
    `tasks` runs the tasks that wait for bots.
    """

    def __init__(
        self,
        bots: BotPool,
        limits: RoomLimits,
        room: Callable[[], Room],
        send: Callable[[str, Hint | Notice], None],
        tasks: Tasks,
    ) -> None:
        self._bots = bots
        self._limits = limits
        self._room = room
        self._send = send
        self._tasks = tasks
        self._pending: set[str] = set()  # the members that wait for one

    def is_pending_for(self, asked: cmd.FromMember) -> bool:
        """Return whether `asked` requests a hint while its member still waits for the last one."""
        return isinstance(asked.command, cmd.AskHint) and asked.member in self._pending

    def start(self, member: str, seat: Seat) -> None:
        """Let the strongest bot think about the current position, then send `member` its move."""
        self._pending.add(member)
        self._tasks.start(self._find_and_send(member, seat))

    async def _find_and_send(self, member: str, seat: Seat) -> None:
        try:
            message = await self._find(self._room(), seat)
        except Exception as error:
            code = self._room().code
            logger.warning("there is no hint in room %s: %r", code, error, extra=fields(room=code))
            message = Notice("no_hint", "no hint was found in time: ask again")
        finally:
            self._pending.discard(member)
        self._send(member, message)

    async def _find(self, room: Room, seat: Seat) -> Hint | Notice:
        state, bot = room.state, self._limits.bots[room.settings.game][-1]
        assert state is not None
        move = await self._bots.ask(room.code, bot, state)
        if self._room().state is not state:
            return Notice("hint_late", "the game has gone on: that hint comes too late")
        return Hint(seat, state.game.format_move(move), state.ply, room.game_number, bot)
