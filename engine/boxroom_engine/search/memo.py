"""What is known of positions, so that a search needn't find it out again.

Different orders of the same moves lead to the same position, and what it is worth doesn't depend
on the order. From the empty board of noughts and crosses 3×3 a search comes 294,778 times to a
position that isn't over, but those are only 4,520 positions, and 627 if those count once that
symmetry makes the same (`State.key`). To remember them makes it more than a hundred times faster
(benchmarks/memo.py), and costs some 300 bytes of memory for each.
"""

from collections.abc import Hashable
from typing import Generic, TypeVar

DEFAULT_MOST_POSITIONS = 2_000_000

Value = TypeVar("Value")
"""What is known of a position: a number, or one number a seat."""


class Memo(Generic[Value]):
    """Values by the `State.key` of their positions, and by whatever else they depend on.

    When it is full it keeps what it has and takes in nothing more: what was known first are the
    ends of games, which come up most often.
    """

    def __init__(self, most_positions: int = DEFAULT_MOST_POSITIONS) -> None:
        self._most = most_positions
        self._values: dict[Hashable, Value] = {}

    def __len__(self) -> int:
        return len(self._values)

    def recall(self, key: Hashable) -> Value | None:
        """What is known of `key`, if anything is."""
        return self._values.get(key)

    def keep(self, key: Hashable, value: Value) -> None:
        """Remember that `key` is worth `value`, if there is room."""
        if len(self._values) < self._most:
            self._values[key] = value
