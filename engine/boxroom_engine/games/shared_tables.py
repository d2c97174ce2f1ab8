"""Tables of boards, made once for all games on equal boards."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import TypeVar
from weakref import WeakValueDictionary

TablesT = TypeVar("TablesT")


def share(recent: int) -> Callable[[Callable[..., TablesT]], Callable[..., TablesT]]:
    """Return a decorator for a function that makes tables, so that equal arguments share them.

    Tables stay as long as a game has them, so that however many boards are made meanwhile, none is
    made twice. Beyond that, only those of the last `recent` calls stay.
    """

    def decorate(make: Callable[..., TablesT]) -> Callable[..., TablesT]:
        in_use: WeakValueDictionary[Hashable, TablesT] = WeakValueDictionary()

        @lru_cache(maxsize=recent)
        @wraps(make)
        def shared(*key: Hashable) -> TablesT:
            tables = in_use.get(key)
            if tables is None:
                tables = in_use[key] = make(*key)
            return tables

        return shared

    return decorate
