"""The process that a server runs in: its event loop, garbage collector and open files."""

import asyncio
import gc
import resource
from collections.abc import Callable, Coroutine
from typing import Any

from boxroom_server.ops.logs import log_unhandled

YOUNG_OBJECTS = 50_000
"""Objects made and not freed before the collector looks at them (Python's default: 700).

What a server makes is freed by reference counts; cycles come from failed connections only.
Looking for them at the default rate took a tenth of the time of every move.
"""


SPARE_FILES = 200
"""Open files that a server needs besides its connections."""


def allow_connections(most: int) -> bool:
    """Have the system allow as many open files as `most` connections need: whether it does.

    The usual limit is 1,024, for programs that know no more; it may be raised up to another
    one, which the system's administrator sets.
    """
    wanted = most + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        except (OSError, ValueError):  # macOS has a limit that it doesn't tell
            return False
    return allowed == wanted


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
