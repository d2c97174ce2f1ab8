"""Games through the processes, one result after the other."""

from collections import deque
from collections.abc import Callable, Iterator

from boxroom_client.arena.workers import Workers
from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.course import Course, Result

POLL_S = 0.05
"""So often somebody looks whether a bot hangs, or whether to stop."""


def results(contest: Contest, workers: Workers, stop: Callable[[], bool]) -> Iterator[Result]:
    """Every game as soon as it is over, in whatever order; none any more once `stop` says so.

    Raises:
        CantStart: see there.
    """
    courses = contest.courses()
    interrupted: deque[Course] = deque()
    """Games that somebody had to give up and others go on with."""
    while not stop():
        while workers.has_room:
            course = interrupted.popleft() if interrupted else next(courses, None)
            if course is None:
                break
            workers.give(course)
        if workers.is_idle:
            return
        for course, leg in workers.legs(POLL_S):
            course.follow(leg)
            if course.state.is_over:
                yield course.result()
            else:
                interrupted.append(course)
