"""The source of a robot's moves: a function in a process, or an agent on a connection."""

import asyncio
from typing import Protocol, Self

from boxroom_common.exits import Failure
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.room.room import Room
from boxroom_lab.robots.file import RobotLoadError
from boxroom_lab.robots.process import RobotProcess


class MoveSource(Protocol):
    """The source of moves that `RobotPlayer` asks; a context, in which it can be asked."""

    async def __aenter__(self) -> Self:
        """Make sure that the source can be reached.

        Raises:
            Failure: it can't.
        """

    async def __aexit__(self, *_: object) -> None:
        """Release its process or connection."""

    async def follow(self, room: Room, me: str) -> None:
        """Take in the state of `room`, where `me` plays: after joining, and after every event."""

    async def choose(self, state: State) -> Move:
        """Return a legal move in `state`, the position of the room last given to `follow`.

        Raises:
            RobotFailed: there is none; the sentence is for the robot's author.
        """


class ProcessMoveSource:
    """A `MoveSource` that asks the robot in `process`, with `limit_s` seconds for a move."""

    def __init__(self, process: RobotProcess, limit_s: float) -> None:
        self._process = process
        self._limit_s = limit_s

    async def __aenter__(self) -> Self:
        try:
            await asyncio.to_thread(self._process.load)
        except RobotLoadError as error:
            raise Failure(str(error)) from None
        except BaseException:  # cancelled: the thread waits no longer than there is a process
            self._process.end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the process."""
        self._process.end()

    async def follow(self, room: Room, me: str) -> None:
        pass  # `choose` passes the whole position to the robot

    async def choose(self, state: State) -> Move:
        return await asyncio.to_thread(self._process.choose, state, self._limit_s)
