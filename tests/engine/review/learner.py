"""A player who misses each idea at a rate of its own, which falls with the puzzles that it does.

It is a model for tests of the advice that players get. It knows all best moves, and plays one
unless it misses the idea that finds them.
"""

import random
from collections.abc import Mapping

from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.dots.theory.theme import Theme, theme_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.review.puzzle import Puzzle

_KEPT = 0.7
"""The share of its rate that a theme keeps after a puzzle."""


class Learner:
    """A player by the chance, 0 to 1, that it misses each theme; 0 for those that aren't named."""

    def __init__(self, rates: Mapping[Theme, float], rng: random.Random) -> None:
        self.rates = dict(rates)
        """The chances now."""
        self._rng = rng

    def choose(self, position: Position) -> Move:
        """Return a best move, or another one if the player misses the idea of the position."""
        solver = solver_for(position.game.rows, position.game.cols)
        best = solver.solve(position.edges).best_moves
        theme = theme_of(position, best)
        others = [move for move in position.legal_moves() if move not in best]
        misses = theme is not None and self._rng.random() < self.rates.get(theme, 0.0)
        return self._rng.choice(others if misses and others else best)

    def practise(self, puzzle: Puzzle) -> bool:
        """Answer a puzzle, see its reason, and return whether the answer was right."""
        is_right = self.choose(puzzle.position) in puzzle.best
        if puzzle.theme in self.rates:
            self.rates[puzzle.theme] *= _KEPT
        return is_right
