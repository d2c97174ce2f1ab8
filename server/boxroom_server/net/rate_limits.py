"""Rate limits as token buckets: for the messages of a connection, and for actions by key."""

from collections import OrderedDict
from collections.abc import Callable, Hashable


class TokenBucket:
    """A limit of `burst` messages at once and `per_s` a second on average.

    Refused messages cost tokens too, so that a client that never pauses shows as flooding. The
    clock is read only when the bucket is empty, which is next to never.
    """

    __slots__ = ("_burst", "_now_s", "_per_s", "_refilled_s", "_tokens")

    def __init__(self, per_s: float, burst: int, now_s: Callable[[], float]) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now_s = now_s
        self._tokens = float(burst)  # below 0 by the messages refused since the last refill
        self._refilled_s = now_s()  # when earned tokens were added last

    def take(self, tokens: float = 1.0) -> bool:
        """Take tokens and return whether there were as many; debts grow."""
        left = self._tokens = self._tokens - tokens
        if left >= 0.0:
            return True
        self._refill(tokens)
        return self._tokens >= 0

    def _refill(self, taken: float) -> None:
        now_s = self._now_s()
        earned = (now_s - self._refilled_s) * self._per_s
        self._tokens = min(self._burst - taken, self._tokens + earned)
        self._refilled_s = now_s

    @property
    def is_flooded(self) -> bool:
        """Whether the messages refused since the last pause fill another burst."""
        return self._tokens < -self._burst


class RateLimiter:
    """A limit of `burst` actions at once and `per_s` a second; refused ones cost nothing.

    So a client that tries again and again still gets its rate.
    """

    def __init__(self, per_s: float, burst: int, now_s: Callable[[], float]) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now_s = now_s
        self._tokens = float(burst)
        self._refilled_s = now_s()  # when earned tokens were added last

    def take(self) -> bool:
        """Take one token if there is one, and return whether there was."""
        now_s = self._now_s()
        earned = max(0.0, now_s - self._refilled_s) * self._per_s  # clocks are set back at times
        self._tokens = min(self._burst, self._tokens + earned)
        self._refilled_s = now_s
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    @property
    def taken(self) -> float:
        """Tokens that were taken and not earned again since."""
        earned = max(0.0, self._now_s() - self._refilled_s) * self._per_s
        return max(0.0, self._burst - self._tokens - earned)

    def refund(self) -> None:
        """Return a token that was taken and not needed."""
        self._tokens = min(self._burst, self._tokens + 1)


class KeyedRateLimiter:
    """A `RateLimiter` for each key; only the `most` keys used last are remembered."""

    def __init__(
        self, per_s: float, burst: int, now_s: Callable[[], float], *, most: int = 10_000
    ) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now_s = now_s
        self._most = most
        # The key used last stands at the end.
        self._limiters: OrderedDict[Hashable, RateLimiter] = OrderedDict()

    def take(self, key: Hashable) -> bool:
        """Take one of the tokens of `key` if there is one, and return whether there was."""
        if key not in self._limiters:
            self._limiters[key] = RateLimiter(self._per_s, self._burst, self._now_s)
        self._limiters.move_to_end(key)
        if len(self._limiters) > self._most:
            self._limiters.popitem(last=False)
        return self._limiters[key].take()

    def taken(self, key: Hashable) -> float:
        """Return how many tokens of `key` were taken and not earned again since."""
        limiter = self._limiters.get(key)
        return 0.0 if limiter is None else limiter.taken

    def refund(self, key: Hashable) -> None:
        """Return a token of `key` that was taken and not needed."""
        if key in self._limiters:
            self._limiters[key].refund()
