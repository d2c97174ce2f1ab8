"""Memoisation: values of positions, so that a search needn't compute them again.

Different orders of the same moves lead to the same position, and its value doesn't depend on the
order. From the empty board of noughts and crosses 3×3 a search visits 294,778 positions that aren't
over, but only 4,520 of them differ, and 627 if symmetric ones count once (`State.key`). A memo
makes that search more than a hundred times faster (benchmarks/memo.py), and costs some 300 bytes
of memory for each position.
"""

from collections.abc import Hashable
from typing import Generic, TypeVar

DEFAULT_MOST_POSITIONS = 2_000_000

BYTES_A_POSITION = 300
"""About the memory for a stored position."""

Value = TypeVar("Value")
"""Value of a position: a number, or one number for each seat."""


class Memo(Generic[Value]):
    """Values by the `State.key` of their positions, with whatever else they depend on.

    A full memo keeps its entries and stores nothing more: the first entries are positions near the
    end of the game, which recur most often.
    """

    def __init__(self, most_positions: int = DEFAULT_MOST_POSITIONS) -> None:
        self._most = most_positions
        self._values: dict[Hashable, Value] = {}  # the stored values by key

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> Value | None:
        """Return the value of `key`; None if it isn't stored."""
        return self._values.get(key)

    def store(self, key: Hashable, value: Value) -> None:
        """Store the value of `key`, unless the memo is full."""
        if len(self._values) < self._most:
            self._values[key] = value
