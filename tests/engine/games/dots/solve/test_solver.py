"""The kernel, against plain search, retrograde analysis, formulas and the solver in Python.

The values of more boards are tested with the page about them, `tests/docs/test_values_page.py`.
"""

import math
import random
import threading
from functools import cache

import pytest
from tests.cases import each
from tests.engine.games.dots.boards import drawn_but, endgame_position
from tests.engine.games.dots.oracle import (
    check_bounded,
    positions,
    solved,
)
from tests.engine.games.dots.retrograde import margins_of, name_of

from boxroom_engine.games.dots import Border, Dots, Grid, grid_of
from boxroom_engine.games.dots.solve.python_solver import PythonSolver
from boxroom_engine.games.dots.solve.solver import (
    MOST_SHARED,
    KernelSolver,
    shared_solver,
    solver_for,
    use_kernel,
)
from boxroom_engine.games.dots.solve.solver import kernel as found_kernel
from boxroom_engine.games.dots.theory.endgame import best_endgame_moves, endgame_value
from boxroom_engine.stopping import StopToken

TABLE = 1 << 20

needs_kernel = pytest.mark.skipif(found_kernel() is None, reason="there is no kernel")

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
def kernel(rows: int, cols: int) -> KernelSolver:
    return KernelSolver(rows, cols, TABLE)


def found(grid: Grid, undrawn: int) -> tuple[int, tuple[int, ...]]:
    answer = kernel(grid.rows, grid.cols).solve(grid.all_drawn ^ undrawn)
    assert answer.exact
    return answer.value, answer.best_moves


@needs_kernel
@each("rows, cols, value", EMPTY)
def test_empty_boards_have_their_known_values(rows: int, cols: int, value: int) -> None:
    for solver in (kernel(rows, cols), kernel(cols, rows)):
        assert solver.solve(0, moves=False).value == value


@needs_kernel
def test_it_finds_what_the_plainest_search_finds() -> None:
    for grid, undrawn in positions(seed=5, count=1_000, most_undrawn=11):
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
@each(
    "rows, cols",
    [(4, 4), (5, 5), (6, 6), (8, 7), (1, 42), (8, 8), (1, 99), (12, 12), (20, 20), (30, 30)],
)
def test_it_agrees_with_python_on_larger_boards(rows: int, cols: int) -> None:
    """With a few edges undrawn: 64, 128, 256 and so on need wider words, and 128 other keys."""
    rng = random.Random(7)
    grid = grid_of(rows, cols, Border.NONE)
    python = PythonSolver(rows, cols, TABLE)
    for _ in range(4):
        corner = rng.sample(range(grid.boxes), 6)
        undrawn = 0
        for box in corner:
            undrawn |= grid.sides[box] & ~sum(grid.bits[e] for e in rng.sample(grid.moves, 20))
        answer = python.solve(grid.all_drawn ^ undrawn)
        assert found(grid, undrawn) == (answer.value, answer.best_moves), undrawn


@needs_kernel
@pytest.mark.long
@each("rows, cols", [(4, 4), (5, 5), (6, 6), (7, 7)])
def test_it_agrees_with_python_in_many_positions_of_larger_boards(rows: int, cols: int) -> None:
    """Up to twelve edges that join up, with joints, chains and loops among them."""
    rng = random.Random(11)
    grid = grid_of(rows, cols, Border.NONE)
    python = PythonSolver(rows, cols, TABLE)
    for _ in range(2_000):
        row, col = rng.randint(0, rows - 3), rng.randint(0, cols - 3)
        corner = [(row + down) * cols + col + right for down in range(3) for right in range(3)]
        free = [edge for edge in grid.moves if any(edge in grid.edges_of[box] for box in corner)]
        undrawn = sum(grid.bits[edge] for edge in rng.sample(free, rng.randint(1, 12)))
        answer = python.solve(grid.all_drawn ^ undrawn)
        assert found(grid, undrawn) == (answer.value, answer.best_moves), undrawn


