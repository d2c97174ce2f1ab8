"""Turns at work that is done one piece at a time, such as slow hashes, in an order of penalties."""

import asyncio
from bisect import insort
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from boxroom_engine.errors import BoxroomError


class TooManyWaiting(BoxroomError):
    """As many wait for a turn as may, and have a better claim to it."""


class _Waiting(NamedTuple):
    """One that waits; of two the lesser one has the next turn."""

    penalty: float
    number: int
    turn: asyncio.Future[None]


class Turns:
    """One turn at a time; at most `most_waiting` wait for theirs.

    Those with the least penalty come first, and of equals the one that has waited longest. If too
    many wait, the last of them is turned away.
    """

    def __init__(self, most_waiting: int) -> None:
        self._most_waiting = most_waiting
        self._waiting: list[_Waiting] = []  # sorted
        self._count = 0  # of all that have waited
        self._is_taken = False

    @asynccontextmanager
    async def turn(self, penalty: float) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the context.

        Raises:
            TooManyWaiting: too many with no more of a penalty wait, or have come meanwhile.
        """
        if self._is_taken:
            await self._wait(penalty)
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, penalty: float) -> None:
        self._count += 1
        waiting = _Waiting(penalty, self._count, asyncio.get_running_loop().create_future())
        insort(self._waiting, waiting)
        if len(self._waiting) > self._most_waiting:
            self._waiting.pop().turn.set_exception(TooManyWaiting())
        try:
            await asyncio.shield(waiting.turn)  # only `_pass_on` and another one here complete it
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif waiting.turn.exception() is None:
                self._pass_on()  # it came in this moment, and isn't wanted any more
            raise

    def _pass_on(self) -> None:
        """Give the next one its turn."""
        self._is_taken = bool(self._waiting)
        if self._waiting:
            self._waiting.pop(0).turn.set_result(None)
