"""The best move that can be found in a time, by exact play where that ends, else by playouts.

A seat aims at, in this order, as large a share in the win as it can get (with `n` joint
winners `1/n`), and to be ahead of the best other. It goes by this::

    do three or more play, and are few lines left?         yes: the best move by max^n
           no
    is something on offer that it costs nothing to take?   yes: take it
           no
    the best move by playouts; for two, if exact play is likely to end, playouts have a part of the
    time, and exact play looks for the first of their moves that wins; if for two it is certain to
    win or to lose, exact play has the rest of the time, to win by more or to lose by less

For two a move that exact play just can't decide in its time gets more of it: there games are won
and lost.

Taking a box that costs nothing is best for two (see `offers`). For three it can be wrong, in a
position of thousands.
"""

import math
import random
from collections.abc import Sequence

from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots.play.estimates import estimate_moves, scores_in_play
from boxroom_engine.games.dots.play.offers import offer_in
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.solve.max_n import MaxNSolver
from boxroom_engine.games.dots.solve.solver import shared_solver
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import Limit

_TRIAL_PART = 0.05
"""The part of its time after which it predicts whether exact play will end."""

_LEAST_NODES, _GROWTH = 0.6, 1.54
"""Median of the nodes of exact play, as it would be without neutral edges and strings, and the
factor by which each of them multiplies it. Measured on boards of 4×7 to 7×7 boxes with and without
borders, where a position has 18 to 44 of them (docs/explanation/benchmarks.md)."""

_MOST_MOVES = 60
"""With more neutral edges and strings, exact play isn't even begun."""

_LONGEST = 5
"""The longest time for a hard move, in multiples of the bot's time.

Few moves of a game are hard, and most take hardly any time: captures, and all moves from where
exact play ends at once. So the average stays below its time (docs/research/expert.md)."""

_NEAR = 30
"""A move is hard if the median of exact play is at most so many times the nodes of its time: exact
play ends with more time, or a few moves later. Until then a game can still be won or lost."""

_SAFE_PART = 0.95
"""The part of a limit that it takes: an answer that comes late is worse than a weaker one."""

_PLAYOUTS_PART = 0.3
"""The part of the time that is left for playouts, at most, where exact play is likely to end.

Exact play tries their best moves first. They have no more time than it is expected to take."""

_MOST_EDGES_FOR_MORE = 9
"""With so many left, max^n takes a fiftieth of a second."""

_MOST_NODES = 1 << 62
"""More than there is ever time for: the time ends the search."""


def best_move(position: Position, time_s: float, limit: Limit, rng: random.Random) -> Move:
    """The best move that is found in `time_s` seconds on average, or before `limit` expires."""
    is_for_two = len(scores_in_play(position)) == 2
    if not is_for_two and (best := _best_for_more(position, limit)):
        return rng.choice(best)
    offer = offer_in(position)
    if offer is not None and offer.decline is None:
        return offer.take
    most_s = _SAFE_PART * limit.left_s()
    usual = Limit(min(time_s, most_s), limit.clock)
    if is_for_two:
        longest = Limit(min(_LONGEST * time_s, most_s), limit.clock)
        return _move_for_two(position, usual, longest, rng)
    return estimate_moves(position, usual.stop, rng)[0].move


def _best_for_more(position: Position, limit: Limit) -> Sequence[Move]:
    """The best moves for own boxes near the end, among three or more; none if there is no time."""
    game = position.game
    undrawn = game.grid.all_drawn & ~position.edges  # `ply` counts seats that withdrew, too
    if undrawn.bit_count() > _MOST_EDGES_FOR_MORE:
        return ()
    solver = MaxNSolver(game.rows, game.cols, len(scores_in_play(position)))
    solved = solver.solve(position, stop=limit.expired)
    return solved.best_moves if solved.exact else ()


def _move_for_two(position: Position, usual: Limit, longest: Limit, rng: random.Random) -> Move:
    """A best move if the search ends in time, else one that wins, else the best that may win.

    The winner is often known before the margin: the rest of the time is for that. A hard move,
    which exact play just can't decide, has the longest time.
    """
    own, other = scores_in_play(position)
    goal = other - own + 1
    move, whole, expected_s = None, usual, math.inf  # the seconds that exact play may take
    expected = expected_nodes(position)
    if expected < math.inf:
        first = _solved(position, goal, Limit(usual.budget_s * _TRIAL_PART, usual.clock))
        move = _sure_move(first, goal)
        if first.exact and move is not None:
            return move
        node_s = usual.budget_s * _TRIAL_PART / max(first.nodes, 1)
        expected_s = expected * node_s
        if move is None and expected_s <= _NEAR * usual.budget_s:
            whole = longest
    is_likely_to_end = expected_s <= whole.budget_s
    if move is None:
        limit = whole
        if is_likely_to_end:
            limit = Limit(min(expected_s, whole.left_s() * _PLAYOUTS_PART), whole.clock)
        estimates = estimate_moves(position, limit.stop, rng)
        move = estimates[0].move
        if is_likely_to_end:
            move = first_reaching(position, [each.move for each in estimates], goal, whole)
        if whole.expired():
            return move
    last = _sure_move(_solved(position, goal, whole), goal)
    return move if last is None else last


def first_reaching(position: Position, moves: Sequence[Move], goal: int, limit: Limit) -> Move:
    """The first of `moves` after which the player's margin to come is at least `goal`.

    If `limit` expires before that is known of one, it is the first that may be such a move; if none
    is, the first of all.
    """
    solver, own = shared_solver(position.game.grid.rows, position.game.grid.cols), position.to_move
    assert own is not None
    for move in moves:
        after = position.play(move)
        left = goal - (after.scores[own] - position.scores[own])
        stays = after.to_move == own
        asked = left if stays else 1 - left
        found = solver.bounded(after.edges, asked, _MOST_NODES, limit.stop)
        if not found.exact or (found.least >= asked) == stays:
            return move
    return moves[0]


def _sure_move(solved: Solved[int], goal: int) -> Move | None:
    """A best move, or one by which `goal` is reached for certain, if such a move is known.

    Where the goal is reached whatever is played, a search that is stopped may know of none.
    """
    is_sure = solved.exact or solved.least >= goal
    return solved.best_moves[0] if is_sure and solved.best_moves else None


def _solved(position: Position, goal: int, limit: Limit) -> Solved[int]:
    """The result of exact play until `limit` expires; asked first is whether `goal` is reached."""
    grid = position.game.grid
    solver = shared_solver(grid.rows, grid.cols)
    return solver.solve(position.edges, moves=False, first_goal=goal, stop=limit.stop)


def expected_nodes(position: Position) -> float:
    """The nodes of exact play, in the median of positions with as many moves that differ.

    A neutral edge is one of them, and so is a string: all its edges open it. With too many it is
    infinite.
    """
    parts = parts_of(position)
    moves = len(parts.neutral) + len(parts.strings)
    return _LEAST_NODES * _GROWTH**moves if moves <= _MOST_MOVES else math.inf