@needs_kernel
@pytest.mark.parametrize("count", [100, pytest.param(25_000, marks=pytest.mark.long)])
@each("size", [4, 5, 6, 7])
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
        formula = endgame_value(position), best_endgame_moves(position)
        assert found(grid, grid.all_drawn ^ position.edges) == formula, position


@needs_kernel
def test_what_is_asked_first_changes_no_result() -> None:
    rng = random.Random(21)
    for grid, undrawn in positions(seed=21, count=150, most_undrawn=10):
        solver = KernelSolver(grid.rows, grid.cols, TABLE)
        goal = rng.randint(-15, 15)
        answer = solver.solve(grid.all_drawn ^ undrawn, first_goal=goal)
        assert (answer.value, answer.best_moves) == solved(grid, undrawn), (grid, undrawn, goal)


@needs_kernel
def test_without_all_best_moves_there_is_one() -> None:
    for grid, undrawn in positions(seed=22, count=150, most_undrawn=10):
        answer = kernel(grid.rows, grid.cols).solve(grid.all_drawn ^ undrawn, moves=False)
        value, best = solved(grid, undrawn)
        assert answer.value == value
        assert set(answer.best_moves) <= set(best)
        assert len(answer.best_moves) == min(len(best), 1)


@needs_kernel
def test_whether_a_goal_is_reached_can_be_asked_within_a_number_of_nodes() -> None:
    rng = random.Random(22)
    for grid, undrawn in positions(seed=22, count=600, most_undrawn=10):
        goal, most_nodes = rng.randint(-8, 8), rng.choice([0, 1, 5, 50, 100_000])
        check_bounded(kernel(grid.rows, grid.cols), grid, undrawn, goal, most_nodes)


@needs_kernel
def test_whether_a_goal_is_reached_can_be_given_up() -> None:
    solver = KernelSolver(3, 4, TABLE)
    assert not solver.bounded(0, 1, 1 << 62, StopToken(lambda: 0.0)).exact
    assert solver.bounded(0, 1, 1 << 62, StopToken()).most == 0


@needs_kernel
def test_a_stopped_search_knows_a_move_for_what_it_promises() -> None:
    """On 3×3 with its first edges drawn, which takes some thousand nodes."""
    grid = grid_of(3, 3, Border.NONE)
    for times in range(6):
        for goal in (-3, -1, 1):
            stopped = KernelSolver(3, 3, TABLE).solve(0, first_goal=goal, most_nodes=1024 * times)
            value = kernel(3, 3).solve(0).value
            assert stopped.least <= value <= stopped.most
            for edge in stopped.best_moves:
                after = kernel(3, 3).solve(grid.bits[edge], moves=False)
                assert -after.value >= stopped.least


@needs_kernel
@each("rows, cols", [(5, 5), (9, 9), (15, 15), (20, 20)])
def test_it_plays_endgames_as_the_theory_does(rows: int, cols: int) -> None:
    """Some dozens of long chains and loops: nothing is left to be searched."""
    rng = random.Random(rows)
    for _ in range(3):
        position = endgame_position(Dots(rows, cols, Border.NONE, 2), rng)
        answer = kernel(rows, cols).solve(position.edges)
        assert answer.value == endgame_value(position)
        assert answer.best_moves == best_endgame_moves(position)
        assert answer.nodes == 0


@needs_kernel
@each("make", [KernelSolver, PythonSolver])
def test_it_gives_up_what_is_too_deep_for_the_stack(
    make: type[KernelSolver | PythonSolver],
) -> None:
    answer = make(16, 16, TABLE).solve(0)
    assert not answer.exact
    assert (answer.least, answer.most, answer.best_moves) == (-256, 256, ())


