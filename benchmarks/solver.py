"""Speed of the solver: nodes, seconds and nodes per second, for known boards and others.

Seconds are those of the processor, because the machine may be busy. With `--plain`, each empty
board is also solved by the plainest alpha-beta: every edge is a move, in ascending order, with a
table of any size, in Python; so compare its nodes, not its time.

    python benchmarks/solver.py                 # up to 3×4, and 5×5 from 40 free edges on
    python benchmarks/solver.py --large         # 3×5 and 4×4 as well, which takes minutes
    python benchmarks/solver.py --plain
    python benchmarks/solver.py --expected      # its nodes, beside what `expert` expects
"""

import argparse
import random
import statistics
import time
from dataclasses import dataclass

from boxroom_common.kernel.use import use_or_build
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.games.dots import Border, Dots, Grid, Position, grid_of
from boxroom_engine.games.dots.play.strongest import expected_nodes
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.dots.theory.captures import takeable
from boxroom_engine.stopping import Limit

BOARDS = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4)]
LARGE = [(3, 5), (4, 4)]
EXPECTED = [
    (5, Border.NONE, 34, 42),
    (5, Border.HALF, 32, 40),
    (5, Border.FULL, 30, 38),
    (6, Border.NONE, 44, 52),
    (6, Border.HALF, 42, 50),
    (6, Border.FULL, 40, 48),
    (7, Border.NONE, 57, 65),
    (7, Border.HALF, 54, 62),
    (7, Border.FULL, 52, 60),
]
"""Boards for `--expected`: size, border, fewest and most free edges of the positions."""
PLAIN_MOST_EDGES = 17  # 2×3: beyond that the plain search takes minutes


@dataclass
class Plain:
    """Null-window alpha-beta with a table of bounds, and nothing else."""

    grid: Grid
    nodes: int = 0

    def value(self, undrawn: int) -> int:
        """Return the value, by steps of two from below."""
        self.table: dict[int, tuple[int, int]] = {}
        goal = -self.grid.boxes
        while self.at_least(undrawn, goal + 2):
            goal += 2
        return goal

    def at_least(self, undrawn: int, goal: int) -> bool:
        """Whether the value is `goal` or more."""
        if not undrawn:
            return goal <= 0
        least, most = self.table.get(undrawn, (-self.grid.boxes, self.grid.boxes))
        if least >= goal or most < goal:
            return least >= goal
        self.nodes += 1
        reached = any(self.reaches_by(undrawn, edge, goal) for edge in range(self.grid.edges))
        self.table[undrawn] = (goal, most) if reached else (least, goal - 1)
        return reached

    def reaches_by(self, undrawn: int, edge: int, goal: int) -> bool:
        """Whether drawing `edge` gives `goal` or more."""
        if not undrawn & self.grid.bits[edge]:
            return False
        after = undrawn ^ self.grid.bits[edge]
        won = sum(not sides & after for _, sides in self.grid.boxes_beside[edge])
        return self.at_least(after, goal - won) if won else not self.at_least(after, 1 - goal)


def empty_board(rows: int, cols: int, table_bytes: int, *, plain: bool) -> str:
    """Return a line of figures for the value of an empty board."""
    began = time.process_time()
    solved = solver_for(rows, cols, table_bytes).solve(0, moves=False)
    seconds = time.process_time() - began
    line = f"{rows}×{cols}  value {solved.value:+d}  {solved.nodes:>11,} nodes"
    line += f"  {seconds:8.3f} s  {solved.nodes / seconds:>9,.0f} nodes/s"
    grid = grid_of(rows, cols, Border.NONE)
    if plain and grid.edges <= PLAIN_MOST_EDGES:
        search = Plain(grid)
        assert search.value(grid.all_drawn) == solved.value
        line += f"  plain: {search.nodes:,} nodes ({search.nodes / solved.nodes:,.0f}×)"
    return line


def quiet_position(
    rng: random.Random, size: int, free: int, border: Border = Border.NONE
) -> Position:
    """Return a game's first position with at most so many free edges and nothing to take.

    If it has none, the last with nothing to take. Both players draw random neutral edges, and when
    there are none, open and take the least that they can.
    """
    position = quiet = Dots(size, size, border, 2).initial()
    while position.to_move is not None and position.game.longest - quiet.ply > free:
        position = position.play(GreedyBot().choose(position, Limit(1, time.process_time), rng))
        if position.to_move is not None and not takeable(position):
            quiet = position
    return quiet


def safe_play(free: int, count: int, table_bytes: int, *, moves: bool) -> str:
    """Return a line of figures for positions of 5×5, each solved by a new solver."""
    rng = random.Random(1)
    seconds, nodes = [], []
    for _ in range(count):
        position = quiet_position(rng, 5, free)
        solver = solver_for(5, 5, table_bytes)
        began = time.process_time()
        nodes.append(solver.solve(position.edges, moves=moves).nodes)
        seconds.append(time.process_time() - began)
    p95 = sorted(seconds)[int(0.95 * count)]
    return (
        f"5×5, {free} free, {'value and all best moves' if moves else 'value'}: "
        f"median {statistics.median(seconds):.2f} s, p95 {p95:.2f} s, "
        f"{sum(nodes) / sum(seconds):,.0f} nodes/s, {count} positions"
    )


def expectation(size: int, border: Border, fewest: int, most: int, count: int) -> str:
    """Return a line about how many times the expected nodes exact play takes."""
    rng, ratios = random.Random(1), []
    for _ in range(count):
        position = quiet_position(rng, size, rng.randint(fewest, most), border)
        solved = solver_for(size, size).solve(position.edges, moves=False, first_goal=1)
        ratios.append(solved.nodes / expected_nodes(position))
    low, *_, high = statistics.quantiles(ratios, n=10)
    return (
        f"{size}×{size}, border {border}, {fewest} to {most} free: {statistics.median(ratios):.2f}"
        f" times the expected nodes, {low:.2f} to {high:.2f} in 80 % of {count} positions"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast positions are solved.")
    parser.add_argument("--large", action="store_true", help="3×5 and 4×4 as well")
    parser.add_argument("--plain", action="store_true", help="beside the plainest search")
    parser.add_argument("--positions", type=int, default=40, help="of 5×5 (default: 40)")
    parser.add_argument("--free", type=int, default=40, help="their free edges (default: 40)")
    parser.add_argument("--table", type=int, default=64, help="MB for the table (default: 64)")
    parser.add_argument("--expected", action="store_true", help="only nodes beside expected ones")
    args = parser.parse_args()
    use_or_build(print)
    if args.expected:
        for board in EXPECTED:
            print(expectation(*board, args.positions), flush=True)
        return
    for rows, cols in BOARDS + (LARGE if args.large else []):
        table = (1024 if (rows, cols) in LARGE else args.table) << 20
        print(empty_board(rows, cols, table, plain=args.plain), flush=True)
    for moves in (False, True):
        print(safe_play(args.free, args.positions, args.table << 20, moves=moves), flush=True)


if __name__ == "__main__":
    main()
