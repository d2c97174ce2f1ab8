"""The event loop of a command, which signals end in an orderly way."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from boxroom_common.exits import Exit

T = TypeVar("T")

_EXIT_CODES = {signal.SIGTERM: Exit.TERMINATED, signal.SIGHUP: Exit.HUNG_UP}


def run_until_done(command: Coroutine[Any, Any, T]) -> T | Exit:
    """Return the result of `command`, such as its exit code, or that of the signal that ended it.

    A signal cancels the command, so that it leaves rooms, stops servers and restores terminals.

    Raises:
        KeyboardInterrupt: after SIGINT.
    """
    return asyncio.run(_cancelled_by_signals(command))


async def _cancelled_by_signals(command: Coroutine[Any, Any, T]) -> T | Exit:
    task = asyncio.current_task()
    assert task is not None
    received: list[Exit] = []

    def cancel(exit_code: Exit) -> None:
        received.append(exit_code)
        task.cancel()

    for number, exit_code in _EXIT_CODES.items():
        asyncio.get_running_loop().add_signal_handler(number, cancel, exit_code)
    try:
        return await command
    except asyncio.CancelledError:
        if not received:
            raise  # by SIGINT: asyncio.run makes it a KeyboardInterrupt
        with suppress(RuntimeError):
            task.uncancel()
        return received[0]
