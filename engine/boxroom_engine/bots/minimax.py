"""`minimax`: a bot that plays perfectly as soon as it can search to the end.

Two in play at Dots and Boxes: the solver for all that it can search in its time, which on 5×5 is
from about half the game on; chains and loops alone, and what can be taken at no cost, without any
search. Else: max^n to the end of the game, when few moves are left, or the game has few positions.

Where neither gets to the end, it plays as `chain:max_ply=10` does, or as `greedy` in other games.
Searches that can't end in time, as far as is known before, aren't begun.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.options import BotOption, DecimalOption, Value
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.play.neutral_search import can_stay_neutral
from boxroom_engine.games.dots.play.offers import offer_in
from boxroom_engine.games.dots.solve.solver import KernelSolver, Solver, shared_solver
from boxroom_engine.games.dots.theory.endgame import best_endgame_moves, is_endgame
from boxroom_engine.games.protocol import GameKind, Move, Seat, State
from boxroom_engine.search.max_n import MaxNSearch
from boxroom_engine.search.random_replies import most_promising_moves
from boxroom_engine.stopping import Limit, SearchStopped

_TIME = DecimalOption(
    "time", "seconds that it searches for a perfect move", default=0.5, least=0.01, most=60
)
_CHAIN = ChainBot(max_ply=10)
"""The bot that plays otherwise: where the solver fails the end isn't far, so it looks ahead."""

_SHARE = 0.75
"""Of the limit for a move it searches no longer than this part, so that `chain` has some too."""

_NEUTRAL_MOVES_IN_A_SECOND = 14
"""With more of them to come, the kernel solves hardly a position of 4×4 or 5×5 in a second. With
two more it takes about ten times as long."""

_FEWER_WITHOUT_KERNEL = 5
"""The solver in Python gets as far with so many less."""

_MOST_EDGES_WITHOUT_KERNEL = 128
"""On larger boards the solver in Python may not notice in time that it is to stop."""

MOST_MOVES_FOR_MAX_N = 9
"""Noughts and crosses 3×3 has no more, and Dots and Boxes for three takes half a second with them;
with two more, ten times that."""

_MOST_MOVES_TRIED = 100
"""With more of them no search to the end is tried in other games than Dots and Boxes."""

_FEW_PLAYS = 20_000
"""A search that is only tried plays about so many moves, which takes a tenth of a second. That is
enough for a game with few positions however long it is, such as Subtract Square."""


@dataclass(frozen=True, slots=True)
class MinimaxBot:
    """`minimax`: can't be beaten once it sees to the end."""

    time: float = _TIME.default

    name = "minimax"
    strength = 14
    description = "plays perfectly as soon as it sees to the end"
    options: ClassVar[tuple[BotOption, ...]] = (_TIME,)

    def with_options(self, chosen: Mapping[str, Value]) -> "MinimaxBot":
        """The one with this `time`."""
        return MinimaxBot(float(chosen[_TIME.name]))

    def supports(self, kind: GameKind) -> bool:
        """Every game."""
        return True

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """A perfect move if one is found in time, of several the best against replies at random."""
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        search_s = min(self.time, _SHARE * limit.budget_s)
        search_limit = Limit(search_s, limit.clock)
        if isinstance(state, Position) and state.game.seats - len(state.withdrawn) == 2:
            perfect = _perfect_for_two(state, search_limit)
        else:
            perfect = _perfect_for_each(state, search_limit)
        return rng.choice(perfect) if perfect else _otherwise(state).choose(state, limit, rng)


def _perfect_for_two(position: Position, limit: Limit) -> Sequence[Move]:
    """Perfect moves, though not always all of them; none if there isn't the time."""
    if is_endgame(position):
        return best_endgame_moves(position)
    offer = offer_in(position)
    if offer is not None and offer.decline is None:
        return [offer.take]
    solver = _solver_for(position, limit.budget_s)
    if solver is None:
        return []
    solved = solver.solve(position.edges, stop=limit.stop)
    if solved.least != solved.most:
        return []
    # If it was stopped after it knew the value, there are perfect moves too, though not all.
    values = dict.fromkeys(solved.best_moves, float(solved.value))
    value = partial(_margin_at_end, solver, limit)
    return most_promising_moves(position, values, value, limit.expired, most_replies=1)


def _margin_at_end(solver: Solver, limit: Limit, state: State, seat: Seat) -> float:
    """The boxes by which `seat` is ahead of the other at the end.

    Raises:
        SearchStopped: there is no time.
    """
    assert isinstance(state, Position)
    solved = solver.solve(state.edges, moves=False, stop=limit.stop)
    if solved.least != solved.most:
        raise SearchStopped
    return state.evaluate(seat) + (solved.value if state.to_move == seat else -solved.value)


def _solver_for(position: Position, time_s: float) -> Solver | None:
    """The solver, or None if it is known at once that it won't end in so many seconds."""
    if not time_s:
        return None
    moves = _NEUTRAL_MOVES_IN_A_SECOND + 2 * math.log10(time_s)
    if can_stay_neutral(position, moves):
        return None
    grid = position.game.grid
    solver = shared_solver(grid.rows, grid.cols)
    if isinstance(solver, KernelSolver):
        return solver
    is_small = grid.edges <= _MOST_EDGES_WITHOUT_KERNEL
    is_near = not can_stay_neutral(position, moves - _FEWER_WITHOUT_KERNEL)
    return solver if is_small and is_near else None


def _perfect_for_each(state: State, limit: Limit) -> Sequence[Move]:
    """The moves with which the seat to move ends best; none if there is no time."""
    left, most_positions = state.game.longest - state.ply, math.inf
    if left > MOST_MOVES_FOR_MAX_N:
        if isinstance(state, Position) or left > _MOST_MOVES_TRIED:
            return []
        most_positions = _FEW_PLAYS / len(state.legal_moves())
    search = MaxNSearch(lambda: limit.expired() or search.positions > most_positions)
    try:
        values = search.values_of_moves(state)
        return most_promising_moves(state, values, search.value, limit.expired)
    except (SearchStopped, RecursionError):
        return []


def _otherwise(state: State) -> Bot:
    """The bot that plays where nothing perfect is found."""
    return _CHAIN if _CHAIN.supports(state.game.kind) else GreedyBot()
