"""`seat`: a robot in a room of a server."""

import asyncio
import os
from asyncio import AbstractEventLoop, Task
from collections.abc import Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

from boxroom_client.profile.config import SETTINGS, ResolvedSettings, config_path, resolve
from boxroom_client.shell.frontend import JoinOptions
from boxroom_common.exits import Exit, UsageError
from boxroom_lab.cli.robot import limit_from, play_in_room, player_from
from boxroom_lab.notebook.arguments import (
    NotebookError,
    RobotArgument,
    explained,
    function_name,
    interruptible,
)
from boxroom_lab.robots.file import Player
from boxroom_lab.robots.move_source import ProcessMoveSource
from boxroom_lab.robots.pickled_function import PickledFunction
from boxroom_lab.robots.process import RobotProcess

_POLL_S = 0.1
"""Interval of the checks for an interrupt."""


def seat(
    robot: RobotArgument,
    server: str | None = None,
    room: str | None = None,
    *,
    name: str | None = None,
    password: str | None = None,
    create: bool = False,
    ca: str | None = None,
    time_s: float | None = None,
    games: int | None = None,
) -> None:
    """Let a robot play in a room of a server, and print a line for each event there.

    It stays until the room ends, until so many `games` are over, or until an interrupt (Ctrl-C, a
    notebook's stop button); then it leaves the room.

    Args:
        robot: a function, or the name of a robot in a file or of a bot.
        server: HOST, HOST:PORT, or a link with http://, https://, ws:// or wss://; None: that of
            your settings, or one that is found on this machine and its network.
        room: the room to sit down in; None: that of the link, or the first with an empty seat, or
            a new one.
        name: the robot's name there; None: that of your settings, or your login name.
        password: of a private room.
        create: whether to make the room, as its host.
        ca: the certificate file of an authority to trust besides the system's, for wss://.
        time_s: the limit for a move; None: 2 seconds.
        games: the number of games to play; None: as many as others want to.

    Raises:
        Error: an argument is wrong, there is no server, or it refuses the robot.
    """
    with explained():
        if games is not None and games < 1:
            raise UsageError(f"--games is 1 or more, not {games}")
        move_source = ProcessMoveSource(RobotProcess(_player(robot)), limit_from(time_s))
        settings = _settings(server=server, name=name, ca=ca)
        join_options = JoinOptions(room, password, create=create)
        exit_code = _run(play_in_room(move_source, settings, join_options, games))
    if exit_code not in (Exit.DONE, Exit.INTERRUPTED):
        raise NotebookError("the robot has left the room; the last line says why")


def _player(robot: RobotArgument) -> Player:
    if isinstance(robot, str):
        return player_from(robot)
    return PickledFunction.of(robot, function_name(robot))


def _settings(**flags: str | None) -> ResolvedSettings:
    none = {setting.name: None for setting in SETTINGS}
    return resolve({**none, **flags}, os.environ, config_path(os.environ))


def _run(command: Coroutine[Any, Any, Exit]) -> Exit:
    """Run `command` in a thread until it is done or an interrupt has cancelled it.

    In a notebook the main thread has a running event loop already.
    """
    started: Future[tuple[AbstractEventLoop, Task[Any] | None]] = Future()

    async def run() -> Exit:
        started.set_result((asyncio.get_running_loop(), asyncio.current_task()))
        return await command

    with ThreadPoolExecutor(1) as pool, interruptible() as is_interrupted:
        running = pool.submit(asyncio.run, run())
        while not wait([running], _POLL_S).done:
            if is_interrupted():
                loop, task = started.result()
                assert task is not None
                with suppress(RuntimeError):  # the loop has just ended
                    loop.call_soon_threadsafe(task.cancel)
                break
        try:
            return running.result()
        except asyncio.CancelledError:
            return Exit.INTERRUPTED
