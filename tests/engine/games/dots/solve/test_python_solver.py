"""The search in Python: what it leaves out changes nothing."""

import random
from functools import cache

import pytest
from tests.cases import each
from tests.engine.games.dots.oracle import (
    check_bounded,
    check_stopped,
    positions,
    solved,
)
from tests.engine.games.dots.retrograde import margins_of, name_of

from boxroom_engine.games.dots import Border, Grid, grid_of
from boxroom_engine.games.dots.solve.python_solver import (
    MaskedString,
    Pruning,
    PythonSolver,
    value_of_isolated,
    value_of_opening_chain,
)

TABLE = 1 << 24

MANY = [
    (grid_of(2, 4, Border.HALF), 35_000),
    (grid_of(2, 3, Border.NONE), 35_000),
    (grid_of(3, 4, Border.FULL), 35_000),
    (grid_of(3, 3, Border.HALF), 15_000),
]
"""Boards of 16 to 18 free edges, and how many of their positions."""

BOARDS = [name_of(board) for board, _ in MANY]


@cache
def shared(rows: int, cols: int, without: frozenset[Pruning]) -> PythonSolver:
    return PythonSolver(rows, cols, TABLE, without)


def found(grid: Grid, undrawn: int, *without: Pruning) -> tuple[int, tuple[int, ...]]:
    solver = shared(grid.rows, grid.cols, frozenset(without))
    answer = solver.solve(grid.all_drawn ^ undrawn)
    assert answer.exact
    return answer.value, answer.best_moves


def test_it_finds_what_the_plainest_search_finds() -> None:
    for grid, undrawn in positions(seed=1, count=200, most_undrawn=10):
        assert found(grid, undrawn) == solved(grid, undrawn), (grid, undrawn)


@each("pruning", Pruning)
def test_a_pruning_changes_nothing(pruning: Pruning) -> None:
    for grid, undrawn in positions(seed=2, count=66, most_undrawn=10):
        assert found(grid, undrawn) == found(grid, undrawn, pruning), (grid, undrawn)


@pytest.mark.long
@pytest.mark.parametrize(("board", "count"), MANY, ids=BOARDS)
def test_it_finds_what_retrograde_analysis_finds(board: Grid, count: int) -> None:
    margins = margins_of(board)
    for number in margins.any_of(seed=3, count=count):
        assert found(board, margins.undrawn(number)) == margins.solved(number), number


@pytest.mark.long
@each("pruning", Pruning)
@pytest.mark.parametrize(("board", "count"), MANY[:3], ids=BOARDS[:3])
def test_without_one_of_the_prunings_it_finds_the_same(
    board: Grid, count: int, pruning: Pruning
) -> None:
    margins = margins_of(board)
    for number in margins.any_of(seed=4, count=count // 5):
        assert found(board, margins.undrawn(number), pruning) == margins.solved(number), number


@each(
    "rows, cols, value",
    [(1, 1, -1), (1, 2, 0), (1, 3, -1), (1, 4, 0), (1, 5, -1), (2, 2, 2), (2, 3, -2)],
)
def test_empty_boards_have_their_known_values(rows: int, cols: int, value: int) -> None:
    assert PythonSolver(rows, cols, TABLE).solve(0, moves=False).value == value


def test_what_is_asked_first_changes_no_result() -> None:
    rng = random.Random(23)
    for grid, undrawn in positions(seed=23, count=66, most_undrawn=10):
        solver = PythonSolver(grid.rows, grid.cols, TABLE)
        goal = rng.randint(-15, 15)
        answer = solver.solve(grid.all_drawn ^ undrawn, first_goal=goal)
        assert (answer.value, answer.best_moves) == solved(grid, undrawn), (grid, undrawn, goal)


def test_without_all_best_moves_there_is_one() -> None:
    for grid, undrawn in positions(seed=24, count=66, most_undrawn=10):
        answer = shared(grid.rows, grid.cols, frozenset()).solve(
            grid.all_drawn ^ undrawn, moves=False
        )
        value, best = solved(grid, undrawn)
        assert answer.value == value
        assert set(answer.best_moves) <= set(best)
        assert len(answer.best_moves) == min(len(best), 1)


def test_whether_a_goal_is_reached_can_be_asked_within_a_number_of_nodes() -> None:
    rng = random.Random(24)
    for grid, undrawn in positions(seed=24, count=200, most_undrawn=10):
        goal, most_nodes = rng.randint(-8, 8), rng.choice([0, 1, 5, 50, 100_000])
        check_bounded(shared(grid.rows, grid.cols, frozenset()), grid, undrawn, goal, most_nodes)


def test_what_was_found_is_not_searched_for_again() -> None:
    for grid, undrawn in positions(seed=27, count=50, most_undrawn=10):
        solver, drawn = PythonSolver(grid.rows, grid.cols, TABLE), grid.all_drawn ^ undrawn
        for goal in range(-4, 5):
            solver.bounded(drawn, goal, 10**6)
            assert solver.bounded(drawn, goal, 10**6).nodes == 0, (grid, undrawn, goal)


def test_a_stopped_search_knows_a_move_for_what_it_promises() -> None:
    promises = set()
    for grid, undrawn in positions(seed=25, count=66, most_undrawn=11):
        for times in range(3):
            solver = PythonSolver(grid.rows, grid.cols, TABLE, frozenset(Pruning))
            stopped = solver.solve(grid.all_drawn ^ undrawn, most_nodes=64 * (times + 1))
            check_stopped(stopped, grid, undrawn)
            promises.add((stopped.exact, bool(stopped.best_moves)))
    assert promises >= {(False, False), (False, True), (True, True)}


def test_a_small_table_forgets_but_errs_not() -> None:
    solver = PythonSolver(2, 2, 1000)
    assert solver.table_bytes <= 1000
    assert solver.solve(0).value == 2
    assert len(solver.solve(0).best_moves) == len(PythonSolver(2, 2, TABLE).solve(0).best_moves)


def test_a_stopped_search_says_what_it_knows_and_leaves_a_sound_table() -> None:
    solver = PythonSolver(2, 3, TABLE)
    stopped = solver.solve(0, most_nodes=256)
    assert not stopped.exact
    assert stopped.least <= -2 <= stopped.most
    assert solver.solve(0).value == -2


def test_a_board_too_large_to_be_searched_through_is_given_up() -> None:
    solved = PythonSolver(20, 20, TABLE).solve(0, moves=False)
    assert (solved.least, solved.most, solved.exact) == (-400, 400, False)


@cache
def best_ending(chains: tuple[int, ...], loops: tuple[int, ...]) -> int:
    """The value of chains and loops when each of them may be opened."""
    ways = [
        value_of_opening_chain(length, best_ending(chains[:i] + chains[i + 1 :], loops))
        for i, length in enumerate(chains)
    ]
    ways += [
        4 - length - abs(4 + best_ending(chains, loops[:i] + loops[i + 1 :]))
        for i, length in enumerate(loops)
    ]
    return max(ways, default=0)


def test_opening_the_shortest_is_best_when_only_chains_and_loops_are_left() -> None:
    rng = random.Random(4)
    for _ in range(2000):
        chains = tuple(sorted(rng.choices(range(1, 9), k=rng.randint(0, 6))))
        loops = tuple(sorted(rng.choices([4, 6, 8, 10], k=rng.randint(0, 4))))
        parts = [MaskedString(0, length, False, True, 0) for length in chains]
        parts += [MaskedString(0, length, True, True, 0) for length in loops]
        assert value_of_isolated(parts) == best_ending(chains, loops), (chains, loops)
