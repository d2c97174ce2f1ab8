"""Solvers of Dots and Boxes: their interface, the kernel in C++, and the choice between the two.

The other solver is the Python implementation (`python_solver`), for where there is no compiler
and for boards that are too large for the kernel.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from boxroom_engine.games.dots.solve.result import OfferChoice, PlayoutBranch, Solved
from boxroom_engine.games.dots.solve.stop_token import StopToken
from boxroom_engine.games.protocol import Move
from boxroom_engine.kernel.library import Library, RawSolver, SearchEnd

DEFAULT_TABLE_BYTES = 64 << 20

MOST_SHARED = 3
"""Number of boards whose solvers a process keeps: each takes 64 MB."""

_MOST_NODES = (1 << 64) - 1


class _Kernel:
    """The kernel of this process, from when it is found."""

    library: Library | None = None
    find: Callable[[], Library | None] = staticmethod(lambda: None)


def use_kernel(find: Callable[[], Library | None]) -> None:
    """Take the kernel from `find`, which is called for each new solver until it returns one.

    It may be built only while this process runs. Without it everything is the same, but some
    hundred times slower. Shared solvers forget what they have learnt.
    """
    _kept_solver.cache_clear()
    _Kernel.library, _Kernel.find = None, staticmethod(find)


def kernel() -> Library | None:
    """The kernel, if it has been found by now."""
    if _Kernel.library is None:
        _Kernel.library = _Kernel.find()
    return _Kernel.library


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
    ) -> Solved:
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
    ) -> Solved:
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
        """Search the ways to go on by a tree of playouts, for any number of players.

        Args:
            drawn: as for `solve`. All that is on offer is taken first, by the player to move.
            scores: boxes so far, in turn order, the player to move first; two or more.
            declinable: how many of the boxes on offer, 2 or 4, can be left to the next player; 0 if
                none. If it isn't 0 the ways to go on are those of `OfferChoice`.
            playouts: at most so many.
            seed: of the random numbers, 64 bits.
            stop: ends them, after the first few at the earliest.

        Returns:
            The ways that were tried; none only if nothing is left when all on offer is taken. With
            the same arguments they are the same, but for two players they also depend on what this
            solver has learnt before.
        """


class KernelSolver:
    """The kernel as a `Solver`. It runs without the interpreter's lock, one search at a time.

    It looks at `stop` some thousand times a second, and a signal's handler in Python has to wait
    for the end of the call.
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
        self._solver = RawSolver(library, rows, cols, table_bytes)

    @property
    def table_bytes(self) -> int:
        """The memory for what it learns."""
        return self._solver.table_bytes

    def table_memory(self) -> memoryview:
        """All that it has learnt, to be copied, or replaced by what a solver like it had learnt.

        It waits for a search that runs, and mustn't be written to during later ones. It has the
        byte order of this machine, and no check of its own.
        """
        return self._solver.table_memory()

    def solve(
        self,
        drawn: int,
        *,
        moves: bool = True,
        first_goal: int | None = None,
        most_nodes: int = _MOST_NODES,
        stop: StopToken | None = None,
    ) -> Solved:
        """See `Solver`."""
        least, most, best, nodes, exact = self._solver.solve(
            drawn,
            all_moves=moves,
            first_goal=first_goal,
            most_nodes=most_nodes,
            end=_end(stop),
        )
        return Solved(least, most, tuple(map(Move, best)), nodes, exact)

    def bounded(
        self, drawn: int, goal: int, most_nodes: int, stop: StopToken | None = None
    ) -> Solved:
        """See `Solver`."""
        least, most, nodes = self._solver.bounded(drawn, goal, most_nodes, _end(stop))
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
        """See `Solver`."""
        found = self._solver.grow(
            drawn, scores, declinable=declinable, playouts=playouts, seed=seed, end=_end(stop)
        )
        return tuple(
            PlayoutBranch(Move(edge) if edge >= 0 else OfferChoice(edge), visits, shares, boxes)
            for edge, visits, shares, boxes in found
        )


def _end(stop: StopToken | None) -> SearchEnd:
    if stop is None:
        return SearchEnd(math.inf, None)
    stop.signals[1] = 0  # a search that begins may take a while until it says how far it is
    return SearchEnd(stop.left_s(), stop.signals.buffer_info()[0])


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
