"""Games of a bot against the same bot of another version of Boxroom, each from both sides.

The other version is another checkout, with an environment of its own: its Python is given. Each
side is a process that is new for each game, so none has thought before. Times are those of the
processor: `--time` is the bot's option, and `--limit` what a move may take at most. A game begins
with random neutral moves, and the next one with the same moves and the sides exchanged. With
`--jobs` several games are played at a time, at most one for each core.

    git worktree add ../before COMMIT && ../before/boxroom --version
    python benchmarks/versions.py ../before/.venv/bin/python --games 200 --time 1 1
    python benchmarks/versions.py ../before/.venv/bin/python --games 200 --time 0.1 1
    python benchmarks/versions.py ../before/.venv/bin/python --games 200 --time 0.1 1 --limit 0.1 1
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from best_moves import interval

from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.dots.theory.captures import neutral
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import Limit


def serve(size: int, bot_name: str, limit_s: float) -> None:
    """Answer each line of input, the moves since the last one, by a move and its seconds.

    It runs in both versions, so it uses only what both have.
    """
    bot = bot_of(bot_name)
    position = Dots(size, size, Border.NONE, 2).initial()
    for line in sys.stdin:
        for move in json.loads(line):
            position = position.play(Move(move))
        limit = Limit(limit_s, time.process_time)
        move = bot.choose(position, limit, random.Random(position.edges))
        position = position.play(move)
        print(json.dumps([move, limit_s - limit.left_s()]), flush=True)


@dataclass
class Side:
    """A version of the bot, playing one game in a process of its own."""

    process: subprocess.Popen[str]
    seconds: list[float] = field(default_factory=list)
    """For each of its moves."""

    def move_after(self, moves: Sequence[Move]) -> Move:
        """Return its move after those that were made since its last one."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        print(json.dumps(list(moves)), file=stdin, flush=True)
        move, seconds = json.loads(stdout.readline())
        self.seconds.append(seconds)
        return Move(move)


@contextmanager
def side_of(python: str, size: int, bot: str, limit_s: float) -> Iterator[Side]:
    """Run a side of a game by one version's Python while the context lasts."""
    command = [python, __file__, "--size", str(size), "--serve", bot, str(limit_s)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Side(process)
        finally:
            process.kill()


def has_engine(python: str) -> bool:
    """Return whether a program is a Python that has Boxroom's engine."""
    command = [python, "-c", "import boxroom_engine.bots.registry as it; print(it.__name__)"]
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    except OSError:
        return False
    return run.stdout.strip() == "boxroom_engine.bots.registry"


def opening_of(size: int, length: int, seed: int) -> list[Move]:
    """Return that many random neutral moves."""
    rng = random.Random(seed)
    position = Dots(size, size, Border.NONE, 2).initial()
    moves: list[Move] = []
    for _ in range(length):
        moves.append(rng.choice(neutral(position)))
        position = position.play(moves[-1])
    return moves


def margin_of(size: int, opening: Sequence[Move], sides: Sequence[Side]) -> int:
    """Play a game to its end and return by how much the first side won it."""
    position = Dots(size, size, Border.NONE, 2).initial()
    news: list[list[Move]] = [list(opening), list(opening)]
    for move in opening:
        position = position.play(move)
    while not position.is_over:
        seat = position.to_move
        assert seat is not None
        move = sides[seat].move_after(news[seat])
        news[seat].clear()
        news[1 - seat].append(move)
        position = position.play(move)
    return position.scores[0] - position.scores[1]


def games(args: argparse.Namespace) -> Iterator[tuple[int, list[float], list[float]]]:
    """Yield by how much this version won each game, and the seconds of each move of both."""
    bots = [f"{args.bot}:time={seconds}" for seconds in args.time]

    def play(number: int) -> tuple[int, list[float], list[float]]:
        opening = opening_of(args.size, args.opening, args.seed + number // 2)
        with (
            side_of(sys.executable, args.size, bots[0], args.limit[0]) as this,
            side_of(args.other, args.size, bots[1], args.limit[1]) as other,
        ):
            if number % 2:
                return -margin_of(args.size, opening, (other, this)), this.seconds, other.seconds
            return margin_of(args.size, opening, (this, other)), this.seconds, other.seconds

    with ThreadPoolExecutor(args.jobs) as pool:
        yield from pool.map(play, range(args.games))


def main() -> None:
    """Play the games and print who won."""
    parser = argparse.ArgumentParser(description="One version of a bot against another.")
    parser.add_argument("other", nargs="?", help="Python of the other version's environment")
    parser.add_argument("--bot", default="expert", help="name of the bot (default: expert)")
    parser.add_argument("--size", type=int, default=5, help="rows and columns (default: 5)")
    parser.add_argument("--games", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--opening", type=int, default=6, help="random moves (default: 6)")
    parser.add_argument(
        "--time", type=float, nargs=2, default=[1.0, 1.0], help="s for a move of this and of it"
    )
    parser.add_argument(
        "--limit", type=float, nargs=2, default=[3600.0, 3600.0], help="s for a move at most"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the openings (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (default: 1)")
    parser.add_argument("--serve", nargs=2, metavar=("BOT", "LIMIT"), help="be a side of a game")
    args = parser.parse_args()
    if args.serve:
        serve(args.size, args.serve[0], float(args.serve[1]))
        return
    if args.other is None or not has_engine(args.other):
        parser.error(f"Boxroom isn't installed for the other version's Python: {args.other}")
    margins, this_s, other_s = [], [], []
    for margin, this, other in games(args):
        margins.append(margin)
        this_s += this
        other_s += other
        print(f"{len(margins)}: {margin:+d}", file=sys.stderr, flush=True)
    won, drawn = sum(each > 0 for each in margins), margins.count(0)
    print(
        f"{args.size}×{args.size}, {args.time[0]:g} s against {args.time[1]:g} s: {won} won,"
        f" {drawn} drawn, {len(margins) - won - drawn} lost;"
        f" {interval(won + drawn / 2, len(margins))}; boxes ahead {statistics.mean(margins):+.2f};"
        f" mean s a move {statistics.mean(this_s):.3f} and {statistics.mean(other_s):.3f},"
        f" longest {max(this_s):.2f} and {max(other_s):.2f}"
    )


if __name__ == "__main__":
    main()
