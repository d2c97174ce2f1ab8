"""The kernel, against plain search, retrograde analysis, formulas and its twin; and without it.

What more boards are worth is tested where it is told, in `tests/docs/test_values_page.py`.
"""

import random
import runpy
import sys
import threading
from functools import cache

import pytest
from tests.engine.games.dots.boards import endgame_position
from tests.engine.games.dots.oracle import positions, solved
from tests.engine.games.dots.retrograde import margins_of, name_of

from boxroom_engine.games import dots
from boxroom_engine.games.dots import Border, Dots, Grid, exact, grid_of
from boxroom_engine.games.dots.endgame import best_moves, endgame_value
from boxroom_engine.games.dots.exact import HAS_KERNEL, Kernel, solver_for
from boxroom_engine.games.dots.twin import Twin

TABLE = 1 << 20

needs_kernel = pytest.mark.skipif(not HAS_KERNEL, reason="built without a compiler")

EMPTY = [(1, 1, -1), (1, 2, 0), (1, 3, -1), (1, 4, 0), (1, 5, -1), (2, 2, 2), (2, 3, -2)]
EMPTY += [(2, 4, 2), (2, 5, -2), (3, 3, -3)]

SMALL = [grid_of(2, 2, Border.NONE), grid_of(2, 3, Border.HALF), grid_of(3, 3, Border.FULL)]
"""With 12 free edges, 4,096 positions each."""

MEDIUM = [
    grid_of(1, 5, Border.NONE),
    grid_of(2, 4, Border.HALF),
    grid_of(2, 3, Border.NONE),
    grid_of(3, 4, Border.FULL),
    grid_of(3, 3, Border.HALF),
]
"""With 16 to 18 free edges, 655,360 positions together."""

LARGE = [
    grid_of(2, 5, Border.HALF),
    grid_of(2, 4, Border.NONE),
    grid_of(3, 5, Border.FULL),
    grid_of(3, 3, Border.NONE),
    grid_of(3, 4, Border.HALF),
    grid_of(4, 4, Border.FULL),
]
"""With 20 to 24 free edges."""


@cache
def kernel(rows: int, cols: int) -> Kernel:
    return Kernel(rows, cols, TABLE)


def found(grid: Grid, undrawn: int) -> tuple[int, tuple[int, ...]]:
    answer = kernel(grid.rows, grid.cols).solve(grid.all_drawn ^ undrawn)
    assert answer.exact
    return answer.value, answer.best_moves


@needs_kernel
@pytest.mark.parametrize(("rows", "cols", "value"), EMPTY)
def test_empty_boards_have_their_known_values(rows: int, cols: int, value: int) -> None:
    for solver in (kernel(rows, cols), kernel(cols, rows)):
        assert solver.solve(0, moves=False).value == value


@needs_kernel
def test_it_finds_what_the_plainest_search_finds() -> None:
    for grid, undrawn in positions(seed=5, count=2_000, most_undrawn=11):
        assert found(grid, undrawn) == solved(grid, undrawn), (grid, undrawn)


@needs_kernel
@pytest.mark.parametrize("board", SMALL, ids=name_of)
def test_it_finds_what_retrograde_analysis_finds_in_every_position(board: Grid) -> None:
    margins = margins_of(board)
    for number in range(1 << len(margins.free)):
        assert found(board, margins.undrawn(number)) == margins.solved(number), (board, number)


@needs_kernel
@pytest.mark.long
@pytest.mark.parametrize("board", MEDIUM, ids=name_of)
def test_it_finds_what_retrograde_analysis_finds_in_every_position_of_larger_boards(
    board: Grid,
) -> None:
    test_it_finds_what_retrograde_analysis_finds_in_every_position(board)


@needs_kernel
@pytest.mark.long
@pytest.mark.parametrize("board", LARGE, ids=name_of)
def test_it_finds_what_retrograde_analysis_finds_in_many_positions(board: Grid) -> None:
    margins = margins_of(board)
    for number in margins.any_of(seed=10, count=100_000):
        assert found(board, margins.undrawn(number)) == margins.solved(number), (board, number)


@needs_kernel
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (5, 5), (6, 6), (7, 7), (8, 7), (1, 42)])
def test_it_agrees_with_its_twin_on_larger_boards(rows: int, cols: int) -> None:
    """Up to 128 edges, with a few undrawn: the second half of them needs wider words."""
    rng = random.Random(7)
    grid = grid_of(rows, cols, Border.NONE)
    twin = Twin(rows, cols, TABLE)
    for _ in range(10):
        corner = rng.sample(range(grid.boxes), 6)
        undrawn = 0
        for box in corner:
            undrawn |= grid.sides[box] & ~sum(grid.bits[e] for e in rng.sample(grid.moves, 20))
        answer = twin.solve(grid.all_drawn ^ undrawn)
        assert found(grid, undrawn) == (answer.value, answer.best_moves), undrawn


