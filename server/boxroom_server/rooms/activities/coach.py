"""The coach: tells a player who has it when a move changed who wins, and sums the game up.

The rules of the room, in the engine, decide who can have it. It speaks to that player alone, at the
server to which the player is connected, and delays no move.
"""

import logging
from typing import NamedTuple

from boxroom_common.phrases import in_english
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.record import Record
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


class Coach:
    """The coach of the room of `host`: an `Activity`.

    It judges one move at a time, and none that the player has taken back or followed by another
    one: so it never speaks of a move that isn't the player's last.
    """

    def __init__(self, host: RoomHost, bots: BotPool) -> None:
        self._host = host
        self._bots = bots
        self._tasks = Tasks()
        self._last: _OwnMove | None = None  # the player's last move in this game
        self._is_judging = False  # whether a task looks at last moves

    def start(self) -> None:
        pass  # what was played before the room slept has been thought over

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Judge a move of the player, or sum the game up."""
        for event in entry.events:
            kind = type(event)
            if kind is Played:
                assert isinstance(event, Played)
                if event.by is PLAYER and after.seats[event.seat].coached:
                    self._played(event, before, after)
            elif kind is Started or kind is Undone:
                self._last = None
            elif kind is Ended:
                self._last = None
                self._sum_up(after)

    async def stop(self) -> None:
        """Abandon what isn't said yet."""
        await self._tasks.cancel()

    def _played(self, event: Played, before: Room, after: Room) -> None:
        assert before.state is not None
        self._last = _OwnMove(Seat(event.seat), before.state, len(before.movers), event.move)
        if not self._is_judging and self._hears(after, Seat(event.seat)) is not None:
            self._is_judging = True
            self._tasks.start(self._judge_last())

    def _hears(self, room: Room, seat: Seat) -> str | None:
        """Return the player in `seat`, if its client is connected here and knows the coach."""
        name = room.seats[seat].member
        membership = self._host.connections.get(name)
        return name if membership is not None and COACH in membership.knows else None

    async def _judge_last(self) -> None:
        """Judge the last move, until there is no newer one."""
        judged: _OwnMove | None = None
        try:
            while (move := self._last) is not None and move is not judged:
                said = await self._remark(move)
                if said is not None and move is self._last:
                    self._send(move.seat, said, move=move.move)
                judged = move
        except Exception as error:
            self._log(error)
        finally:
            self._is_judging = False

    async def _remark(self, own: _OwnMove) -> Phrase | None:
        before = own.before
        job = JudgePosition(before, own.number, before.game.parse_move(own.move))
        judged = await self._bots.work_beside(self._host.room.code, job)
        return None if judged is None else remark(before, judged)

    def _sum_up(self, room: Room) -> None:
        for seat, holder in enumerate(room.seats):
            if holder.coached and self._hears(room, Seat(seat)) is not None:
                self._tasks.start(self._say_sum(room, Seat(seat)))

    async def _say_sum(self, room: Room, seat: Seat) -> None:
        assert room.state is not None
        opening = len(room.settings.opening)
        record = Record(room.state.game, room.players, room.tokens, opening).format()
        try:
            game = await self._bots.work_beside(room.code, SumUpGame(record, seat))
        except Exception as error:
            self._log(error)
            return
        if self._host.room.state is room.state:
            self._send(seat, game.said, theme=game.theme)

    def _send(
        self, seat: Seat, said: Phrase, *, move: str | None = None, theme: str | None = None
    ) -> None:
        room = self._host.room
        settings = room.settings
        can_undo = settings.clock_s is None and room.undos < settings.takebacks
        name = self._hears(room, seat)
        if name is not None and room.seats[seat].coached:
            message = Coaching(
                seat,
                room.game_number,
                in_english(said),
                said,
                move,
                can_undo and move is not None,
                theme,
            )
            self._host.connections.send_one(name, message)

    def _log(self, error: Exception) -> None:
        code = self._host.room.code
        logger.warning("the coach of room %s is silent: %r", code, error, extra=fields(room=code))
