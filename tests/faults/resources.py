"""Counts of what a server holds, to compare before and after: what it has released must be gone."""

import asyncio
import gc
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from boxroom_server.server import Server

LEAST_SIZES = 8
"""Number of sizes in which growth shows, two in each quarter."""


class ResourceCounts(NamedTuple):
    """Counts of everything that a connection or a room may leave behind."""

    tasks: int
    timers: int
    descriptors: int
    rooms: int
    conversations: int
    connections: int
    addresses: int

    def is_more_than(self, before: "ResourceCounts") -> bool:
        """Whether any count is above that of `before`."""
        return any(now > then for now, then in zip(self, before, strict=True))


def count_resources(server: Server, timers: int) -> ResourceCounts:
    """Return the counts of this process; `timers` are those of the server's clock.

    Most of them have no public interface.
    """
    return ResourceCounts(
        tasks=len(asyncio.all_tasks()),
        timers=timers,
        descriptors=open_descriptors(),
        rooms=len(server._directory),
        conversations=len(server._sessions),
        connections=len(server._connections._all),
        addresses=len(server._admission.clients),
    )


def open_descriptors() -> int:
    """Return the number of file descriptors of this process."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def open_sockets(pid: int) -> int:
    """Return the number of sockets of a process.

    Its other descriptors may change for a moment, as when it imports a module.
    """
    return sum(each.is_socket() for each in Path(f"/proc/{pid}/fd").iterdir())


def resident_bytes(pid: int | None = None) -> int:
    """Return the resident memory of a process, this one by default."""
    fields = Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def has_grown(sizes: Sequence[int]) -> int:
    """Return the difference between the averages of the last and the second quarter.

    Something that warms up grows in the first one.
    """
    quarter = len(sizes) // 4
    return round(fmean(sizes[-quarter:]) - fmean(sizes[quarter : 2 * quarter]))


def scheduled(loop: asyncio.AbstractEventLoop) -> int:
    """Return the number of calls that asyncio's own loop has scheduled, cancelled ones left out."""
    return sum(not timer.cancelled() for timer in loop._scheduled)  # type: ignore[attr-defined]


@contextmanager
def no_logged_errors() -> Iterator[None]:
    """Fail if an error is logged during the context, or an exception reaches the event loop.

    asyncio logs those as well, also the exceptions of tasks that are garbage.
    """
    errors: list[str] = []

    class Recorder(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(self.format(record))

    recorder = Recorder(logging.ERROR)
    logging.getLogger().addHandler(recorder)
    try:
        yield
        gc.collect()
    finally:
        logging.getLogger().removeHandler(recorder)
    assert not errors, "\n".join(errors)
