"""What the tests of the connection share: impatience, and ears for what a shell is told."""

import asyncio
import random
from collections.abc import Callable
from typing import TypeVar

from boxroom_client.link.backoff import Backoff
from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.updates import EnteredRoom, EventApplied, SessionEnded, Update
from boxroom_engine.room.events import Said

H = TypeVar("H", bound=Update)

LIMIT_S = 20.0
"""No test waits longer for anything."""


async def no_wait(_: float) -> None:
    """A sleep that takes no time, and still lets others run."""
    await asyncio.sleep(0)


def impatient(*, attempt_s: float = 10.0, leave_s: float = 2.0) -> Backoff:
    """Patience that never really sleeps."""
    return Backoff(attempt_s=attempt_s, leave_s=leave_s, rng=random.Random(1), sleep=no_wait)


class Ears:
    """Listens to a connection's happenings, and holds them against what is promised of them."""

    def __init__(self, connection: RoomConnection) -> None:
        self.heard: list[Update] = []
        self._updates = connection.updates()
        self._seq: int | None = None

    async def until(self, kind: type[H], wanted: Callable[[H], bool] = lambda _: True) -> H:
        """The next happening of `kind` that is `wanted`."""
        async with asyncio.timeout(LIMIT_S):
            async for happening in self._updates:
                self._check(happening)
                self.heard.append(happening)
                if isinstance(happening, kind) and wanted(happening):
                    return happening
        raise AssertionError(f"it ended without a {kind.__name__}: {self.heard}")

    async def until_said(self, text: str) -> None:
        """Listen until somebody has said `text`."""
        await self.until(EventApplied, lambda h: isinstance(h.event, Said) and h.event.text == text)

    async def until_silence(self) -> list[Update]:
        """Listen to the end; all that was heard."""
        await self.until(SessionEnded)
        async for happening in self._updates:
            raise AssertionError(f"after the end came {happening}")
        return self.heard

    def said(self) -> list[str]:
        """All lines of chat heard so far."""
        events = [
            happening.event for happening in self.heard if isinstance(happening, EventApplied)
        ]
        return [event.text for event in events if isinstance(event, Said)]

    def _check(self, happening: Update) -> None:
        """`EnteredRoom` comes first, and events follow on it and on each other without a gap."""
        match happening:
            case EnteredRoom(room):
                assert happening.back is bool(self.heard)
                self._seq = room.seq
            case EventApplied(seq):
                assert self._seq is not None
                assert seq == happening.after.seq == happening.before.seq + 1 == self._seq + 1
                self._seq = seq
            case _:
                assert self.heard
