"""How late the event loop comes to what is due: everything that a server does waits for that."""

import logging
from collections.abc import Callable

from boxroom_server.clock import Cancellable, Clock
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Histogram

logger = logging.getLogger(__name__)

PERIOD_S = 1.0
"""How often the loop is looked at, which costs a few microseconds."""

TOO_LATE_S = 1.0
"""Players notice by then: an operator wants to know."""


class LagMeter:
    """Has itself called again and again, and observes in `lag` by how much that was too late.

    `now_s` are the seconds of any clock that nobody sets.
    """

    def __init__(self, clock: Clock, now_s: Callable[[], float], lag: Histogram) -> None:
        self._clock = clock
        self._now_s = now_s
        self._lag = lag
        self._due_s = 0.0
        self._timer: Cancellable | None = None

    def start(self) -> None:
        """Go on until `stop`."""
        self._due_s = self._now_s() + PERIOD_S
        self._timer = self._clock.call_later(PERIOD_S, self._look)

    def _look(self) -> None:
        late_s = max(0.0, self._now_s() - self._due_s)
        self._lag.observe(late_s)
        if late_s >= TOO_LATE_S:
            logger.warning("the event loop was held up", extra=fields(seconds=late_s))
        self.start()

    def stop(self) -> None:
        """Don't look any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
