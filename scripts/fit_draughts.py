"""Fits the weights of the evaluation of draughts to the results of games of its own.

    python -m scripts.fit_draughts english --games 400 --processes 2

The program plays against itself from random openings, with its present weights, two moves ahead,
and a random move now and then so that the games differ. Of each game it takes the positions without
a capture, with their parts (`games.draughts.evaluation`) and the result. The weights that make
these results most likely are found by Newton's method, with a small penalty for large weights. Put
them into `evaluation.WEIGHTS`, and repeat until they stay.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import Pool

from boxroom_engine.arena.openings import openings
from boxroom_engine.games.draughts import Draughts, Position
from boxroom_engine.games.draughts.evaluation import WEIGHTS, EvaluationParts, parts_of
from boxroom_engine.games.protocol import Seat
from boxroom_engine.search.alphabeta import alpha_beta_search

PLIES_OF_OPENING = 8
MOVES_AHEAD = 2
RANDOM_MOVES = 0.08
"""Share of the moves that are played at random."""

PENALTY = 1.0
ROUNDS = 12

Sample = tuple[tuple[float, ...], float]
"""The parts of a position for seat 0, and the result: 1 for a win, 0.5 for a draw."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", choices=WEIGHTS)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    with Pool(args.processes) as pool:
        games = pool.imap_unordered(partial(samples_of_game, args.rules), range(args.games), 4)
        samples = [sample for game in games for sample in game]
    weights = fitted(samples)
    print(f"{len(samples)} positions of {args.games} games, rules {args.rules}")
    now = WEIGHTS[args.rules]
    print(f"log likelihood before {likelihood(samples, now):.4f}", end=", ")
    print(f"after {likelihood(samples, weights):.4f}")
    values = (
        f"{name}={value:.3f}" for name, value in zip(EvaluationParts._fields, weights, strict=True)
    )
    print(f"EvaluationParts({', '.join(values)})")


def samples_of_game(rules: str, seed: int) -> list[Sample]:
    """Return the quiet positions of one game, with its result."""
    rng = random.Random(f"{rules} {seed}")
    state = Draughts(rules, "usual").initial()
    for move in next(openings(state.game, PLIES_OF_OPENING, seed)):
        state = state.play(move)
    seen: list[tuple[float, ...]] = []
    while not state.is_over:
        if not any(step.captured for step in state.steps.values()):
            seen.append(tuple(parts_of(state, Seat(0))))
        state = _next(state, rng)
    assert state.outcome is not None
    result = 0.5 if not state.outcome.winners else float(Seat(0) in state.outcome.winners)
    return [(parts, result) for parts in seen]


def _next(state: Position, rng: random.Random) -> Position:
    moves = state.legal_moves()
    if len(moves) == 1 or rng.random() < RANDOM_MOVES:
        return state.play(rng.choice(moves))
    found = alpha_beta_search(state, rng, most_moves_ahead=MOVES_AHEAD)
    assert found is not None
    return state.play(found.move)


def fitted(samples: Sequence[Sample]) -> EvaluationParts:
    """Return the weights under which the results are most likely, but for the penalty."""
    weights = [0.0] * len(EvaluationParts._fields)
    for _ in range(ROUNDS):
        gradient = [-PENALTY * weight for weight in weights]
        curvature = [[PENALTY * (i == j) for j in range(len(weights))] for i in range(len(weights))]
        for parts, result in samples:
            expected = _logistic(parts, weights)
            slope = expected * (1 - expected)
            for i, part in enumerate(parts):
                gradient[i] += (result - expected) * part
                for j, other in enumerate(parts):
                    curvature[i][j] += slope * part * other
        steps = _solved(curvature, gradient)
        weights = [weight + step for weight, step in zip(weights, steps, strict=True)]
    return EvaluationParts(*weights)


def likelihood(samples: Sequence[Sample], weights: Sequence[float]) -> float:
    """Return the mean logarithm of the likelihood of the results."""
    return sum(_log_likelihoods(samples, weights)) / len(samples)


def _log_likelihoods(samples: Sequence[Sample], weights: Sequence[float]) -> Iterator[float]:
    for parts, result in samples:
        expected = min(max(_logistic(parts, weights), 1e-9), 1 - 1e-9)
        yield result * math.log(expected) + (1 - result) * math.log(1 - expected)


def _logistic(parts: Sequence[float], weights: Sequence[float]) -> float:
    log_odds = sum(map(float.__mul__, parts, weights))
    return (1 + math.tanh(log_odds / 2)) / 2


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of linear equations by Gauss and Jordan's elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        best = max(range(at, len(rows)), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(len(rows)):
            if other != at:
                factor = rows[other][at]
                rows[other] = [
                    one - factor * two for one, two in zip(rows[other], rows[at], strict=True)
                ]
    return [row[-1] for row in rows]


if __name__ == "__main__":
    main()
