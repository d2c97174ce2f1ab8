"""Hints: a bot thinks for a person who asked, and only that person is told what it found.

Whether there are hints in a room, and who may ask when, is for the room's rules to say.
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
    """The hints for one room that are being thought about; each member has one at most.

    `room` gives the room as it is, `tell` sends something to one of its members, and `tasks` is
    where bots are waited for.
    """

    def __init__(
        self,
        bots: BotPool,
        limits: RoomLimits,
        room: Callable[[], Room],
        tell: Callable[[str, Hint | Notice], None],
        tasks: Tasks,
    ) -> None:
        self._bots = bots
        self._limits = limits
        self._room = room
        self._tell = tell
        self._tasks = tasks
        self._coming: set[str] = set()

    def are_coming_for(self, asked: cmd.FromMember) -> bool:
        """Whether `asked` is the question of somebody whose last one isn't answered yet."""
        return isinstance(asked.command, cmd.AskHint) and asked.member in self._coming

    def find(self, member: str, seat: Seat) -> None:
        """Have the strongest bot think about the room's position, and tell `member` in the end."""
        self._coming.add(member)
        self._tasks.start(self._find(member, seat))

    async def _find(self, member: str, seat: Seat) -> None:
        try:
            message = await self._found(self._room(), seat)
        except Exception as error:
            code = self._room().code
            logger.warning("there is no hint in room %s: %r", code, error, extra=fields(room=code))
            message = Notice("no_hint", "no hint was found in time: ask again")
        finally:
            self._coming.discard(member)
        self._tell(member, message)

    async def _found(self, asked: Room, seat: Seat) -> Hint | Notice:
        state, bot = asked.state, self._limits.bots[asked.settings.game][-1]
        assert state is not None
        move = await self._bots.ask(asked.code, bot, state)
        if self._room().state is not state:
            return Notice("hint_late", "the game has gone on: that hint comes too late")
        return Hint(seat, state.game.format_move(move), state.ply, asked.game_number, bot)
