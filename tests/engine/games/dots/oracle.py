"""The plainest search there is, and the positions on which the solvers are compared with it."""

import random
from collections.abc import Iterator
from functools import cache

from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots import Border, Grid, grid_of
from boxroom_engine.games.dots.rules.grid import select
from boxroom_engine.games.dots.solve.solver import Solver

SMALL = [(1, 1), (1, 2), (2, 1), (1, 4), (1, 6), (2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (3, 4)]


@cache
def margin(grid: Grid, undrawn: int) -> int:
    """The value by negamax over every edge, one at a time."""
    return max((margin_by(grid, undrawn, e) for e in select(grid.moves, undrawn)), default=0)


def margin_by(grid: Grid, undrawn: int, edge: int) -> int:
    after = undrawn ^ grid.bits[edge]
    won = sum(not sides & after for _, sides in grid.boxes_beside[edge])
    return won + margin(grid, after) if won else -margin(grid, after)


def solved(grid: Grid, undrawn: int) -> tuple[int, tuple[int, ...]]:
    """The value and all best moves."""
    value = margin(grid, undrawn)
    edges = select(grid.moves, undrawn)
    return value, tuple(e for e in edges if margin_by(grid, undrawn, e) == value)


def positions(seed: int, count: int, most_undrawn: int) -> Iterator[tuple[Grid, int]]:
    """Random sets of undrawn edges on all small boards with all borders, `count` altogether."""
    rng = random.Random(seed)
    boards = [grid_of(rows, cols, border) for rows, cols in SMALL for border in Border]
    for number in range(count):
        grid = boards[number % len(boards)]
        free = select(grid.moves, grid.all_drawn & ~grid.start)
        kept = rng.sample(free, rng.randint(0, min(len(free), most_undrawn)))
        yield grid, sum(grid.bits[edge] for edge in kept)
        if number % 5000 == 0:
            margin.cache_clear()


def check_stopped(solved: Solved[int], grid: Grid, undrawn: int) -> None:
    """Hold what a search says that was stopped against the plainest one."""
    assert solved.least <= margin(grid, undrawn) <= solved.most
    for edge in solved.best_moves:
        assert margin_by(grid, undrawn, edge) >= solved.least


def check_bounded(solver: Solver, grid: Grid, undrawn: int, goal: int, most_nodes: int) -> None:
    """Hold what a solver says of one `goal` against the plainest search."""
    bounds = solver.bounded(grid.all_drawn ^ undrawn, goal, most_nodes)
    assert bounds.least <= margin(grid, undrawn) <= bounds.most, (grid, undrawn, goal)
    assert bounds.exact == (bounds.least >= goal or bounds.most < goal)
    assert bounds.exact or bounds.nodes == most_nodes
    assert bounds.nodes <= most_nodes
