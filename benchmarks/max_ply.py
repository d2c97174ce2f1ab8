"""Time of `chain` for a move, for each `max_ply`: the student's fast, medium and slow.

It plays whole games against itself. Seconds are those of the processor, because the machine may
be busy. Most moves need no search at all; the slowest of a game is mostly the one
at which neutral moves have become few enough to be searched.

    python benchmarks/max_ply.py --games 50
"""

import argparse
import random
import statistics
import time
from itertools import chain

from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.stopping import Limit

BOARDS = [(2, 2), (4, 4), (5, 5)]
MAX_PLIES = [4, 6, 8, 12]
LIMIT_S = 60.0


def seconds_of_moves(bot: Bot, game: Dots, rng: random.Random) -> list[float]:
    """Return the seconds of each move of a game that `bot` plays against itself."""
    state, seconds = game.initial(), []
    while not state.is_over:
        limit = Limit(LIMIT_S, time.process_time)
        state = state.play(bot.choose(state, limit, rng))
        seconds.append(LIMIT_S - limit.left_s())
    return seconds


def row_of(rows: int, cols: int, max_ply: int, games: int) -> str:
    """Return a line of the table, from that many games."""
    bot, game = bot_of(f"chain:max_ply={max_ply}"), Dots(rows, cols, Border.NONE, 2)
    played = [seconds_of_moves(bot, game, random.Random(seed)) for seed in range(games)]
    slowest = [max(seconds) for seconds in played]
    cells = [
        statistics.median(chain.from_iterable(played)),
        statistics.median(slowest),
        max(slowest),
    ]
    return f"| {rows}×{cols} | {max_ply} | {' | '.join(map(in_ms, cells))} |"


def in_ms(seconds: float) -> str:
    """Return milliseconds with two significant digits."""
    return f"{float(f'{1000 * seconds:.2g}'):g} ms"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How long chain takes for a move.")
    parser.add_argument("--games", type=int, default=50, help="of each kind (default: 50)")
    args = parser.parse_args()
    print("| board | `max_ply` | a move (median) | slowest of a game (median) | slowest of all |")
    print("| --- | --- | --- | --- | --- |")
    for rows, cols in BOARDS:
        for max_ply in MAX_PLIES:
            print(row_of(rows, cols, max_ply, args.games), flush=True)


if __name__ == "__main__":
    main()