@needs_kernel
@pytest.mark.long
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (5, 5), (6, 6), (7, 7)])
def test_it_agrees_with_its_twin_in_many_positions_of_larger_boards(rows: int, cols: int) -> None:
    """Up to twelve edges that join up, with joints, chains and loops among them."""
    rng = random.Random(11)
    grid = grid_of(rows, cols, Border.NONE)
    twin = Twin(rows, cols, TABLE)
    for _ in range(2_000):
        row, col = rng.randint(0, rows - 3), rng.randint(0, cols - 3)
        corner = [(row + down) * cols + col + right for down in range(3) for right in range(3)]
        free = [edge for edge in grid.moves if any(edge in grid.edges_of[box] for box in corner)]
        undrawn = sum(grid.bits[edge] for edge in rng.sample(free, rng.randint(1, 12)))
        answer = twin.solve(grid.all_drawn ^ undrawn)
        assert found(grid, undrawn) == (answer.value, answer.best_moves), undrawn


@needs_kernel
@pytest.mark.parametrize("count", [100, pytest.param(25_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_it_plays_endgames_of_chains_and_loops_as_the_formulas_say(size: int, count: int) -> None:
    """And after a move or two at random, with which some of them are opened."""
    rng = random.Random(size)
    for number in range(count):
        border = tuple(Border)[number % 3]
        position = endgame_position(Dots(size, size, border, 2), rng)
        for _ in range(number // 3 % 3):
            if position.to_move is not None:
                position = position.play(rng.choice(position.legal_moves()))
        grid = position.game.grid
        formula = endgame_value(position), best_moves(position)
        assert found(grid, grid.all_drawn ^ position.edges) == formula, position


@needs_kernel
def test_it_works_in_the_memory_it_is_given() -> None:
    assert kernel(3, 3).table_bytes == TABLE
    assert Kernel(3, 3, 0).table_bytes <= 64
    assert Kernel(2, 4, 1000).solve(0, moves=False).value == 2


@needs_kernel
@pytest.mark.parametrize(("rows", "cols"), [(0, 3), (3, 0), (8, 8), (1, 43), (10**9, 10**9)])
def test_it_refuses_boards_that_it_has_no_words_for(rows: int, cols: int) -> None:
    with pytest.raises(ValueError, match="board"):
        Kernel(rows, cols, TABLE)


@needs_kernel
def test_a_stopped_search_says_what_it_knows_and_leaves_a_sound_table() -> None:
    solver = Kernel(3, 4, 1 << 22)
    asked = 0

    def after_five() -> bool:
        nonlocal asked
        asked += 1
        return asked > 5

    stopped = solver.solve(0, stop=after_five)
    assert not stopped.exact
    assert stopped.least <= 0 <= stopped.most
    assert stopped.nodes == 6 * 4096
    grid, rng = grid_of(3, 4, Border.NONE), random.Random(8)
    for _ in range(50):
        drawn = sum(grid.bits[edge] for edge in rng.sample(grid.moves, 14))
        after, fresh = solver.solve(drawn), kernel(3, 4).solve(drawn)
        assert (after.value, after.best_moves) == (fresh.value, fresh.best_moves)


@needs_kernel
def test_what_stop_raises_ends_the_search() -> None:
    def broken() -> bool:
        raise LookupError("no clock")

    solver = Kernel(3, 4, TABLE)
    with pytest.raises(LookupError, match="no clock"):
        solver.solve(0, stop=broken)
    assert not solver.solve(0, stop=lambda: True).exact


@needs_kernel
def test_other_threads_run_meanwhile_and_can_stop_it() -> None:
    asked, enough = threading.Event(), threading.Event()

    def stop() -> bool:
        asked.set()
        return enough.is_set()

    thread = threading.Thread(target=lambda: Kernel(5, 5, TABLE).solve(0, stop=stop))
    thread.start()
    assert asked.wait(60)
    enough.set()
    thread.join(60)
    assert not thread.is_alive()


def test_without_the_kernel_its_twin_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(dots, "_kernel", raising=False)
    monkeypatch.setitem(sys.modules, "boxroom_engine.games.dots._kernel", None)
    without = runpy.run_path(str(exact.__file__))
    assert without["HAS_KERNEL"] is False
    assert "slow engine" in without["SLOW_ENGINE"]
    assert isinstance(without["solver_for"](2, 2), Twin)


def test_the_solver_is_the_fastest_for_the_board() -> None:
    assert isinstance(solver_for(2, 2), Kernel if HAS_KERNEL else Twin)
    assert isinstance(solver_for(9, 9), Twin)
    assert (exact.SLOW_ENGINE is None) == HAS_KERNEL
    position = solver_for(2, 2).solve(0)
    assert (position.value, position.exact) == (2, True)
