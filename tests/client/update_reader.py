"""Helpers for tests of connections: a reader that checks updates, and delays of no length."""

import asyncio
import random
from collections.abc import Callable
from typing import TypeVar

from boxroom_client.link.backoff import Backoff
from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.updates import EnteredRoom, EventApplied, SessionEnded, Update
from boxroom_engine.room.events import Said

U = TypeVar("U", bound=Update)

LIMIT_S = 20.0
"""Timeout of everything that tests wait for."""


async def no_wait(_: float) -> None:
    """Take no time, but let other tasks run."""
    await asyncio.sleep(0)


def quick_backoff(*, attempt_s: float = 10.0, leave_s: float = 2.0) -> Backoff:
    """Return a backoff that never really sleeps."""
    return Backoff(attempt_s=attempt_s, leave_s=leave_s, rng=random.Random(1), sleep=no_wait)


class UpdateReader:
    """A reader of a connection's updates that checks their order and their seqs."""

    def __init__(self, connection: RoomConnection) -> None:
        self.read: list[Update] = []
        """All updates so far."""
        self._updates = connection.updates()
        self._seq: int | None = None
        self._code: str | None = None  # of the room

    async def until(self, kind: type[U], wanted: Callable[[U], bool] = lambda _: True) -> U:
        """Read up to the next update of `kind` that is `wanted`, and return it."""
        async with asyncio.timeout(LIMIT_S):
            async for update in self._updates:
                self._check(update)
                self.read.append(update)
                if isinstance(update, kind) and wanted(update):
                    return update
        raise AssertionError(f"it ended without a {kind.__name__}: {self.read}")

    async def until_said(self, text: str) -> None:
        """Read up to the line of chat `text`."""
        await self.until(EventApplied, lambda u: isinstance(u.event, Said) and u.event.text == text)

    async def until_end(self) -> list[Update]:
        """Read to the end and return all updates."""
        await self.until(SessionEnded)
        async for update in self._updates:
            raise AssertionError(f"after the end came {update}")
        return self.read

    def said(self) -> list[str]:
        """Return all lines of chat so far."""
        events = [update.event for update in self.read if isinstance(update, EventApplied)]
        return [event.text for event in events if isinstance(event, Said)]

    def _check(self, update: Update) -> None:
        """Check that `EnteredRoom` comes first, and that events follow without a gap."""
        match update:
            case EnteredRoom(room):
                assert update.back is (room.code == self._code)
                self._seq, self._code = room.seq, room.code
            case EventApplied(seq):
                assert self._seq is not None
                assert seq == update.after.seq == update.before.seq + 1 == self._seq + 1
                self._seq = seq
            case _:
                assert self.read
