"""The process that a server runs in: its event loop and its garbage collector."""

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

from boxroom_server.logs import log_unhandled

YOUNG_OBJECTS = 50_000
"""Objects made and not freed before the collector looks at them (Python's default: 700).

What a server makes is freed by reference counts; cycles come from failed connections only.
Looking for them at the default rate took a tenth of the time of every move.
"""


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` to its end, on uvloop where it is installed."""
    gc.freeze()  # what was imported stays
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    with asyncio.Runner(loop_factory=event_loop_factory()) as runner:
        runner.get_loop().set_exception_handler(log_unhandled)
        runner.run(work)


def event_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes uvloop's event loops, or None where only asyncio's own exist."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
