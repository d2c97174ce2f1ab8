"""Stop conditions of a search, and the count of its positions; the engine has no clock."""

from collections.abc import Callable

Stop = Callable[[], bool]
"""Returns True to give up, such as `Limit.expired` of a bot; called every few positions."""

_POSITIONS_BETWEEN_CHECKS = 32


class SearchStopped(Exception):
    """The search was told to give up before it had a result."""


def never() -> bool:
    """Return False: the stop condition of a search without a limit."""
    return False


class PositionCounter:
    """The number of positions that a search has visited, and its check of the stop condition."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self.positions = 0
        """Number of positions so far."""

    def count(self) -> None:
        """Count one more position.

        Raises:
            SearchStopped: it is time to give up. The stop condition is checked at the first
                position, and then at every 32nd, because reading a clock takes about as long as
                playing a move.
        """
        if self.positions % _POSITIONS_BETWEEN_CHECKS == 0 and self._stop():
            raise SearchStopped
        self.positions += 1
