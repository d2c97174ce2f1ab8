"""Pure computations that may take many milliseconds, in a thread beside the event loop."""

import asyncio
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
ResultT = TypeVar("ResultT")

SWITCH_S = 0.0005
"""Time after which the thread lets the event loop go on; Python's default is ten times as long."""


class ComputingThread:
    """Runs one computation at a time, in the order of the requests.

    Several threads at once would compute no faster, as only one of them has Python's lock, and the
    event loop would wait for all of them in turn.
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def run(
        self, compute: Callable[P, ResultT], *args: P.args, **kwargs: P.kwargs
    ) -> ResultT:
        """Return what `compute` returns."""
        async with self._lock:
            usual_s = sys.getswitchinterval()
            sys.setswitchinterval(SWITCH_S)
            try:
                return await asyncio.to_thread(compute, *args, **kwargs)
            finally:
                sys.setswitchinterval(usual_s)
