"""Alpha-beta with the evaluation of draughts and quiescence, against material alone.

Both have the same time for a move. They play each opening twice, with colours changed.

    python -m benchmarks.draughts --games 100 --time 0.05 --processes 2
"""

import argparse
import random
import time
from collections import Counter
from functools import partial
from multiprocessing import Pool

from boxroom_engine.arena.openings import openings
from boxroom_engine.games.draughts import Draughts, Position
from boxroom_engine.games.draughts.evaluation import material
from boxroom_engine.games.draughts.rules import RULE_SETS
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.alphabeta import Horizon, alpha_beta_search, horizon_of

PLIES_OF_OPENING = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rules", choices=RULE_SETS, nargs="*", default=list(RULE_SETS))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=0.05, help="seconds for a move")
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    with Pool(args.processes) as pool:
        for rules in args.rules:
            play = partial(result_of_game, rules, args.time)
            results = Counter(pool.imap_unordered(play, range(args.games)))
            won, drawn, lost = (results[result] for result in (1, 0, -1))
            print(f"{rules}: {won} won, {drawn} drawn, {lost} lost of {args.games}", flush=True)


def result_of_game(rules: str, time_s: float, number: int) -> int:
    """Return 1 if the evaluation won the game with this number, 0 for a draw, -1 if it lost."""
    rng, game = random.Random(number), Draughts(rules, "usual")
    state = game.initial()
    for move in next(openings(game, PLIES_OF_OPENING, seed=number // 2)):
        state = state.play(move)
    own = Seat(number % 2)
    while not state.is_over:
        horizon = horizon_of(state) if state.turn == own else Horizon(_material)
        state = state.play(_choose(state, horizon, time_s, rng))
    assert state.outcome is not None
    if not state.outcome.winners:
        return 0
    return 1 if own in state.outcome.winners else -1


def _choose(state: Position, horizon: Horizon, time_s: float, rng: random.Random) -> Move:
    moves = state.legal_moves()
    if len(moves) == 1:
        return moves[0]
    end_s = time.perf_counter() + time_s
    found = alpha_beta_search(state, rng, stop=lambda: time.perf_counter() > end_s, horizon=horizon)
    return rng.choice(moves) if found is None else found.move


def _material(state: State, seat: Seat) -> float:
    assert isinstance(state, Position)
    return material(state, seat)


if __name__ == "__main__":
    main()
