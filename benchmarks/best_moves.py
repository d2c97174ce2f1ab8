"""Share of positions in which a bot finds a move with the best margin.

The positions come from random neutral moves, and the smallest sacrifices when there are none left,
with so many free edges that exact play can just reach them, or just not. The bot knows nothing of a
position before it is asked. Its time is that of the processor, and it gets no more for hard moves,
unless `--hard` is given. Values and best moves are those of the solver, which takes seconds to
minutes for a position; `--values` names a file that keeps them for the next run. Positions that it
can't solve in `--most` seconds are left out, and counted.

    python benchmarks/best_moves.py --free 42 --positions 200 --time 0.1 1
    python benchmarks/best_moves.py --border full --free 38 --positions 100 --time 0.1 0.3 --hard
    python benchmarks/best_moves.py --free 46 --positions 200 --time 1 --most 600
    python benchmarks/best_moves.py --size 10 --free 100 --positions 100 --time 1 --most 60
    python benchmarks/best_moves.py --size 10 --free 116 --positions 60 --time 1 --most 60
"""

import argparse
import json
import math
import random
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

from solver import quiet_position

from boxroom_common.kernel.use import use_or_build
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.dots import Border, Position
from boxroom_engine.games.dots.solve.solver import kernel, solver_for, use_kernel
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import Limit

TABLE_BYTES = 1 << 30
Z = 1.96  # 95 % of a normal distribution


@dataclass
class Values:
    """Values of positions and whether moves reach them, for boards of one size."""

    size: int
    most_s: float
    path: Path | None
    known: dict[str, int | None] = field(default_factory=dict)
    """Value of each position, None if it can't be solved in time; and 1 for each move that reaches
    the value, 0 for others. The keys are size, edges and move, with spaces between."""

    def __post_init__(self) -> None:
        if self.path is not None and self.path.exists():
            lines = self.path.read_text().splitlines()
            self.known.update((key, value) for key, value in map(json.loads, lines))
        self._solver = solver_for(self.size, self.size, TABLE_BYTES)

    def value(self, position: Position) -> int | None:
        """Return the margin to come of the player to move; None if the search takes too long."""
        key = f"{self.size} {position.edges:x}"
        if key not in self.known:
            limit = Limit(self.most_s, time.process_time)
            solved = self._solver.solve(position.edges, moves=False, stop=limit.stop)
            self._remember(key, solved.value if solved.exact else None)
        return self.known[key]

    def is_best(self, position: Position, move: Move, value: int) -> bool:
        """Return whether a move that completes no box reaches the position's value."""
        after = position.play(move)
        assert after.scores == position.scores
        key = f"{self.size} {position.edges:x} {move}"
        if key not in self.known:
            bounds = self._solver.bounded(after.edges, 1 - value, most_nodes=1 << 62)
            self._remember(key, int(bounds.most <= -value))
        return bool(self.known[key])

    def _remember(self, key: str, value: int | None) -> None:
        self.known[key] = value
        if self.path is not None:
            with self.path.open("a") as lines:
                print(json.dumps([key, value]), file=lines)


def interval(hits: float, count: int) -> str:
    """Return a share and its 95 % interval (Wilson's); a draw is half a hit."""
    share = hits / count
    centre = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count**2)) / (1 + Z * Z / count)
    return f"{share:.1%} ({centre - half:.1%} to {centre + half:.1%})"


def main() -> None:
    """Ask the bot about each position, and print the shares."""
    parser = argparse.ArgumentParser(description="How often a bot finds a best move.")
    parser.add_argument("--bot", default="expert", help="name of the bot (default: expert)")
    parser.add_argument("--size", type=int, default=5, help="rows and columns (default: 5)")
    parser.add_argument("--border", type=Border, default=Border.NONE, help="none, half or full")
    parser.add_argument("--free", type=int, default=42, help="free edges, or fewer (default: 42)")
    parser.add_argument("--positions", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--time", type=float, nargs="+", default=[0.1, 1.0], help="s for a move")
    parser.add_argument("--hard", action="store_true", help="with longer times for hard moves")
    parser.add_argument("--most", type=float, default=600, help="s for a value (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="of the positions (default: 1)")
    parser.add_argument("--values", type=Path, help="file that keeps what the solver found")
    args = parser.parse_args()
    use_or_build(print)
    library = kernel()
    values = Values(args.size, args.most, args.values)
    rng = random.Random(args.seed)
    hits = dict.fromkeys(args.time, 0)
    used: dict[float, list[float]] = {each: [] for each in args.time}
    unsolved = 0
    for _ in range(args.positions):
        position = quiet_position(rng, args.size, args.free, args.border)
        value = values.value(position)
        if value is None:
            unsolved += 1
            continue
        for seconds in args.time:
            use_kernel(lambda: library)  # the bot forgets what it has learnt
            bot = bot_of(f"{args.bot}:time={seconds}")
            limit = Limit(math.inf if args.hard else seconds, time.process_time)
            move = bot.choose(position, limit, random.Random(1))
            used[seconds].append(time.process_time() - limit.began_s)
            hits[seconds] += values.is_best(position, move, value)
    solved = args.positions - unsolved
    for seconds in args.time if solved else ():
        print(
            f"{args.size}×{args.size}, border {args.border}, {args.free} free, {seconds:g} s:"
            f" a best move in {hits[seconds]} of {solved}, {interval(hits[seconds], solved)};"
            f" mean time {statistics.mean(used[seconds]):.2f} s"
        )
    print(f"left out, as their value takes more than {args.most:g} s: {unsolved}")


if __name__ == "__main__":
    main()
