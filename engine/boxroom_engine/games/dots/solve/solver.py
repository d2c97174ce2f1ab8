"""Solvers of Dots and Boxes: their interface, the kernel in C++, and the choice between the two.

The other solver is the Python implementation (`python_solver`), for where there is no compiler
and for boards that are too large for the kernel.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from boxroom_engine.games.dots.solve.result import OfferChoice, PlayoutBranch, Solved, Stop
from boxroom_engine.games.protocol import Move

try:
    from boxroom_engine.games.dots.solve import _kernel
except ImportError:  # built without a compiler
    _kernel = None  # type: ignore[assignment]  # the one place that knows

HAS_KERNEL = _kernel is not None
"""Whether the kernel is there; without it everything is the same but some hundred times slower."""

SLOW_ENGINE = (
    None
    if HAS_KERNEL
    else (
        "The slow engine is in use: the kernel in C++ isn't installed."
        " With a C++20 compiler on this machine, install Boxroom again."
    )
)
"""Message to users where there is no kernel; None where there is one."""

DEFAULT_TABLE_BYTES = 64 << 20

MOST_SHARED = 3
"""Number of boards whose solvers a process keeps: each takes 64 MB."""


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
        stop: Stop | None = None,
    ) -> Solved:
        """The value of the position with this set of drawn edges, and its best moves.

        Args:
            drawn: numbered as in `games.dots.grid`, with what the border draws.
            moves: whether all best moves are wanted; else it is content with one.
            first_goal: what is asked first is whether the value is at least this, such as the
                margin to come that wins the game. It changes no result but that of a search
                that is stopped.
            stop: ends the search when it says so; what was known by then is right and is given
                back, with the best move known. So do positions from which the search goes deeper
                than 128 moves, which large boards have long before their end.
        """

    def bounded(self, drawn: int, goal: int, most_nodes: int, stop: Stop | None = None) -> Solved:
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
        stop: Stop | None = None,
    ) -> tuple[PlayoutBranch, ...]:
        """Search the ways to go on by a tree of playouts, for any number of players.

        Args:
            drawn: as for `solve`. All that is on offer is taken first, by the player to move.
            scores: boxes so far, in turn order, the player to move first; two or more.
            declinable: how many of the boxes on offer, 2 or 4, can be left to the next player; 0 if
                none. If it isn't 0 the ways to go on are those of `OfferChoice`.
            playouts: at most so many.
            seed: of the random numbers, 64 bits.
            stop: asked every few playouts, and not before the first.

        Returns:
            The ways that were tried; none only if nothing is left when all on offer is taken. With
            the same arguments they are the same, but for two players they also depend on what this
            solver has learnt before.
        """


class KernelSolver:
    """The kernel as a `Solver`. It runs without the interpreter's lock, one search at a time."""

    def __init__(self, rows: int, cols: int, table_bytes: int = DEFAULT_TABLE_BYTES) -> None:
        self._solver = _kernel.Solver(rows, cols, table_bytes)

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
        stop: Stop | None = None,
    ) -> Solved:
        """See `Solver`. `stop` is asked every 1,024 nodes, some hundred times a second."""
        least, most, best, nodes, exact = self._solver.solve(drawn, moves, first_goal, stop)
        return Solved(least, most, tuple(map(Move, best)), nodes, exact)

    def bounded(self, drawn: int, goal: int, most_nodes: int, stop: Stop | None = None) -> Solved:
        """See `Solver`."""
        least, most, nodes = self._solver.bounded(drawn, goal, most_nodes, stop)
        return Solved(least, most, (), nodes, exact=least >= goal or most < goal)

    def run_playouts(
        self,
        drawn: int,
        scores: Sequence[int],
        *,
        declinable: int,
        playouts: int,
        seed: int,
        stop: Stop | None = None,
    ) -> tuple[PlayoutBranch, ...]:
        """See `Solver`."""
        found = self._solver.grow(drawn, list(scores), declinable, playouts, seed, stop)
        return tuple(
            PlayoutBranch(
                Move(edge) if edge >= 0 else OfferChoice(edge), visits, tuple(shares), tuple(boxes)
            )
            for edge, visits, shares, boxes in found
        )


def solver_for(rows: int, cols: int, table_bytes: int = DEFAULT_TABLE_BYTES) -> Solver:
    """The fastest solver that there is for boards of `rows × cols` boxes, both at least 1."""
    edges = 2 * rows * cols + rows + cols
    if HAS_KERNEL and edges <= _kernel.MOST_EDGES:
        return KernelSolver(rows, cols, table_bytes)
    # Imported here because it takes long, and few machines need it.
    from boxroom_engine.games.dots.solve.python_solver import PythonSolver

    return PythonSolver(rows, cols, table_bytes)


@lru_cache(maxsize=MOST_SHARED)
def shared_solver(rows: int, cols: int) -> Solver:
    """The solver that this process keeps for boards of `rows × cols` boxes.

    A solver remembers the positions that it has searched, and most of what one move made it look
    at comes up again after the next. A process of a server plays for many rooms, so only the
    solvers of the boards that were asked for last are kept. What is remembered makes a search
    shorter and never changes its result; only bots that think under a time limit get further.

    There are no locks. A solver runs one search at a time, and a process has one bot thinking.
    """
    return solver_for(rows, cols)
