"""A game as it stands, in memory that two processes share.

The one in which bots play writes, and the other reads what there is if that has to be killed:
how long a bot has been thinking, and every move before. A pipe would cost a system call a move,
which is as much as a simple bot takes for it.
"""

from collections.abc import Iterator, MutableSequence

from boxroom_engine.arena.playing import Turn
from boxroom_engine.games.protocol import Game, Move, State

_SINCE, _COUNT, _FIRST = 0, 1, 2
_NOT_THINKING = 0.0


def cells_for(game: Game) -> int:
    """How many numbers (doubles) a board for `game` takes."""
    return _FIRST + 2 * game.longest


class Board:
    """`cells` as a game: since when somebody thinks, how many moves there are, the moves.

    A move's two numbers are written before it counts.
    """

    def __init__(self, cells: MutableSequence[float]) -> None:
        self._cells = cells

    def clear(self) -> None:
        """No moves, and nobody thinks."""
        self._cells[_SINCE] = _NOT_THINKING
        self._cells[_COUNT] = 0

    def thinks(self, now_s: float) -> None:
        """The seat to move begins to think; see `Watch`."""
        self._cells[_SINCE] = now_s

    def moved(self, turn: Turn) -> None:
        """It has moved; see `Watch`."""
        self._cells[_SINCE] = _NOT_THINKING
        count = int(self._cells[_COUNT])
        self._cells[_FIRST + 2 * count] = turn.move
        self._cells[_FIRST + 2 * count + 1] = turn.seconds
        self._cells[_COUNT] = count + 1

    @property
    def since_s(self) -> float | None:
        """When the seat to move began to think; None when it doesn't."""
        since_s = self._cells[_SINCE]
        return None if since_s == _NOT_THINKING else since_s

    def turns(self, start: State) -> Iterator[Turn]:
        """The moves, of a game that began at `start`."""
        state = start
        for place in range(_FIRST, _FIRST + 2 * int(self._cells[_COUNT]), 2):
            assert state.to_move is not None
            yield Turn(state.to_move, Move(int(self._cells[place])), self._cells[place + 1])
            state = state.play(Move(int(self._cells[place])))
