"""The value of a position of Dots and Boxes: by exact search, or estimated by playouts."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from boxroom_client.gametree.solving import EXACT_PART, Effort, best_moves_sentence
from boxroom_client.shell.output.wording import margin
from boxroom_client.signals import watched
from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.play.estimates import MoveEstimate, estimate_moves
from boxroom_engine.games.dots.solve.max_n import MaxNSolver, SolvedForAll
from boxroom_engine.games.dots.solve.result import Solved
from boxroom_engine.games.dots.solve.solver import Solver, solver_for
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.stopping import StopToken
from boxroom_engine.wording import listed

_SMALL_EDGES = 31
"""The edges of 3×4 boxes. Their search needs no more than a small table.

Entries are scattered over a table, so all of its memory is in use at once.
"""

_SMALL_TABLE_BYTES = 1 << 26

_FIRST_SLICE_S = 1.0
"""Seconds after which a search that shows its progress is interrupted to see what is known."""

_SEED = 0
"""Seed of the playouts, so that the same position gets a similar estimate each time."""


@dataclass(frozen=True, slots=True)
class DotsResult:
    """A `SolveResult` with the solver's bounds, and an estimate if the value isn't known.

    Values are margins to come for two players, and boxes to come, one number a seat, for any other
    number. An unknown value is an estimate for two, and None for more.
    """

    position: Position
    solved: Solved | SolvedForAll
    thought: MoveEstimate | None = None
    playouts: int = 0

    @property
    def exact(self) -> bool:
        """Whether the value and all best moves are known."""
        return self.solved.exact

    @property
    def nodes(self) -> int:
        """Number of positions searched."""
        return self.solved.nodes

    @property
    def value(self) -> float | tuple[int, ...] | None:
        """The value, or an estimate."""
        if self.thought is not None:
            return round(self.thought.margin, 2)
        return self.solved.value if self.solved.least == self.solved.most else None

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The best moves, or those that seem best."""
        return self.solved.best_moves if self.thought is None else (self.thought.move,)

    def bounds(self) -> dict[str, object]:
        """Return the proven bounds of the value, and the number of playouts."""
        least, most = self.solved.least, self.solved.most
        return {"least": least, "most": most, "playouts": self.playouts}

    def sentences(self) -> Iterator[str]:
        game, solved = self.position.game, self.solved
        moves = [game.format_move(move) for move in self.best_moves]
        yield _value_text(self.position, solved)
        if solved.exact:
            yield best_moves_sentence(moves)
        elif self.thought is not None:
            yield (
                f"An estimate: about {margin(round(self.thought.margin))}, and {listed(moves)}"
                f" seems best, after {self.playouts:,} playouts."
            )
        elif moves:
            yield f"As good as any that was looked at: {listed(moves)}."


def solve_dots(position: State, effort: Effort) -> DotsResult:
    """Return the value of `position`, or an estimate if `effort` is too little."""
    assert isinstance(position, Position)
    in_play = position.game.seats - len(position.withdrawn)
    return _solve(position, effort) if in_play == 2 else _solve_for_all(position, in_play, effort)


def _solve_for_all(position: Position, in_play: int, effort: Effort) -> DotsResult:
    game = position.game
    search = MaxNSolver(game.rows, game.cols, in_play, effort.memory_bytes)
    stop = effort.stop(1, lambda: "searching for the boxes of each player")
    return DotsResult(position, search.solve(position, stop=stop))


def _solve(position: Position, effort: Effort) -> DotsResult:
    """Return the value for two, or an estimate, for which a part of the time is reserved."""
    game = position.game
    is_small = game.grid.edges <= _SMALL_EDGES
    memory_bytes = effort.memory_bytes
    table_bytes = min(memory_bytes, _SMALL_TABLE_BYTES) if is_small else memory_bytes
    solver = solver_for(game.rows, game.cols, table_bytes)
    solved = _search(position, solver, effort)
    if effort.limit_s is None or solved.least == solved.most or effort.is_interrupted():
        return DotsResult(position, solved)
    stop = StopToken(lambda: effort.left_s(1))
    thoughts = watched(
        lambda: estimate_moves(position, stop, random.Random(_SEED), solver=solver),
        stop,
        effort.stop(1, lambda: "too long to search: estimating by playouts"),
    )
    return DotsResult(position, solved, thoughts[0], sum(thought.visits for thought in thoughts))


def _search(position: Position, solver: Solver, effort: Effort) -> Solved:
    """Search within the part of the time for exact play.

    A search that shows its progress is stopped after 1 s, 2 s, 4 s and so on to see its bounds. As
    the solver remembers what it has learnt, it soon gets back to where it was.
    """
    nodes, known, slice_s = 0, "", math.inf if effort.show is None else _FIRST_SLICE_S
    stop = StopToken(lambda: effort.left_s(EXACT_PART))
    is_over = effort.stop(EXACT_PART, lambda: f"{nodes + stop.nodes:,} positions{known}")
    while True:
        until_s = effort.elapsed_s + slice_s
        slice_stop = stop.within(partial(_left_s, effort, until_s))
        solved = watched(partial(solver.solve, position.edges, stop=slice_stop), stop, is_over)
        is_last = solved.exact or is_over() or effort.elapsed_s < until_s
        nodes, slice_s = nodes + solved.nodes, 2 * slice_s
        if is_last:
            return replace(solved, nodes=nodes)
        known = f"; the margin is {margin(solved.least)} to {margin(solved.most)}"


def _left_s(effort: Effort, until_s: float) -> float:
    return until_s - effort.elapsed_s


def _value_text(position: Position, solved: Solved | SolvedForAll) -> str:
    """Return the value, or its bounds, as a sentence."""
    who = f"player {(position.to_move or 0) + 1}, who is to move"
    match solved:
        case Solved() if solved.least == solved.most:
            return f"{margin(solved.value)} for {who}: boxes from here on, less the opponent's."
        case Solved(least=least, most=most):
            return (
                f"Between {margin(least)} and {margin(most)} for {who}:"
                " the search ended before it was known exactly."
            )
        case SolvedForAll(least=(boxes,)):
            return f"A single player gets all boxes from here on, in whatever order: {boxes}."
        case SolvedForAll() if solved.least == solved.most:
            shares = (
                f"{boxes} for {who if seat == position.to_move else f'player {seat + 1}'}"
                for seat, boxes in enumerate(solved.value)
            )
            return f"Boxes from here on, if all play for their own: {listed(shares)}."
        case SolvedForAll(least=least, most=most):
            return (
                f"At least {max(least)} of the {max(most)} boxes to come for {who}:"
                " the search ended before it was known exactly."
            )
        case _:
            assert_never(solved)
