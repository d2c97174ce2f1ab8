"""Tables of boards, made once for all games on equal boards."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast
from weakref import WeakValueDictionary

TablesT = TypeVar("TablesT")
P = ParamSpec("P")


def share(recent: int) -> Callable[[Callable[P, TablesT]], Callable[P, TablesT]]:
    """Return a decorator for a function that makes tables, so that equal arguments share them.

    Tables stay as long as a game has them, so that however many boards are made meanwhile, none is
    made twice. Beyond that, only those of the last `recent` calls stay.
    """

    def decorate(make: Callable[P, TablesT]) -> Callable[P, TablesT]:
        in_use: WeakValueDictionary[Hashable, TablesT] = WeakValueDictionary()

        @lru_cache(maxsize=recent)
        @wraps(make)
        def shared(*args: P.args, **kwargs: P.kwargs) -> TablesT:
            key = (args, *kwargs.items())
            tables = in_use.get(key)
            if tables is None:
                tables = in_use[key] = make(*args, **kwargs)
            return tables

        return cast("Callable[P, TablesT]", shared)

    return decorate
