"""Results of `expert` against OpenSpiel's Monte Carlo tree search with fixed simulations a move.

Each game begins with other random moves, and is played twice with the seats changed. OpenSpiel
comes with the development extra; its search is the one in C++, with random rollouts, which solves
what it can. Bots of Boxroom play against one another in `boxroom arena`.

    python benchmarks/open_spiel_mcts.py --games 100 --time 0.3
"""

import argparse
import random
import time
from dataclasses import dataclass
from typing import Any

import pyspiel

from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.stopping import Limit

UCT_C = 1.4
ROLLOUTS = 1
MEMORY_MB = 1000


@dataclass(frozen=True)
class Terms:
    """Settings that are the same in all games."""

    size: int
    openings: int
    bot: str
    simulations: int


def play(terms: Terms, seed: int, ours: Seat) -> tuple[int, float, float]:
    """Return the margin of our bot, and the mean seconds for a move of ours and of theirs."""
    rng = random.Random(seed)
    game: Any = pyspiel.load_game(f"dots_and_boxes(num_rows={terms.size},num_cols={terms.size})")
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
    theirs = pyspiel.MCTSBot(
        game, evaluator, UCT_C, terms.simulations, MEMORY_MB, True, seed, False
    )
    state, position = (
        game.new_initial_state(),
        Dots(terms.size, terms.size, Border.NONE, 2).initial(),
    )
    bot = bot_of(terms.bot)
    seconds: dict[bool, list[float]] = {True: [], False: []}
    while position.to_move is not None:
        began, is_ours = time.monotonic(), position.to_move == ours
        if position.ply < terms.openings:
            move = rng.choice(position.legal_moves())
        elif is_ours:
            move = bot.choose(position, Limit(60, time.monotonic), rng)
        else:
            move = Move(theirs.step(state))
        if position.ply >= terms.openings:
            seconds[is_ours].append(time.monotonic() - began)
        state.apply_action(move)
        position = position.play(move)
    return margin_of(position, ours), mean(seconds[True]), mean(seconds[False])


def margin_of(position: Position, seat: Seat) -> int:
    """Return the boxes of a seat less those of the other."""
    return position.scores[seat] - position.scores[1 - seat]


def mean(numbers: list[float]) -> float:
    """Return the mean of `numbers`, which may be empty."""
    return sum(numbers) / max(1, len(numbers))


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description="expert against OpenSpiel's MCTS")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--size", type=int, default=5, help="of the board (default: 5)")
    parser.add_argument("--openings", type=int, default=4, help="moves at random (default: 4)")
    parser.add_argument("--time", type=float, default=0.3, help="of expert (default: 0.3)")
    parser.add_argument("--simulations", type=int, default=10_000)
    args = parser.parse_args()
    terms = Terms(args.size, args.openings, f"expert:time={args.time:g}", args.simulations)
    points = 0.0
    for game in range(args.games):
        margin, our_s, their_s = play(terms, game // 2, Seat(game % 2))
        points += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
        print(
            f"game {game + 1}: {margin:+d}, {our_s:.2f} and {their_s:.2f} s a move;"
            f" {terms.bot} has {points:g} of {game + 1} ({100 * points / (game + 1):.1f} %)",
            flush=True,
        )


if __name__ == "__main__":
    main()
