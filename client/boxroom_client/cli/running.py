"""Running a command that waits for things: an event loop, and an orderly end by signals."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from boxroom_client.exits import Exit
from boxroom_client.linemode.lines import Lines, PipedLines, TerminalLines

_ENDINGS = {signal.SIGTERM: Exit.TERMINATED, signal.SIGHUP: Exit.HUNG_UP}


def run_until_done(command: Coroutine[Any, Any, Exit]) -> Exit:
    """What `command` gives, or what stands for the signal that ended it.

    A signal cancels it, so that rooms are left, servers stopped and terminals put right.

    Raises:
        KeyboardInterrupt: after SIGINT.
    """
    return asyncio.run(_ended_by_signals(command))


async def _ended_by_signals(command: Coroutine[Any, Any, Exit]) -> Exit:
    running = asyncio.current_task()
    assert running is not None
    received: list[Exit] = []

    def end(exit_code: Exit) -> None:
        received.append(exit_code)
        running.cancel()

    for number, exit_code in _ENDINGS.items():
        asyncio.get_running_loop().add_signal_handler(number, end, exit_code)
    try:
        return await command
    except asyncio.CancelledError:
        if not received:
            raise  # by SIGINT: asyncio.run makes it a KeyboardInterrupt
        with suppress(RuntimeError):
            running.uncancel()
        return received[0]


def lines_from_stdin() -> Lines:
    """Lines that a person types in a terminal, or those of a pipe or a file."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return TerminalLines()
    return PipedLines(sys.stdin.fileno())
