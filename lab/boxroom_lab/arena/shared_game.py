"""A game in progress, in memory that two processes share.

The process in which bots play writes. If it must be killed, the other one reads how long a bot has
been thinking, and all moves before. A pipe would cost a system call for each move, which takes as
long as a simple bot's move.
"""

import os
import sys
from collections.abc import Callable, Iterator

from boxroom_engine.arena.playing import TimedMove
from boxroom_engine.games.protocol import Game, Move, State

_SINCE, _COUNT, _FIRST = 0, 1, 2
"""Indices of the start of thinking, the number of moves, and the first move."""

_NOT_THINKING = 0.0


_CELL_BYTES = 8

if sys.platform == "win32":
    from multiprocessing.heap import Arena as _Memory  # which has a name there, not a descriptor

else:
    from mmap import mmap
    from multiprocessing.reduction import DupFd
    from tempfile import TemporaryFile
    from typing import Any

    class _Memory:
        """Memory of `size` bytes: a file without a name, open as `descriptor`.

        /dev/shm, on which `multiprocessing` relies, may be missing.

        Raises:
            OSError: there is no memory.
        """

        def __init__(self, size: int, descriptor: int | None = None) -> None:
            self.descriptor = _nameless_file(size) if descriptor is None else descriptor
            self.size = size
            self.buffer = mmap(self.descriptor, size)

        def __reduce__(self) -> tuple[Callable[[int, Any], "_Memory"], tuple[int, Any]]:
            return _received, (self.size, DupFd(self.descriptor))

    def _received(size: int, duplicate: Any) -> _Memory:
        """Return the memory that another process has passed on."""
        return _Memory(size, duplicate.detach())

    def _nameless_file(size: int) -> int:
        """Return the descriptor of a file in memory or, where the system has none, on the disk."""
        if hasattr(os, "memfd_create"):
            descriptor = os.memfd_create("game")
        else:
            with TemporaryFile() as file:
                descriptor = os.dup(file.fileno())
        os.truncate(descriptor, size)
        return descriptor


class SharedGame:
    """A `GameObserver` that writes to shared cells, and the reader of what it has written.

    It is passed to a process as an argument, when that starts, and shares its cells.

    The cells are doubles, and hold the time at which a seat started to think, the number of moves,
    and two numbers for each move. These are written before the move is counted.
    """

    def __init__(self, memory: _Memory) -> None:
        self._memory = memory
        # The cells, in memory.
        self._cells = memoryview(memory.buffer).cast("d")

    @classmethod
    def of(cls, game: Game) -> "SharedGame":
        """Return one with room for all moves of `game`.

        Raises:
            OSError: there is no memory.
        """
        return cls(_Memory(_CELL_BYTES * (_FIRST + 2 * game.longest)))

    def __reduce__(self) -> tuple[Callable[[_Memory], "SharedGame"], tuple[_Memory]]:
        return SharedGame, (self._memory,)

    def close(self) -> None:
        """Give the descriptor back; the memory lives as long as this object."""
        if sys.platform != "win32":
            os.close(self._memory.descriptor)

    def clear(self) -> None:
        """Remove all moves; no seat thinks."""
        self._cells[_SINCE] = _NOT_THINKING
        self._cells[_COUNT] = 0

    def started_thinking(self, now_s: float) -> None:
        self._cells[_SINCE] = now_s

    def moved(self, timed: TimedMove) -> None:
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
