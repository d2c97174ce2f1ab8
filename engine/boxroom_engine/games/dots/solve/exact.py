"""The solver to use: the kernel in C++ where it could be built, else its twin in Python."""

from collections.abc import Sequence

from boxroom_engine.games.dots.solve.playout_result import Branch, Taking
from boxroom_engine.games.dots.solve.python_solver import PythonSolver
from boxroom_engine.games.dots.solve.solver import Solved, Solver, Stop
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
"""A line for people where there is no kernel."""

DEFAULT_TABLE_BYTES = 64 << 20


def solver_for(rows: int, cols: int, table_bytes: int = DEFAULT_TABLE_BYTES) -> Solver:
    """The fastest solver that there is for boards of `rows × cols` boxes, both at least 1."""
    edges = 2 * rows * cols + rows + cols
    if HAS_KERNEL and edges <= _kernel.MOST_EDGES:
        return Kernel(rows, cols, table_bytes)
    return PythonSolver(rows, cols, table_bytes)


class Kernel:
    """The kernel as a `Solver`. It runs without the interpreter's lock, one search at a time."""

    def __init__(self, rows: int, cols: int, table_bytes: int = DEFAULT_TABLE_BYTES) -> None:
        self._solver = _kernel.Solver(rows, cols, table_bytes)

    @property
    def table_bytes(self) -> int:
        """The memory for what it learns."""
        return self._solver.table_bytes

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

    def bounded(self, drawn: int, goal: int, most_nodes: int) -> Solved:
        """See `Solver`."""
        least, most, nodes = self._solver.bounded(drawn, goal, most_nodes)
        return Solved(least, most, (), nodes, exact=least >= goal or most < goal)

    def grow(
        self,
        drawn: int,
        scores: Sequence[int],
        *,
        declined: int,
        playouts: int,
        seed: int,
        stop: Stop | None = None,
    ) -> tuple[Branch, ...]:
        """See `Solver`."""
        found = self._solver.grow(drawn, list(scores), declined, playouts, seed, stop)
        return tuple(
            Branch(Move(edge) if edge >= 0 else Taking(edge), visits, tuple(shares), tuple(boxes))
            for edge, visits, shares, boxes in found
        )
