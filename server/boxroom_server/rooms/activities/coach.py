"""The coach: tells a player who has it when a move changed who wins, and sums the game up.

The rules of the room, in the engine, decide who can have it. It speaks to that player alone, at the
server to which the player is connected, and delays no move.
"""

import logging
from typing import NamedTuple

from boxroom_common.phrases import in_english
from boxroom_engine.games.protocol import Seat
from boxroom_engine.review.coaching import CoachWords
from boxroom_engine.room.events import PLAYER, Ended, Entry, Played, Started, Undone
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import Coaching
from boxroom_engine.wire.parts import COACH
from boxroom_server.bots.jobs import CoachMove, SumUpGame
from boxroom_server.bots.pool import BotPool
from boxroom_server.ops.logs import fields
from boxroom_server.rooms.host import RoomHost
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)


class _Topic(NamedTuple):
    """The last move of the player whom the coach helps in `seat`, or the game once it is over."""

    seat: Seat
    job: CoachMove | SumUpGame
    """It finds the words about it."""


class Coach:
    """The coach of the room of `host`: an `Activity`.

    It thinks about one topic at a time, and then about the newest one. So it never speaks of a move
    that the player has taken back or followed by another one, nor of a game before the last.
    """

    def __init__(self, host: RoomHost, bots: BotPool) -> None:
        self._host = host
        self._bots = bots
        self._tasks = Tasks()
        # The newest topic, if it is about this game.
        self._topic: _Topic | None = None
        self._is_thinking = False  # whether a task thinks about topics

    def start(self) -> None:
        pass  # what was played before the room slept has been thought over

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Judge a move of the player, or sum the game up."""
        if after.state is None:
            self._topic = None
        for event in entry.events:
            kind = type(event)
            if kind is Played:
                assert isinstance(event, Played)
                if event.by is PLAYER and after.seats[event.seat].coached:
                    self._played(event, before)
            elif kind is Started or kind is Undone:
                self._topic = None
            elif kind is Ended:
                self._ended(after)

    async def stop(self) -> None:
        """Abandon what isn't said yet."""
        await self._tasks.cancel()

    def _played(self, event: Played, before: Room) -> None:
        assert before.state is not None
        move = before.state.game.parse_move(event.move)
        job = CoachMove(before.state, len(before.movers), move)
        self._turn_to(_Topic(Seat(event.seat), job))

    def _ended(self, after: Room) -> None:
        self._topic = None
        assert after.record is not None
        for seat, holder in enumerate(after.seats):
            if holder.coached:
                job = SumUpGame(after.record.format(), Seat(seat))
                self._turn_to(_Topic(job.seat, job))

    def _turn_to(self, topic: _Topic) -> None:
        self._topic = topic
        if not self._is_thinking:
            self._is_thinking = True
            self._tasks.start(self._think())

    async def _think(self) -> None:
        """Speak about the newest topic, until there is no newer one."""
        last: _Topic | None = None
        while (topic := self._topic) is not None and topic is not last:
            try:
                await self._speak_about(topic)
            except Exception as error:
                code = self._host.room.code
                about = fields(room=code)
                logger.warning("the coach of room %s is silent: %r", code, error, extra=about)
            last = topic
        self._is_thinking = False

    async def _speak_about(self, topic: _Topic) -> None:
        if self._listener(topic.seat) is None:
            return
        words = await self._bots.work_beside(self._host.room.code, topic.job)
        if words is not None and topic is self._topic:
            self._send(topic.seat, words)

    def _listener(self, seat: Seat) -> str | None:
        """Return the player whom the coach helps in `seat`, if its client is here and knows it."""
        holder = self._host.room.seats[seat]
        membership = self._host.connections.get(holder.member)
        is_heard = holder.coached and membership is not None and COACH in membership.knows
        return holder.member if is_heard else None

    def _send(self, seat: Seat, words: CoachWords) -> None:
        name, room = self._listener(seat), self._host.room
        if name is None:
            return
        message = Coaching(
            seat,
            room.game_number,
            in_english(words.said),
            words.said,
            words.move,
            can_undo=words.move is not None and room.takebacks_left > 0,
            theme=words.theme,
        )
        self._host.connections.send_one(name, message)