@needs_kernel
@each("drawn", ["h2", "h9", "h11", "v0", "v3", "v8", "v11"])
def test_it_knows_a_position_again_however_it_lies(drawn: str) -> None:
    """3×3 after h0: its mirror images and turns, and the other outer side of the same corner."""
    solver, game = KernelSolver(3, 3, TABLE), Dots(3, 3, Border.NONE, 2)
    value = solver.solve(1 << game.parse_move("h0"), moves=False).value
    again = solver.solve(1 << game.parse_move(drawn), moves=False)
    assert (again.value, again.nodes) == (value, 0)


@needs_kernel
def test_it_leaves_out_pairs_of_equal_short_chains() -> None:
    """A joint with a chain of two on each side; then corners whose two outer sides are undrawn."""
    solver = KernelSolver(5, 5, TABLE)
    cross = " ".join([*(f"h{n}" for n in range(2, 30, 5)), *(f"v{n}" for n in range(12, 18))])
    value = solver.solve(drawn_but(5, 5, cross).edges, moves=False).value
    with_pair = solver.solve(drawn_but(5, 5, f"{cross} h0 v0 h29 v29").edges, moves=False)
    assert (with_pair.value, with_pair.nodes) == (value, 0)
    with_one = solver.solve(drawn_but(5, 5, f"{cross} h0 v0").edges, moves=False)
    assert with_one.value != value


@needs_kernel
def test_what_it_has_learnt_can_be_kept_and_used_by_another_one() -> None:
    solvers = [KernelSolver(3, 4, 1 << 25) for _ in range(3)]
    first = solvers[0].solve(0, moves=False)
    for other in solvers[1:]:
        other.table_memory()[:] = solvers[0].table_memory()
    assert first.nodes > 100_000
    assert solvers[1].solve(0, moves=False).nodes == solvers[0].solve(0, moves=False).nodes == 0
    memory = solvers[2].table_memory()
    assert len(memory) == solvers[2].table_bytes
    del solvers  # the memory is there for as long as it is used
    memory[-1] = memory[0]


@needs_kernel
def test_a_table_that_has_grown_knows_what_it_knew_before() -> None:
    rng = random.Random(1)
    drawn = [sum(1 << edge for edge in rng.sample(range(40), 12)) for _ in range(200)]

    def nodes_again(table_bytes: int) -> int:
        solver = KernelSolver(4, 4, table_bytes)
        for _ in range(2):
            nodes = sum(solver.solve(each, moves=False).nodes for each in drawn)
        return nodes

    assert nodes_again(1 << 25) == 0
    assert nodes_again(1 << 18) > 0  # as large as all begin


@needs_kernel
def test_it_works_in_the_memory_it_is_given() -> None:
    assert kernel(3, 3).table_bytes == TABLE
    assert KernelSolver(3, 3, 0).table_bytes <= 64
    assert KernelSolver(2, 4, 1000).solve(0, moves=False).value == 2


@needs_kernel
@each("rows, cols", [(0, 3), (3, 0), (32, 32), (1, 683), (10**9, 10**9)])
def test_it_refuses_boards_that_it_has_no_words_for(rows: int, cols: int) -> None:
    with pytest.raises(ValueError, match="board"):
        KernelSolver(rows, cols, TABLE)


@needs_kernel
def test_a_stopped_search_says_what_it_knows_and_leaves_a_sound_table() -> None:
    solver = KernelSolver(3, 4, 1 << 22)
    stopped = solver.solve(0, most_nodes=5000)
    assert not stopped.exact
    assert stopped.least <= 0 <= stopped.most
    assert stopped.nodes == 5000
    grid, rng = grid_of(3, 4, Border.NONE), random.Random(8)
    for _ in range(50):
        drawn = sum(grid.bits[edge] for edge in rng.sample(grid.moves, 14))
        after, fresh = solver.solve(drawn), kernel(3, 4).solve(drawn)
        assert (after.value, after.best_moves) == (fresh.value, fresh.best_moves)


