"""Review of a game that is over, in a thread: the shell goes on meanwhile."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence

from boxroom_common.kernel.use import use_when_built
from boxroom_engine.games.protocol import State
from boxroom_engine.review.review import Finding, Review, Reviewing
from boxroom_engine.stopping import StopToken

_POSITION_S = 2.0
"""Seconds for a position at most; earlier positions would take longer still."""


class BackgroundReview:
    """The review of the game that went through `positions`, until `stop` is met.

    It must be one that can be reviewed (`obstacle_to_review`).
    """

    def __init__(self, positions: Sequence[State], stop: StopToken) -> None:
        use_when_built()
        game = positions[0].game
        make_judge = game.kind.abilities.judge
        assert make_judge is not None, "else it can't be reviewed"
        judge = make_judge(game, _POSITION_S, stop, time.monotonic)
        self._reviewing = Reviewing(positions, judge)

    async def findings(self) -> AsyncIterator[Finding]:
        """Yield the costly moves as they are found, from the end to the beginning."""
        found = self._reviewing.findings()
        while (finding := await asyncio.to_thread(next, found, None)) is not None:
            yield finding

    def result(self) -> Review:
        """Return what has been found so far."""
        return self._reviewing.result()
