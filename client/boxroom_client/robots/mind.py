"""Who decides what a robot plays: a function in a process, or an agent somewhere else."""

import asyncio
from types import TracebackType
from typing import Protocol, Self

from boxroom_client.robots.file import CantLoad
from boxroom_client.robots.process import RobotProcess
from boxroom_common.exits import Failure
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.room.room import Room


class Mind(Protocol):
    """What `RobotPlayer` needs of the one who decides: a context, in which it can be asked."""

    async def __aenter__(self) -> Self:
        """Make sure that there is somebody to ask.

        Raises:
            Failure: there is nobody.
        """

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Let go of whoever was asked."""

    async def follow(self, room: Room, me: str) -> None:
        """Learn how `room` stands, in which `me` plays: after coming in, and after every event."""

    async def choose(self, state: State) -> Move:
        """A legal move for the seat to move, in the position that `follow` was told of last.

        Raises:
            RobotFailed: there is none; the sentence is for the robot's author.
        """


class ProcessMind:
    """A `Mind` that asks the robot in `process`, with so many seconds for a move."""

    def __init__(self, process: RobotProcess, limit_s: float) -> None:
        self._process = process
        self._limit_s = limit_s

    async def __aenter__(self) -> Self:
        """See `Mind`."""
        try:
            self._process.load()
        except CantLoad as error:
            raise Failure(str(error)) from None
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the process."""
        self._process.end()

    async def follow(self, room: Room, me: str) -> None:
        """Nothing: a robot is told the whole position when it is asked."""

    async def choose(self, state: State) -> Move:
        """See `Mind`."""
        return await asyncio.to_thread(self._process.choose, state, self._limit_s)