@needs_kernel
@each("left_s", [0.0, -1.0, 0.02])
def test_a_search_ends_when_its_time_is_up(left_s: float) -> None:
    stopped = KernelSolver(5, 5, TABLE).solve(0, stop=StopToken(lambda: left_s))
    assert not stopped.exact
    assert stopped.nodes % 1024 == 0


@needs_kernel
@each("left_s", [math.inf, math.nan, 1e300])
def test_a_search_without_a_deadline_comes_to_its_end(left_s: float) -> None:
    assert KernelSolver(3, 3, TABLE).solve(0, stop=StopToken(lambda: left_s)).exact


@needs_kernel
def test_a_search_says_meanwhile_how_far_it_is_and_another_thread_ends_it() -> None:
    stop = StopToken()
    thread = threading.Thread(target=lambda: KernelSolver(5, 5, TABLE).solve(0, stop=stop))
    thread.start()
    while stop.nodes < 100_000:
        assert thread.is_alive()
    stop.set()
    thread.join(60)
    assert not thread.is_alive()


@needs_kernel
def test_a_search_that_begins_has_searched_nothing_yet() -> None:
    solver, stop = KernelSolver(3, 3, TABLE), StopToken()
    solver.solve(0, stop=stop)
    assert stop.nodes > 1024
    solver.bounded(0, 1, 0, stop)
    assert stop.nodes == 0


@needs_kernel
def test_a_token_that_was_set_before_ends_a_search_at_once() -> None:
    stop = StopToken()
    stop.set()
    assert KernelSolver(5, 5, TABLE).solve(0, stop=stop.within(lambda: 60.0)).nodes == 1024


@needs_kernel
def test_what_it_has_learnt_can_be_had_once_a_search_has_ended() -> None:
    solver, stop = KernelSolver(5, 5, TABLE), StopToken(lambda: 0.2)
    thread = threading.Thread(target=lambda: solver.solve(0, stop=stop))
    thread.start()
    while not stop.nodes:
        assert thread.is_alive()
    assert len(solver.table_memory()) == TABLE
    thread.join(60)
    assert not thread.is_alive()


@pytest.mark.usefixtures("no_kernel")
def test_without_the_kernel_python_plays() -> None:
    assert found_kernel() is None
    assert isinstance(solver_for(2, 2), PythonSolver)
    assert isinstance(shared_solver(2, 2), PythonSolver)


@needs_kernel
def test_a_kernel_that_comes_later_is_used_from_then_on() -> None:
    library = found_kernel()
    built = [None, library]
    use_kernel(lambda: built.pop(0))
    assert isinstance(shared_solver(2, 2), PythonSolver)
    assert isinstance(shared_solver(2, 2), KernelSolver)
    assert isinstance(solver_for(2, 2), KernelSolver)
    assert built == []


def test_the_solver_is_the_fastest_for_the_board() -> None:
    fastest = PythonSolver if found_kernel() is None else KernelSolver
    assert isinstance(solver_for(2, 2), fastest)
    assert isinstance(solver_for(30, 30), fastest)
    assert isinstance(solver_for(40, 40), PythonSolver)
    position = solver_for(2, 2).solve(0)
    assert (position.value, position.exact) == (2, True)


class TestSharedSolver:
    def test_a_board_has_one_solver(self) -> None:
        assert shared_solver(1, 2) is shared_solver(1, 2)
        assert shared_solver(1, 2) is not shared_solver(2, 1)

    def test_it_keeps_what_it_has_learned(self) -> None:
        first = shared_solver(2, 5).solve(0)
        again = shared_solver(2, 5).solve(0)
        assert again.nodes < first.nodes
        assert (again.value, again.best_moves) == (first.value, first.best_moves)

    def test_the_boards_that_were_asked_for_last_are_kept(self) -> None:
        longest_ago = shared_solver(1, 1)
        for cols in range(2, 2 + MOST_SHARED):
            shared_solver(1, cols)
        assert shared_solver(1, 1) is not longest_ago
