"""Hints: a bot thinks for a member who asks, and only that member receives the answer.

The rules of the room, in the engine, decide whether a member may ask.
"""

import logging

from boxroom_engine.games.protocol import Seat
from boxroom_engine.room.events import Entry, HintAsked
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import Hint, Notice
from boxroom_server.bots.pool import BotPool
from boxroom_server.ops.logs import fields
from boxroom_server.rooms.host import RoomHost
from boxroom_server.sentences import notice
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)


class Hints:
    """The pending hints of the room of `host`, at most one for each member: an `Activity`."""

    def __init__(self, host: RoomHost, bots: BotPool, limits: RoomLimits) -> None:
        self._host = host
        self._bots = bots
        self._limits = limits
        self._pending: set[str] = set()  # the members that wait for one
        self._tasks = Tasks()  # one for each of them
        self._asked: set[str] = set()  # the members that asked in the present position

    def is_pending_for(self, member: str) -> bool:
        """Return whether `member` still waits for its last hint."""
        return member in self._pending

    def was_asked_by(self, member: str) -> bool:
        """Return whether `member` has asked for a hint in the present position, as all know."""
        return member in self._asked

    def start(self) -> None:
        pass  # a hint that was asked for before the room slept has been given up

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Start the hint that was asked for, if its member is connected to this host."""
        if after.state is not before.state:
            self._asked.clear()
        for event in entry.events:
            if type(event) is HintAsked:
                member = after.seats[event.seat].member
                if member is not None and self._host.connections.get(member) is not None:
                    self._asked.add(member)
                    self._pending.add(member)
                    self._tasks.start(self._find_and_send(member, after, Seat(event.seat)))

    async def stop(self) -> None:
        """Abandon all hints."""
        await self._tasks.cancel()

    async def _find_and_send(self, member: str, room: Room, seat: Seat) -> None:
        try:
            message = await self._find(room, seat)
        except Exception as error:
            text = "there is no hint in room %s: %r"
            logger.warning(text, room.code, error, extra=fields(room=room.code))
            message = notice("no_hint")
        finally:
            self._pending.discard(member)
        self._host.connections.send_one(member, message)

    async def _find(self, room: Room, seat: Seat) -> Hint | Notice:
        state, bot = room.state, self._limits.bots[room.settings.game][-1]
        assert state is not None
        answer = await self._bots.ask(room.code, bot, state)
        if self._host.room.state is not state:
            return notice("hint_late")
        return Hint(seat, state.game.format_move(answer.move), room.ply, room.game_number, bot)
