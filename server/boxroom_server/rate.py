"""How fast a connection may talk."""

from collections.abc import Callable


class TokenBucket:
    """Allows `burst` messages at once and `per_s` a second on average.

    It looks at the clock only when it is empty, which is next to never.
    """

    def __init__(self, per_s: float, burst: int, now_s: Callable[[], float]) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now_s = now_s
        self._tokens = float(burst)
        self._filled_s = now_s()

    def take(self) -> bool:
        """Take one token, if there is one; debts grow, so that who never stops shows."""
        self._tokens -= 1
        if self._tokens < 0:
            self._fill()
        return self._tokens >= 0

    def _fill(self) -> None:
        now_s = self._now_s()
        earned = (now_s - self._filled_s) * self._per_s
        self._tokens = min(self._burst - 1, self._tokens + earned)
        self._filled_s = now_s

    @property
    def is_flooded(self) -> bool:
        """Whether the messages refused since the last pause fill another burst."""
        return self._tokens < -self._burst
