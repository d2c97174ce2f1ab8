"""The coach: tells a player who has it when a move changed who wins, and sums the game up.

The rules of the room, in the engine, decide who can have it. It speaks to that player alone, at the
server to which the player is connected, and delays no move.
"""

import logging
from typing import NamedTuple, assert_never

from boxroom_common.phrases import in_english
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.phrases import Phrase
from boxroom_engine.review.coaching import remark
from boxroom_engine.room.events import PLAYER, Ended, Entry, Played, Started, Undone
from boxroom_engine.room.room import Room
from boxroom_engine.wire.messages import Coaching
from boxroom_engine.wire.parts import COACH
from boxroom_server.bots.jobs import JudgePosition, SumUpGame
from boxroom_server.bots.pool import BotPool
from boxroom_server.ops.logs import fields
from boxroom_server.rooms.host import RoomHost
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)


class _OwnMove(NamedTuple):
    """A move of the player whom the coach helps."""

    seat: Seat
    before: State
    number: int
    """Number of moves and withdrawals before it."""
    move: str


class _FinishedGame(NamedTuple):
    """A game of the player whom the coach helps."""

    seat: Seat
    record: str


_Topic = _OwnMove | _FinishedGame


class Coach:
    """The coach of the room of `host`: an `Activity`.

    It thinks about one topic at a time, and then about the newest one. So it never speaks of a move
    that the player has taken back or followed by another one, nor of a game before the last.
    """

    def __init__(self, host: RoomHost, bots: BotPool) -> None:
        self._host = host
        self._bots = bots
        self._tasks = Tasks()
        # The last move of the player in this game, or the game once it is over.
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
        number = len(before.movers)
        self._turn_to(_OwnMove(Seat(event.seat), before.state, number, event.move))

    def _ended(self, after: Room) -> None:
        self._topic = None
        assert after.record is not None
        for seat, holder in enumerate(after.seats):
            if holder.coached:
                self._turn_to(_FinishedGame(Seat(seat), after.record.format()))

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
                self._log(error)
            last = topic
        self._is_thinking = False

    async def _speak_about(self, topic: _Topic) -> None:
        if self._listener(topic.seat) is None:
            return
        code = self._host.room.code
        match topic:
            case _OwnMove(seat, before, number, move):
                job = JudgePosition(before, number, before.game.parse_move(move))
                judged = await self._bots.work_beside(code, job)
                said = None if judged is None else remark(before, judged)
                if said is not None and topic is self._topic:
                    self._send(seat, said, move=move)
            case _FinishedGame(seat, record):
                game = await self._bots.work_beside(code, SumUpGame(record, seat))
                if topic is self._topic:
                    self._send(seat, game.said, theme=game.theme)
            case _:
                assert_never(topic)

    def _listener(self, seat: Seat) -> str | None:
        """Return the player whom the coach helps in `seat`, if its client is here and knows it."""
        holder = self._host.room.seats[seat]
        membership = self._host.connections.get(holder.member)
        is_heard = holder.coached and membership is not None and COACH in membership.knows
        return holder.member if is_heard else None

    def _send(
        self, seat: Seat, said: Phrase, *, move: str | None = None, theme: str | None = None
    ) -> None:
        name, room = self._listener(seat), self._host.room
        if name is None:
            return
        has_takebacks = room.settings.clock_s is None and room.undos < room.settings.takebacks
        can_undo = move is not None and has_takebacks
        english = in_english(said)
        message = Coaching(seat, room.game_number, english, said, move, can_undo, theme)
        self._host.connections.send_one(name, message)

    def _log(self, error: Exception) -> None:
        code = self._host.room.code
        logger.warning("the coach of room %s is silent: %r", code, error, extra=fields(room=code))
