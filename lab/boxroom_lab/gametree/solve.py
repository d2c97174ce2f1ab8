"""The value of a position and its best moves: by exact search, or estimated by playouts."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from boxroom_client.shell.output.wording import margin
from boxroom_client.signals import watched
from boxroom_engine.games.abilities import EstimatedMove, PositionSolver, Solved
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.exact import ExactSearch
from boxroom_engine.stopping import StopToken
from boxroom_engine.wording import listed
from boxroom_lab.gametree.effort import Effort

_EXACT_PART = 0.75
"""The part of a time limit for exact search; the rest is for an estimate."""

_FIRST_SLICE_S = 1.0
"""Seconds after which a search that shows its progress is interrupted to see what is known."""

_SEED = 0
"""Seed of the playouts, so that the same position gets a similar estimate each time."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The value and the best moves of a position, or an estimate if there wasn't enough time."""

    state: State
    solved: Solved[Any]
    estimated: EstimatedMove | None = None

    @property
    def exact(self) -> bool:
        """Whether the value and all best moves are known."""
        return self.solved.exact

    @property
    def value(self) -> float | tuple[float, ...] | None:
        """For two in play the value for the seat to move, else one a seat; None: unknown."""
        if self.estimated is not None and self.estimated.value is not None:
            return round(self.estimated.value, 2)
        return self.solved.value if self.solved.least == self.solved.most else None

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The best moves, or those that seem best, ascending."""
        return self.solved.best_moves if self.estimated is None else (self.estimated.move,)

    def as_json(self) -> dict[str, object]:
        """Return the fields of a JSON object; if the value isn't known, with its bounds."""
        fields: dict[str, object] = {
            "exact": self.exact,
            "value": self.value,
            "best_moves": [self.state.game.format_move(move) for move in self.best_moves],
            "nodes": self.solved.nodes,
        }
        if self.exact:
            return fields
        return fields | {
            "least": _finite(self.solved.least),
            "most": _finite(self.solved.most),
            "playouts": 0 if self.estimated is None else self.estimated.playouts,
        }

    def sentences(self) -> Iterator[str]:
        """Yield the solution as sentences, one for each line."""
        yield _known_text(self.state, self.solved)
        if not self.best_moves:
            return
        moves = listed(self.state.game.format_move(move) for move in self.best_moves)
        if self.exact:
            count = len(self.best_moves)
            yield f"The {'best move is' if count == 1 else f'{count} best moves are'} {moves}."
        elif self.estimated is None:
            yield f"As good as any that was looked at: {moves}."
        else:
            value, playouts = self.estimated.value, self.estimated.playouts
            about = "" if value is None else f"about {margin(round(value, 1))}, and "
            yield f"An estimate: {about}{moves} seems best, after {playouts:,} playouts."


def solve(state: State, effort: Effort) -> Solution:
    """Return the value of `state` by the best solver for its game.

    If `effort` has a limit, a part of the time is reserved for an estimate.
    """
    make_solver = state.game.kind.abilities.solver or ExactSearch
    solver = make_solver(state, effort.memory_bytes)
    solved = _search(state, solver, effort)
    if effort.limit_s is None or solved.least == solved.most or effort.is_interrupted():
        return Solution(state, solved)
    stop = StopToken(lambda: effort.left_s(1))
    estimated = watched(
        lambda: solver.estimate(stop, random.Random(_SEED)),
        stop,
        effort.stop(1, lambda: "too long to search: estimating by playouts"),
    )
    return Solution(state, solved, estimated)


def _search(state: State, solver: PositionSolver, effort: Effort) -> Solved[Any]:
    """Search within the part of the time for exact play.

    A search that shows its progress is stopped after 1 s, 2 s, 4 s and so on to see its bounds. As
    the solver remembers what it has learnt, it soon gets back to where it was.
    """
    nodes, known, slice_s = 0, "", math.inf if effort.show is None else _FIRST_SLICE_S
    stop = StopToken(lambda: effort.left_s(_EXACT_PART))
    is_over = effort.stop(_EXACT_PART, lambda: f"{nodes + stop.nodes:,} positions{known}")
    while True:
        until_s = effort.elapsed_s + slice_s
        slice_stop = stop.within(partial(_left_s, effort, until_s))
        solved = watched(partial(solver.search, slice_stop), stop, is_over)
        is_last = solved.exact or is_over() or effort.elapsed_s < until_s
        nodes, slice_s = nodes + solved.nodes, 2 * slice_s
        if is_last:
            return replace(solved, nodes=nodes)
        known = f"; the value is {_bounds_text(state, solved)}"


def _left_s(effort: Effort, until_s: float) -> float:
    return until_s - effort.elapsed_s


def _known_text(state: State, solved: Solved[Any]) -> str:
    """Return the value, or its bounds, as a sentence."""
    mover = f"player {_to_move(state) + 1}, who is to move"
    if solved.least != solved.most:
        bounds = f"{_bounds_text(state, solved)} for {mover}".capitalize()
        return f"{bounds}: the search ended before it was known exactly."
    kind, value = state.game.kind, solved.value
    counted = kind.prize[1] if kind.prize and kind.abilities.solver else None
    if isinstance(value, tuple):
        shares = listed(
            f"{margin(each) if counted is None else each}"
            f" for {mover if seat == state.to_move else f'player {seat + 1}'}"
            for seat, each in enumerate(value)
        )
        what = f"{counted.capitalize()} from here on" if counted else "The scores at the end"
        return f"{what}, if all play for themselves: {shares}."
    if counted:
        return f"{margin(value)} for {mover}: {counted} from here on, less the opponent's."
    result = "a win" if value > 0 else "a loss" if value < 0 else "a draw"
    return f"{margin(value)}, {result}, for {mover}."


def _bounds_text(state: State, solved: Solved[Any]) -> str:
    """Return the bounds of the value for the seat to move."""
    least, most = solved.least, solved.most
    if isinstance(least, tuple):
        least, most = least[_to_move(state)], most[_to_move(state)]
    if math.isfinite(most):
        return f"between {margin(least)} and {margin(most)}"
    return f"at least {margin(least)}" if math.isfinite(least) else "not yet known"


def _to_move(state: State) -> Seat:
    assert state.to_move is not None
    return state.to_move


def _finite(bound: Any) -> Any:
    """Return a bound as JSON has it: null where nothing is known."""
    if isinstance(bound, tuple):
        return [_finite(each) for each in bound]
    return bound if math.isfinite(bound) else None
