"""A run of a contest: its games in worker processes, and the whole of its results."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from boxroom_client.arena.workers import Workers
from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.running_game import Result, RunningGame
from boxroom_engine.arena.summary import Summary

POLL_S = 0.05
"""Interval of the checks for bots that hang, and of the check of `stop`."""


@dataclass(frozen=True, slots=True)
class ArenaRun:
    """A finished or interrupted run, the source of the text and of the JSON object."""

    contest: Contest
    summary: Summary
    jobs: int
    seconds: float
    version: str

    @property
    def is_whole(self) -> bool:
        """Whether all games were played."""
        return self.summary.games == self.contest.total


def play_games(contest: Contest, workers: Workers, stop: Callable[[], bool]) -> Iterator[Result]:
    """Yield the result of every game as soon as it is over, until `stop` returns True.

    Raises:
        WorkerStartError: a process died before it was ready.
    """
    waiting = contest.games_to_play()
    # Games whose process has ended a segment early, because of a fault.
    interrupted: deque[RunningGame] = deque()
    while not stop():
        while workers.has_room:
            game = interrupted.popleft() if interrupted else next(waiting, None)
            if game is None:
                break
            workers.start_game(game)
        if workers.is_idle:
            return
        for game, segment in workers.finished_segments(POLL_S):
            game.add(segment)
            if game.state.is_over:
                yield game.result()
            else:
                interrupted.append(game)
