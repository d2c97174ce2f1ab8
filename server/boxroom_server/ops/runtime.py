"""Set-up of the server's process: event loop, garbage collector, limit of open files."""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from boxroom_server.ops.logs import log_unhandled

GC_THRESHOLD = 50_000
"""Objects made and not freed before the garbage collector runs (Python's default: 700).

A server's objects are freed by reference counts; cycles come from failed connections only.
Collecting at the default rate took a tenth of the time of every move.
"""

SPARE_FILES = 200
"""Open files that a server needs beside its connections."""


def raise_file_limit(connections: int) -> bool:
    """Raise the limit of open files for so many connections; return whether it suffices.

    The soft limit is usually 1,024; it may be raised up to the hard limit, which the system's
    administrator sets. Windows has no limit that matters here.
    """
    if sys.platform == "win32":
        return True
    import resource

    wanted = connections + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        except (OSError, ValueError):  # macOS has a limit that it doesn't report
            return False
    return allowed == wanted


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` to its end, on uvloop if it is installed."""
    gc.freeze()  # imported modules are never freed
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])
    with asyncio.Runner(loop_factory=event_loop_factory()) as runner:
        runner.get_loop().set_exception_handler(log_unhandled)
        runner.run(work)


def call_on_signal(number: signal.Signals, callback: Callable[[], object]) -> None:
    """Have the running event loop call `callback` after each signal of that number."""
    loop = asyncio.get_running_loop()
    if sys.platform == "win32":  # its event loops handle no signals
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(callback))
    else:
        loop.add_signal_handler(number, callback)


def event_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's factory of event loops, or None if uvloop isn't installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
