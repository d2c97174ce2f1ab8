"""How fast somebody may talk or try."""

from collections import OrderedDict
from collections.abc import Callable, Hashable


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
        left = self._tokens = self._tokens - 1
        if left >= 0:
            return True
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


class Allowance:
    """Allows `burst` things at once and `per_s` a second; to be refused costs nothing.

    So who tries again and again gets what is allowed, and no less.
    """

    def __init__(self, per_s: float, burst: int, now_s: Callable[[], float]) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now_s = now_s
        self._left = float(burst)
        self._filled_s = now_s()

    def take(self) -> bool:
        """Take one, if there is one."""
        now_s = self._now_s()
        earned = max(0.0, now_s - self._filled_s) * self._per_s  # clocks are set back at times
        self._left = min(self._burst, self._left + earned)
        self._filled_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give_back(self) -> None:
        """What was taken wasn't needed."""
        self._left = min(self._burst, self._left + 1)


class Allowances:
    """An `Allowance` for each key, of which those used last are remembered."""

    def __init__(
        self, per_s: float, burst: int, now_s: Callable[[], float], *, most: int = 10_000
    ) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now_s = now_s
        self._most = most
        self._of: OrderedDict[Hashable, Allowance] = OrderedDict()

    def take(self, key: Hashable) -> bool:
        """Take one of what `key` is allowed, if there is one."""
        if key not in self._of:
            self._of[key] = Allowance(self._per_s, self._burst, self._now_s)
        self._of.move_to_end(key)
        if len(self._of) > self._most:
            self._of.popitem(last=False)
        return self._of[key].take()

    def give_back(self, key: Hashable) -> None:
        """What was taken wasn't needed."""
        if key in self._of:
            self._of[key].give_back()
