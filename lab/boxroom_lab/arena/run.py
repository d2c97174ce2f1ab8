"""A run of a contest: its games in worker processes, and the whole of its results."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from boxroom_common.version import VERSION
from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.running_game import Result, RunningGame, VoidGame
from boxroom_engine.arena.summary import Summary, summarise
from boxroom_lab.arena.workers import Workers, WorkerStartError

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
    void: tuple[VoidGame, ...] = ()
    """The games that don't count."""

    @classmethod
    def of(
        cls, contest: Contest, played: Sequence[Result | VoidGame], jobs: int, seconds: float
    ) -> "ArenaRun":
        """Return the run in which these games were played, in any order."""
        results = [each for each in played if isinstance(each, Result)]
        void = [each for each in played if isinstance(each, VoidGame)]
        void.sort(key=lambda each: each.match.number)
        summary = summarise(len(contest.bots), results)
        return cls(contest, summary, jobs, seconds, VERSION, tuple(void))

    @property
    def is_whole(self) -> bool:
        """Whether all games were played, or are void."""
        return self.summary.games + len(self.void) == self.contest.total


def play_games(
    contest: Contest, workers: Workers, stop: Callable[[], bool]
) -> Iterator[Result | VoidGame]:
    """Yield the result of every game as soon as it is over or void, until `stop` returns True.

    Raises:
        WorkerStartError: no process can start.
    """
    waiting = contest.games_to_play()
    # Games whose process has ended a segment early, because of a fault.
    interrupted: deque[RunningGame] = deque()
    while not stop():
        while workers.has_room:
            game = interrupted.popleft() if interrupted else next(waiting, None)
            if game is None:
                break
            try:
                workers.start_game(game)
            except WorkerStartError as error:
                if not workers.have_started:
                    raise
                yield VoidGame(game.match, str(error))
        if workers.is_idle:
            return
        for game, segment in workers.finished_segments(POLL_S):
            if segment.void is not None:
                yield VoidGame(game.match, segment.void)
                continue
            game.add(segment)
            if game.state.is_over:
                yield game.result()
            else:
                interrupted.append(game)
