"""How a search is told to give up: it asks, because nothing in the engine has a clock."""

from collections.abc import Callable

Stop = Callable[[], bool]
"""Whether to give up, such as `Limit.expired` of a bot. It is asked every few positions."""

_POSITIONS_BETWEEN_LOOKS = 32


class Stopped(Exception):
    """The search was told to give up before it knew."""


def never() -> bool:
    """The stop of a search that may take as long as it wants to."""
    return False


class Counter:
    """Counts the positions that a search looks at, and asks for it whether to give up.

    Attributes:
        positions: how many there were so far.
    """

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self.positions = 0

    def count(self) -> None:
        """Count one more position.

        Raises:
            Stopped: it is time to give up. That is asked at the first position, and then at
                every 32nd, because to look at a clock takes about as long as to play a move.
        """
        if self.positions % _POSITIONS_BETWEEN_LOOKS == 0 and self._stop():
            raise Stopped
        self.positions += 1
