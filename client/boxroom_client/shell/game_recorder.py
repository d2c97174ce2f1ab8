"""Adds the games that the user plays to their end to the history."""

import logging
import time

from boxroom_client.link.updates import EnteredRoom, EventApplied, HintReceived, Update
from boxroom_client.profile.history import GameHistory, HistoryError, PlayedGame
from boxroom_client.shell.recording import record_of
from boxroom_engine.games.errors import FormatError
from boxroom_engine.room.events import Ended
from boxroom_engine.room.room import Phase, Room

logger = logging.getLogger(__name__)


class GameRecorder:
    """An observer of the updates of rooms on `server`; empty for a game at this computer.

    Games of a robot are named so, and don't count for the user's rating. A game that can't be
    recorded is only logged: the room goes on.
    """

    def __init__(
        self, server: str, history: GameHistory | None = None, *, is_robot: bool = False
    ) -> None:
        self._server = server
        self._history = history or GameHistory()
        self._is_robot = is_robot
        self._me: str | None = None  # None before the room is entered
        self._hinted_game = 0  # the last game with a hint, by its number in the room

    def __call__(self, update: Update) -> None:
        """Add the game that is over, if one is, and the user has played in it."""
        match update:
            case HintReceived():
                self._hinted_game = update.game
            case EnteredRoom():
                if not update.back:
                    self._hinted_game = 0
                self._me = update.me
                self.record(update.room, update.me)
            case EventApplied(event=Ended()) if self._me is not None:
                self.record(update.after, self._me)
            case _:
                pass

    def _is_helped(self, room: Room) -> bool:
        is_hinted = self._hinted_game == room.game_number
        is_changed = room.undos > 0 or room.unrated or room.opening > 0
        return self._is_robot or is_hinted or is_changed

    def record(self, room: Room, me: str) -> None:
        """Add the game on the board of `room` if it is over and `me` has played in it."""
        if room.phase is not Phase.OVER or room.state is None or room.state.outcome is None:
            return
        seats = [
            seat
            for seat in room.seats_of(me)
            if room.seats[seat].name == room.players[seat]  # not of one who sat down since
        ]
        if not seats:
            return
        try:
            record = record_of(room, seats if self._is_robot else ())
            assert record is not None
            self._history.add(
                PlayedGame(
                    0,
                    self._server,
                    room.log,
                    room.game_number,
                    room.code,
                    time.time_ns() // 1_000_000,
                    seats[0] if len(seats) == 1 else None,
                    self._is_helped(room),
                    room.state.outcome.scores,
                    tuple(map(int, room.state.outcome.winners)),
                    tuple(holder.bot if holder.is_bot else None for holder in room.seats),
                    str(record),
                )
            )
        except (FormatError, HistoryError) as error:
            logger.warning("the game isn't in the history: %s", error)
