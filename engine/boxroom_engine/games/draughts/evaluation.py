"""Evaluation of positions of draughts: parts that can be explained, and the result to be expected.

Each part is a difference between a player and the opponent:

- *men* and *kings*: their numbers.
- *mobility*: steps to a free neighbouring square that the pieces could take.
- *back rank*: men on the own first row, where they keep the opponent's men from becoming kings.
- *tempo*: rows that all men have advanced. It counts as less the more men there are, because they
  are in each other's way.

The likelihood of winning is the logistic function of the weighted sum of the parts, a draw counted
as half a win. `scripts/fit_draughts.py` fits the weights to the results of games that the program
plays against itself, by maximum likelihood (logistic regression; D. R. Cox, "The Regression
Analysis of Binary Sequences", Journal of the Royal Statistical Society B 20, 1958).
"""

import math
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from boxroom_engine.games.draughts.board import Board, Squares
from boxroom_engine.games.draughts.pieces import Pieces
from boxroom_engine.games.draughts.rules import RuleSet
from boxroom_engine.games.protocol import Seat

_MOST = 0.999
"""Greatest expectation before the end: less than a win."""


class EvaluationParts(NamedTuple):
    """The parts of an evaluation, or their weights."""

    men: float
    kings: float
    mobility: float
    back_rank: float
    tempo: float


WEIGHTS: Mapping[str, EvaluationParts] = {
    "english": EvaluationParts(men=1.008, kings=1.273, mobility=0.04, back_rank=0.264, tempo=0.182),
    "international": EvaluationParts(
        men=0.523, kings=1.878, mobility=-0.05, back_rank=0.056, tempo=-0.22
    ),
}
"""Weights by the set of rules, in units of log odds."""


class Rules(Protocol):
    """The part of `state.Draughts` that is needed here."""

    @property
    def board(self) -> Board: ...
    @property
    def differences(self) -> RuleSet: ...


class Evaluated(Protocol):
    """The part of `state.Position` that is evaluated."""

    @property
    def game(self) -> Rules: ...
    @property
    def pieces(self) -> Pieces: ...


def expected(position: Evaluated, seat: Seat) -> float:
    """Return the mean result to be expected for `seat`: 1 is a win, 0 a draw, -1 a loss.

    It is twice the likelihood of winning, less one.
    """
    weights = WEIGHTS[position.game.differences.name]
    # `sum` rounds otherwise from Python 3.12 on.
    log_odds = math.fsum(map(float.__mul__, weights, parts_of(position, seat)))
    return max(-_MOST, min(_MOST, math.tanh(log_odds / 2)))


def parts_of(position: Evaluated, seat: Seat) -> EvaluationParts:
    """Return the parts of the evaluation for `seat`, without weights."""
    own, other = (_parts_of_seat(position, each) for each in (seat, Seat(1 - seat)))
    return EvaluationParts(*(one - another for one, another in zip(own, other, strict=True)))


def _parts_of_seat(position: Evaluated, seat: Seat) -> EvaluationParts:
    board, pieces = position.game.board, position.pieces
    men, kings = pieces.men[seat], pieces.kings[seat]
    moves_down = position.game.differences.moves_down(seat)
    rows = board.rows if moves_down else board.rows[::-1]
    empty = board.all & ~(pieces.of(0) | pieces.of(1))
    advanced = sum(number * (men & row).bit_count() for number, row in enumerate(rows))
    all_men = (pieces.men[0] | pieces.men[1]).bit_count()
    return EvaluationParts(
        float(men.bit_count()),
        float(kings.bit_count()),
        float(_steps(board, men, kings, empty, moves_down=moves_down)),
        float((men & rows[0]).bit_count()),
        advanced / (1 + all_men),
    )


def _steps(board: Board, men: Squares, kings: Squares, empty: Squares, *, moves_down: bool) -> int:
    """Return the number of steps of a player's pieces to free neighbouring squares."""
    number = 0
    for by in board.down:
        downwards = kings | men if moves_down else kings
        upwards = kings if moves_down else kings | men
        number += (downwards << by & empty).bit_count() + (upwards >> by & empty).bit_count()
    return number


def material(position: Evaluated, seat: Seat) -> float:
    """Return the lead of `seat` in pieces, a king for two men, as a share of all: -1 to 1."""
    own, other = (
        position.pieces.men[each].bit_count() + 2 * position.pieces.kings[each].bit_count()
        for each in (seat, 1 - seat)
    )
    return (own - other) / (own + other)
