"""A clock that goes on by what a solver does, so that its time is the same on every machine."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots.play import estimates, perfect, strongest
from boxroom_engine.games.dots.solve.result import PlayoutBranch
from boxroom_engine.games.dots.solve.solver import KernelSolver
from boxroom_engine.stopping import StopToken

_NODES, _PLAYOUTS = 1024, 4
"""Positions, or playouts, in one step of the clock."""


class SimulatedClock:
    """A clock in seconds that goes on by `step_s` with each look, and step of a solver."""

    def __init__(self, step_s: float) -> None:
        self.step_s = step_s
        self.now_s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        self.now_s += self.step_s
        return self.now_s


class SimulatedSolver(KernelSolver):
    """The kernel, which takes the time of a clock instead of its own.

    It forgets what it has learnt, so that each search takes as long as the same one before.
    """

    def __init__(self, rows: int, cols: int, clock: SimulatedClock) -> None:
        super().__init__(rows, cols)
        self._clock = clock

    def solve(
        self,
        drawn: int,
        *,
        moves: bool = True,
        first_goal: int | None = None,
        most_nodes: int = 1 << 62,
        stop: StopToken | None = None,
    ) -> Solved[int]:
        """Search as many positions as there is time for."""
        most_nodes = min(most_nodes, self._most(stop, _NODES))
        solved = super().solve(drawn, moves=moves, first_goal=first_goal, most_nodes=most_nodes)
        self._clock.now_s += solved.nodes / _NODES * self._clock.step_s
        return solved

    def bounded(
        self, drawn: int, goal: int, most_nodes: int, stop: StopToken | None = None
    ) -> Solved[int]:
        """Search as many positions as there is time for."""
        bounds = super().bounded(drawn, goal, min(most_nodes, self._most(stop, _NODES)))
        self._clock.now_s += bounds.nodes / _NODES * self._clock.step_s
        return bounds

    def run_playouts(
        self,
        drawn: int,
        scores: Sequence[int],
        *,
        declinable: int,
        playouts: int,
        seed: int,
        stop: StopToken | None = None,
    ) -> tuple[PlayoutBranch, ...]:
        """Run as many playouts as there is time for, and a step of them at least."""
        most = min(playouts, self._most(stop, _PLAYOUTS))
        branches = super().run_playouts(
            drawn, scores, declinable=declinable, playouts=most, seed=seed
        )
        visits = sum(branch.visits for branch in branches)
        self._clock.now_s += visits / _PLAYOUTS * self._clock.step_s
        return branches

    def _most(self, stop: StopToken | None, in_a_step: int) -> int:
        """Return how much there is time for, if the time is looked at after each step."""
        left_s = math.inf if stop is None else stop.left_s()
        self._clock.now_s -= self._clock.step_s  # that look was the one after the first step
        return in_a_step * (1 + math.ceil(min(max(left_s / self._clock.step_s, 0.0), 1e12)))


@contextmanager
def simulated_time(step_s: float) -> Iterator[SimulatedClock]:
    """Let bots use a new `SimulatedSolver` each time, by the clock that the context yields."""
    clock = SimulatedClock(step_s)

    def solver(rows: int, cols: int) -> KernelSolver:
        return SimulatedSolver(rows, cols, clock)

    with pytest.MonkeyPatch.context() as patch:
        for module in (strongest, estimates, perfect):
            patch.setattr(module, "shared_solver", solver)
        yield clock
