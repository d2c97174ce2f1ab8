"""Solvers of Dots and Boxes: their interface, the kernel in C++, and the choice between the two.

The other solver is the Python implementation (`python_solver`), for where there is no compiler
and for boards that are too large for the kernel.
"""

import ctypes
import math
import weakref
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots.solve.result import OfferChoice, PlayoutBranch
from boxroom_engine.games.protocol import Move
from boxroom_engine.kernel.library import Library
from boxroom_engine.stopping import StopToken

DEFAULT_TABLE_BYTES = 64 << 20

MOST_SHARED = 3
"""Number of boards whose solvers a process keeps: each takes 64 MB."""

_MOST_NODES = (1 << 64) - 1


def _nothing() -> None:
    """Find no kernel."""


class _FoundKernel:
    """The kernel of this process, from when it is found."""

    def __init__(self) -> None:
        self.find: Callable[[], Library | None] = _nothing
        """Returns the kernel; None as long as there is none."""
        self.library: Library | None = None
        """The kernel once it is found."""


_found = _FoundKernel()


def use_kernel(find: Callable[[], Library | None]) -> None:
    """Take the kernel from `find`, which is called for each new solver until it returns one.

    It may be built only while this process runs. Without it everything is the same, but some
    hundred times slower. Shared solvers forget what they have learnt.
    """
    _kept_solver.cache_clear()
    _found.find, _found.library = find, None


def kernel() -> Library | None:
    """The kernel, if it has been found by now."""
    if _found.library is None:
        _found.library = _found.find()
    return _found.library


class Solver(Protocol):
    """Exact play for two, and playouts for any number of players, on boards of one size.

    It remembers what it learns from one call to the next.
    """

    @property
    def table_bytes(self) -> int:
        """The memory for what it learns: at most what it was made with."""

    def solve(
        self,
        drawn: int,
        *,
        moves: bool = True,
        first_goal: int | None = None,
        most_nodes: int = _MOST_NODES,
        stop: StopToken | None = None,
    ) -> Solved[int]:
        """The value of the position with this set of drawn edges, and its best moves.

        Args:
            drawn: numbered as in `games.dots.grid`, with what the border draws.
            moves: whether all best moves are wanted; else it is content with one.
            first_goal: what is asked first is whether the value is at least this, such as the
                margin to come that wins the game. It changes no result but that of a search
                that is stopped.
            most_nodes: ends the search after so many nodes.
            stop: ends the search when it is met; what was known by then is right and is given
                back, with the best move known. So do positions from which the search goes deeper
                than 128 moves, which large boards have long before their end.
        """

    def bounded(
        self, drawn: int, goal: int, most_nodes: int, stop: StopToken | None = None
    ) -> Solved[int]:
        """Search whether the value is at least `goal`, in at most `most_nodes` nodes.

        The value is at least `goal` if `least` is, and less if `most` is; otherwise neither is
        known, and `exact` is false, as when `stop` ended the search. No moves are looked for. What
        was learnt serves later calls.
        """

    def run_playouts(
        self,
        drawn: int,
        scores: Sequence[int],
        *,
        declinable: int,
        playouts: int,
        seed: int,
        stop: StopToken | None = None,
    ) -> tuple[PlayoutBranch, ...]:
        """Compare the ways to go on by playouts, for any number of players.

        Args:
            drawn: as for `solve`. All that is on offer is taken first, by the player to move.
            scores: boxes so far, in turn order, the player to move first; two or more.
            declinable: how many of the boxes on offer, 2 or 4, can be left to the next player; 0 if
                none. If it isn't 0 the ways to go on are those of `OfferChoice`.
            playouts: at most so many; in Python no more than 10,000.
            seed: of the random numbers, 64 bits.
            stop: ends them, after the first few at the earliest.

        Returns:
            The ways that were tried; none only if nothing is left when all on offer is taken. With
            the same arguments they are the same, but for two players those of the kernel also
            depend on what it has learnt before.
        """


