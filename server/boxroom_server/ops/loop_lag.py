"""Event-loop lag: the delay of scheduled calls, measured once a second."""

import logging
from collections.abc import Callable

from boxroom_server.clock import Cancellable, Clock
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Histogram

logger = logging.getLogger(__name__)

PERIOD_S = 1.0
"""Time between two measurements, each of which costs a few microseconds."""

WARNING_S = 1.0
"""Lag that is logged: players notice it."""


class LagMeter:
    """A periodic timer that observes in `lag` how late each of its calls is.

    `now_s` is a monotonic clock.
    """

    def __init__(self, clock: Clock, now_s: Callable[[], float], lag: Histogram) -> None:
        self._clock = clock
        self._now_s = now_s
        self._lag = lag
        self._due_s = 0.0  # when the next call should come
        self._timer: Cancellable | None = None  # None when stopped

    def start(self) -> None:
        """Measure until `stop`."""
        self._due_s = self._now_s() + PERIOD_S
        self._timer = self._clock.call_later(PERIOD_S, self._measure)

    def _measure(self) -> None:
        late_s = max(0.0, self._now_s() - self._due_s)
        self._lag.observe(late_s)
        if late_s >= WARNING_S:
            logger.warning("the event loop was held up", extra=fields(seconds=late_s))
        self.start()

    def stop(self) -> None:
        """Stop measuring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
