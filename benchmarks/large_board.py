"""A long exact search from an empty board, which can be interrupted and carried on.

It finds out whether the first player's margin reaches a goal. From time to time, and when it ends,
it writes the solver's table and what it has used so far to a file, in whose place the new one is
put only once it is complete. Ctrl-C and SIGTERM end it, too. Started again with the same file, it
carries on: what is in the table isn't searched again, so it is soon where it was. Two goals are two
runs, for two cores and with a file each: 4×5 is a tie (Barker & Korf, Solving Dots-and-Boxes, AAAI
2012) if 0 is reached and 2 isn't.

    python benchmarks/large_board.py tie.table --goal 0 --gigabytes 8 --hours 2
    python benchmarks/large_board.py win.table --goal 2 --gigabytes 8 --hours 2
    python benchmarks/large_board.py half.table --border half   # two sides drawn, 40 free edges
"""

import argparse
import json
import math
import os
import signal
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Event

from boxroom_client.signals import watched
from boxroom_common.kernel.use import use_or_build
from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.dots.solve.solver import KernelSolver, kernel
from boxroom_engine.stopping import Limit, StopToken

CHUNK = 1 << 28
"""Bytes that are written or read at a time."""

LONGEST_LINE = 1000
"""Bytes of the first line of a file, at most."""


@dataclass
class Run:
    """A search of a board for a goal, and what it has used so far. The file begins with it."""

    rows: int
    cols: int
    border: str
    goal: int
    table_bytes: int
    nodes: int = 0
    seconds: float = 0.0

    def is_of(self, other: "Run") -> bool:
        """Return whether both are the same search."""
        return replace(self, nodes=0, seconds=0.0) == replace(other, nodes=0, seconds=0.0)


def save(path: Path, run: Run, solver: KernelSolver) -> None:
    """Write a run and its table; what was in the file stays there until all is written."""
    unfinished = path.with_name(path.name + ".new")
    memory = solver.table_memory()
    with unfinished.open("wb") as file:
        file.write(json.dumps(asdict(run)).encode() + b"\n")
        for at in range(0, len(memory), CHUNK):
            file.write(memory[at : at + CHUNK])
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def load(path: Path, run: Run, solver: KernelSolver) -> Run:
    """Read the table of this run into the solver, and return what the run has used.

    Raises:
        ValueError: the file is of another run, or damaged.
    """
    memory = solver.table_memory()
    with path.open("rb") as file:
        try:
            saved = Run(**json.loads(file.readline(LONGEST_LINE)))
        except (ValueError, TypeError):
            raise ValueError(f"{path} isn't a file of this program.") from None
        if not saved.is_of(run):
            raise ValueError(f"{path} is of another run: {saved}")
        if path.stat().st_size - file.tell() != len(memory):
            raise ValueError(f"{path} is damaged: it is too short or too long.")
        for at in range(0, len(memory), CHUNK):
            file.readinto(memory[at : at + CHUNK])
    return saved


def search(run: Run, solver: KernelSolver, seconds: float, interrupted: Event) -> Solved[int]:
    """Search for so many seconds of the processor at most, and add what that used to the run.

    If the goal is decided before, the rest of the time is for other goals.
    """
    position = Dots(run.rows, run.cols, Border(run.border), 2).initial()
    limit = Limit(seconds, time.process_time)
    began = time.process_time()
    stop = StopToken()
    solved = watched(
        lambda: solver.solve(position.edges, moves=False, first_goal=run.goal, stop=stop),
        stop,
        lambda: interrupted.is_set() or limit.expired(),
    )
    run.seconds += time.process_time() - began
    run.nodes += solved.nodes
    return solved


def positive(text: str) -> float:
    """Return the number that an option has, which must be greater than 0."""
    number = float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} isn't greater than 0")
    return number


def main() -> None:
    """Carry the run on until it is over or its time is up."""
    parser = argparse.ArgumentParser(description="A long exact search that can be carried on.")
    parser.add_argument("file", type=Path, help="file that keeps the run")
    parser.add_argument("--rows", type=int, default=4, help="of boxes (default: 4)")
    parser.add_argument("--cols", type=int, default=5, help="of boxes (default: 5)")
    borders = [each.value for each in Border]
    parser.add_argument("--border", choices=borders, default="none", help="sides that are drawn")
    parser.add_argument(
        "--goal", type=int, default=0, help="margin of the first player (default: 0)"
    )
    parser.add_argument("--gigabytes", type=positive, default=4, help="for the table (default: 4)")
    parser.add_argument("--hours", type=positive, default=2, help="of the processor (default: 2)")
    parser.add_argument(
        "--minutes", type=positive, default=20, help="between savings (default: 20)"
    )
    args = parser.parse_args()
    use_or_build(print)
    if kernel() is None:
        sys.exit("This takes the kernel in C++, which isn't installed.")
    if not args.file.parent.is_dir():
        parser.error(f"there is no folder {args.file.parent}")
    try:
        solver = KernelSolver(args.rows, args.cols, int(args.gigabytes * (1 << 30)))
    except MemoryError:
        parser.error(f"there isn't as much memory as {args.gigabytes:g} GB")
    except (ValueError, TypeError) as error:
        parser.error(str(error))
    run = Run(args.rows, args.cols, args.border, args.goal, solver.table_bytes)
    if args.file.exists():
        try:
            run = load(args.file, run, solver)
        except (ValueError, OSError) as error:
            sys.exit(str(error))
    interrupted = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: interrupted.set())
    end_s = run.seconds + args.hours * 3600
    answer = None
    while answer is None and run.seconds < end_s and not interrupted.is_set():
        seconds = min(args.minutes * 60, end_s - run.seconds)
        solved = search(run, solver, seconds, interrupted)
        if solved.least >= run.goal:
            answer = "reached"
        elif solved.most < run.goal:
            answer = "not reached"
        save(args.file, run, solver)
        value = f"; the margin is {solved.value:+d}" if solved.exact else ""
        print(
            f"{run.rows}×{run.cols}, border {run.border}, goal {run.goal:+d}: {answer or 'open'}"
            f" after {run.nodes:,} nodes, {run.seconds:,.0f} s{value}",
            flush=True,
        )
    if answer is None and interrupted.is_set():
        sys.exit(130)


if __name__ == "__main__":
    main()
