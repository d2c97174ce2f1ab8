"""What a server holds, to be counted before and after: what it has let go must be gone."""

import asyncio
import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from boxroom_server.server import Server


class Census(NamedTuple):
    """How many there are of everything that a connection or a room may leave behind."""

    tasks: int
    timers: int
    descriptors: int
    rooms: int
    conversations: int
    connections: int
    addresses: int

    def is_more_than(self, before: "Census") -> bool:
        """Whether there is more of anything than `before`."""
        return any(now > then for now, then in zip(self, before, strict=True))


def census(server: Server, timers: int) -> Census:
    """What there is now in this process; `timers` are those of the server's clock.

    There is no public way to most of it, and tests need the truth.
    """
    return Census(
        tasks=len(asyncio.all_tasks()),
        timers=timers,
        descriptors=open_descriptors(),
        rooms=len(server._directory),
        conversations=len(server._sessions),
        connections=len(server._connections._all),
        addresses=len(server._connections._handshakes.admission._by_client),
    )


def open_descriptors(pid: int | None = None) -> int:
    """The file descriptors of a process, this one by default."""
    return sum(1 for _ in Path(f"/proc/{pid or 'self'}/fd").iterdir())


def resident_bytes(pid: int | None = None) -> int:
    """The memory that a process holds, this one by default."""
    fields = Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def scheduled(loop: asyncio.AbstractEventLoop) -> int:
    """The calls that asyncio's own loop has put off and that aren't cancelled."""
    return sum(not timer.cancelled() for timer in loop._scheduled)  # type: ignore[attr-defined]


@contextmanager
def no_complaints() -> Iterator[None]:
    """Nothing is logged as an error inside, and no exception reaches the event loop.

    asyncio logs those as well; and so do tasks that are garbage with an exception in them.
    """
    complaints: list[str] = []

    class Ears(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            complaints.append(self.format(record))

    ears = Ears(logging.ERROR)
    logging.getLogger().addHandler(ears)
    try:
        yield
        gc.collect()
    finally:
        logging.getLogger().removeHandler(ears)
    assert not complaints, "\n".join(complaints)
