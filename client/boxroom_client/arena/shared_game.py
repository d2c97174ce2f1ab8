"""A game in progress, in memory that two processes share.

The process in which bots play writes. If it must be killed, the other one reads how long a bot has
been thinking, and all moves before. A pipe would cost a system call for each move, which takes as
long as a simple bot's move.
"""

from collections.abc import Iterator, MutableSequence

from boxroom_engine.arena.playing import TimedMove
from boxroom_engine.games.protocol import Game, Move, State

_SINCE, _COUNT, _FIRST = 0, 1, 2
"""Indices of the start of thinking, the number of moves, and the first move."""

_NOT_THINKING = 0.0


def cells_for(game: Game) -> int:
    """Return the number of cells (doubles) for a shared `game`."""
    return _FIRST + 2 * game.longest


class SharedGame:
    """A `GameObserver` that writes to `cells`, and the reader of what it has written.

    The cells hold the time at which a seat started to think, the number of moves, and two numbers
    for each move. These are written before the move is counted.
    """

    def __init__(self, cells: MutableSequence[float]) -> None:
        self._cells = cells

    def clear(self) -> None:
        """Remove all moves; no seat thinks."""
        self._cells[_SINCE] = _NOT_THINKING
        self._cells[_COUNT] = 0

    def started_thinking(self, now_s: float) -> None:
        """See `GameObserver`."""
        self._cells[_SINCE] = now_s

    def moved(self, timed: TimedMove) -> None:
        """See `GameObserver`."""
        self._cells[_SINCE] = _NOT_THINKING
        count = int(self._cells[_COUNT])
        self._cells[_FIRST + 2 * count] = timed.move
        self._cells[_FIRST + 2 * count + 1] = timed.seconds
        self._cells[_COUNT] = count + 1

    @property
    def since_s(self) -> float | None:
        """When the seat to move started to think; None while no seat thinks."""
        since_s = self._cells[_SINCE]
        return None if since_s == _NOT_THINKING else since_s

    def moves(self, start: State) -> Iterator[TimedMove]:
        """Yield the moves of a game that began at `start`."""
        state = start
        for index in range(_FIRST, _FIRST + 2 * int(self._cells[_COUNT]), 2):
            assert state.to_move is not None
            yield TimedMove(state.to_move, Move(int(self._cells[index])), self._cells[index + 1])
            state = state.play(Move(int(self._cells[index])))
