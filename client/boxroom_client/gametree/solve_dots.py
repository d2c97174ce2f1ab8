"""The value of a position of Dots and Boxes: by exact search, or estimated by playouts."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from boxroom_client.gametree.solving import EXACT_PART, best_moves_sentence, stop_after
from boxroom_client.shell.output.wording import margin
from boxroom_engine.bots.estimates import MoveEstimate, estimate_moves
from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.solve.max_n import MaxNSolver, SolvedForAll
from boxroom_engine.games.dots.solve.result import Solved
from boxroom_engine.games.dots.solve.solver import SLOW_ENGINE, solver_for
from boxroom_engine.games.protocol import Move
from boxroom_engine.wording import listed

_SMALL_EDGES = 31
"""The edges of 3×4 boxes. A search of a larger board gets a large table.

Entries are scattered over a table, so all of its memory is in use at once.
"""

_SMALL_TABLE_BYTES = 1 << 26
_LARGE_TABLE_BYTES = 1 << 30

_SEED = 0
"""Seed of the playouts, so that the same position gets a similar estimate each time."""


@dataclass(frozen=True, slots=True)
class DotsResult:
    """A `SolveResult` with the solver's bounds, and an estimate if the value isn't known.

    Values are margins to come for two players, and boxes to come, one number a seat, for more. An
    unknown value is an estimate for two, and None for more.
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
        """See `SolveResult`."""
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
        if SLOW_ENGINE is not None and isinstance(solved, Solved):
            yield SLOW_ENGINE


def solve_dots(position: Position, limit_s: float | None) -> DotsResult:
    """Return the value of `position`, or an estimate if `limit_s` is too short."""
    if position.game.seats > 2:
        return _solve_for_all(position, limit_s)
    return _solve(position, limit_s)


def _solve_for_all(position: Position, limit_s: float | None) -> DotsResult:
    game = position.game
    search = MaxNSolver(game.rows, game.cols, game.seats, _LARGE_TABLE_BYTES)
    return DotsResult(position, search.solve(position, stop=stop_after(limit_s)))


def _solve(position: Position, limit_s: float | None) -> DotsResult:
    """Return the value for two, or an estimate, for which a part of the time is reserved."""
    game = position.game
    is_small = game.grid.edges <= _SMALL_EDGES
    solver = solver_for(
        game.rows, game.cols, _SMALL_TABLE_BYTES if is_small else _LARGE_TABLE_BYTES
    )
    exact_s = None if limit_s is None else limit_s * EXACT_PART
    solved = solver.solve(position.edges, stop=stop_after(exact_s))
    if limit_s is None or solved.least == solved.most:
        return DotsResult(position, solved)
    stop = stop_after(limit_s * (1 - EXACT_PART))
    thoughts = estimate_moves(position, stop, random.Random(_SEED), solver=solver)
    return DotsResult(position, solved, thoughts[0], sum(thought.visits for thought in thoughts))


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