class KernelSolver:
    """The kernel as a `Solver`. It runs without the interpreter's lock, one search at a time.

    It looks at `stop` some thousand times a second, and a signal's handler in Python has to wait
    for the end of the call.

    Raises:
        ValueError: the board is too large or too small, or an argument of a method is wrong.
        MemoryError: there isn't enough memory for the table.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        table_bytes: int = DEFAULT_TABLE_BYTES,
        library: Library | None = None,
    ) -> None:
        library = library or kernel()
        assert library is not None, "there is no kernel"
        number = ctypes.c_int64()
        library.call("kernel_open", rows, cols, table_bytes, ctypes.byref(number))
        self._library = library
        self._number = number.value
        self._edges = 2 * rows * cols + rows + cols
        self.close = weakref.finalize(self, library.call, "kernel_close", self._number)
        """Frees the memory; happens by itself with the last reference, unless the process ends."""
        self.close.atexit = False

    @property
    def table_bytes(self) -> int:
        """The memory for what it learns."""
        size = ctypes.c_uint64()
        self._call("kernel_table", None, ctypes.byref(size))
        return size.value

    def table_memory(self) -> memoryview:
        """All that it has learnt, to be copied, or replaced by what a solver like it had learnt.

        It waits for a search that runs, and mustn't be written to during later ones. It has the
        byte order of this machine, and no check of its own.
        """
        address, size = ctypes.c_void_p(), ctypes.c_uint64()
        self._call("kernel_table", ctypes.byref(address), ctypes.byref(size))
        memory = (ctypes.c_ubyte * size.value).from_address(address.value or 0)
        memory.solver = self  # type: ignore[attr-defined]  # kept for as long as the memory
        return memoryview(memory).cast("B")

    def solve(
        self,
        drawn: int,
        *,
        moves: bool = True,
        first_goal: int | None = None,
        most_nodes: int = _MOST_NODES,
        stop: StopToken | None = None,
    ) -> Solved[int]:
        outcome, best = (ctypes.c_int64 * 5)(), (ctypes.c_int * self._edges)()
        goal = (first_goal is not None, first_goal or 0)
        self._call(
            "kernel_solve",
            *(self._words(drawn), moves, *goal, most_nodes, *_end(stop), outcome, best),
        )
        least, most, nodes, exact, count = outcome
        return Solved(least, most, tuple(map(Move, best[:count])), nodes, bool(exact))

    def bounded(
        self, drawn: int, goal: int, most_nodes: int, stop: StopToken | None = None
    ) -> Solved[int]:
        outcome = (ctypes.c_int64 * 3)()
        self._call("kernel_bounded", self._words(drawn), goal, most_nodes, *_end(stop), outcome)
        least, most, nodes = outcome
        return Solved(least, most, (), nodes, exact=least >= goal or most < goal)

    def run_playouts(
        self,
        drawn: int,
        scores: Sequence[int],
        *,
        declinable: int,
        playouts: int,
        seed: int,
        stop: StopToken | None = None,
    ) -> tuple[PlayoutBranch, ...]:
        players, width, in_memory = len(scores), 2 + 2 * len(scores), array("i", scores)
        branches, found = (ctypes.c_double * (width * (self._edges + 2)))(), ctypes.c_int()
        self._call(
            "kernel_grow",
            *(self._words(drawn), players, in_memory.buffer_info()[0], declinable),
            *(playouts, seed, *_end(stop), branches, ctypes.byref(found)),
        )
        rows = (branches[at : at + width] for at in range(0, width * found.value, width))
        return tuple(
            PlayoutBranch(
                Move(int(edge)) if edge >= 0 else OfferChoice(int(edge)),
                int(visits),
                shares=tuple(rest[:players]),
                boxes=tuple(rest[players:]),
            )
            for edge, visits, *rest in rows
        )

    def _call(self, name: str, *arguments: object) -> None:
        self._library.call(name, self._number, *arguments)

    def _words(self, drawn: int) -> bytes:
        """A set of edges as words of 64 bits, the lowest first."""
        try:
            words = drawn.to_bytes((self._edges + 63) // 64 * 8, "little")
        except OverflowError:
            raise ValueError("the set has edges that the board hasn't") from None
        return words


def _end(stop: StopToken | None) -> tuple[float, int | None]:
    """The seconds that a search has, and the address of the token's signals."""
    if stop is None:
        return math.inf, None
    stop.signals[1] = 0  # a search that begins may take a while until it says how far it is
    return stop.left_s(), stop.signals.buffer_info()[0]


def solver_for(rows: int, cols: int, table_bytes: int = DEFAULT_TABLE_BYTES) -> Solver:
    """The fastest solver that there is for boards of `rows × cols` boxes, both at least 1."""
    return _solver_by(kernel(), rows, cols, table_bytes)


def _solver_by(library: Library | None, rows: int, cols: int, table_bytes: int) -> Solver:
    edges = 2 * rows * cols + rows + cols
    if library is not None and edges <= library.most_edges:
        return KernelSolver(rows, cols, table_bytes, library)
    # Imported here because it takes long, and few machines need it.
    from boxroom_engine.games.dots.solve.python_solver import PythonSolver

    return PythonSolver(rows, cols, table_bytes)


def shared_solver(rows: int, cols: int) -> Solver:
    """The solver that this process keeps for boards of `rows × cols` boxes.

    A solver remembers the positions that it has searched, and most of what one move made it look
    at comes up again after the next. A process of a server plays for many rooms, so only the
    solvers of the boards that were asked for last are kept. What is remembered makes a search
    shorter and never changes its result; only bots that think under a time limit get further.

    There are no locks. A solver runs one search at a time, and a process has one bot thinking.
    """
    return _kept_solver(kernel(), rows, cols)


@lru_cache(maxsize=MOST_SHARED)
def _kept_solver(library: Library | None, rows: int, cols: int) -> Solver:
    return _solver_by(library, rows, cols, DEFAULT_TABLE_BYTES)
