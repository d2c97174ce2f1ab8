"""Speed of minimax with a memo of positions and without, on noughts and crosses 3×3.

Each form searches the empty board with a memo and without, in turns. It measures processor time, so
that other load on the machine counts less; the ratio is what can be compared between machines.

    python benchmarks/memo.py --rounds 3
"""

import argparse
import statistics
import time

from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.iterative import IterativeMinimax
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import MinimaxSearch
from boxroom_engine.search.recursive import RecursiveMinimax


def seconds(search: MinimaxSearch) -> float:
    """Return the processor time, in seconds, that it takes to find that the game is a draw."""
    start = make_game("noughts", {}, 2).initial()
    began_s = time.process_time()
    value = search.value(start, Seat(0))
    took_s = time.process_time() - began_s
    assert value == 0
    return took_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="alternations")
    args = parser.parse_args()
    print(f"{'':18}{'without':>10}{'with a memo':>14}{'ratio':>8}{'positions':>22}")
    for form in (RecursiveMinimax, IterativeMinimax):
        pairs = []
        for _ in range(args.rounds):
            plain, remembering = form(), form(memo=Memo())
            pairs.append((seconds(plain), seconds(remembering)))
        without_s, with_s = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(one / other for one, other in pairs)
        positions = f"{plain.positions:,} and {remembering.positions:,}"
        print(
            f"{form.__name__:18}{without_s:>8.2f} s{with_s * 1000:>11.0f} ms{ratio:>8.0f}"
            f"{positions:>22}"
        )


if __name__ == "__main__":
    main()
