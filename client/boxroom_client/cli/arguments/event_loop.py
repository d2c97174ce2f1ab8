"""The event loop of a command, which signals end in an orderly way."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from boxroom_common.exits import Exit
from boxroom_common.system import signals_here

T = TypeVar("T")

_ENDING = signals_here(
    *("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGABRT"),
    *("SIGALRM", "SIGUSR1", "SIGUSR2", "SIGXCPU"),
)
"""Signals that would end the process at once, and leave its terminal as it is."""


def run_until_done(command: Coroutine[Any, Any, T]) -> T | Exit:
    """Return the result of `command`, such as its exit code, or that of the signal that ended it.

    A signal cancels the command, so that it leaves rooms, stops servers and restores terminals; the
    argument of its `CancelledError` is the exit code. Further ones cancel what it does for that.

    Raises:
        KeyboardInterrupt: after SIGINT while the event loop started or ended.
    """
    return asyncio.run(_cancelled_by_signals(command))


async def _cancelled_by_signals(command: Coroutine[Any, Any, T]) -> T | Exit:
    task = asyncio.current_task()
    assert task is not None
    received: list[Exit] = []

    def cancel(exit_code: Exit) -> None:
        received.append(exit_code)
        task.cancel(exit_code)

    with _signals_calling(cancel):
        try:
            return await command
        except asyncio.CancelledError:
            if not received:
                raise  # SIGINT before the handlers: asyncio.run makes it a KeyboardInterrupt
            return received[0]


@contextmanager
def _signals_calling(callback: Callable[[Exit], None]) -> Iterator[None]:
    """Call `callback` at once for each signal, with its exit code.

    Signals that are ignored stay so, as SIGHUP is after nohup.

    The handler of asyncio.run raises a KeyboardInterrupt for a second SIGINT, between any two
    instructions of the event loop, which may then never learn that a task is done. A handler of
    the event loop would not return after a screen of prompt_toolkit, which has one itself.
    """
    loop = asyncio.get_running_loop()

    def handle(number: int, _: FrameType | None) -> None:
        callback(Exit.of_signal(number))
        loop.call_soon_threadsafe(lambda: None)  # the loop may be waiting

    before = {number: signal.getsignal(number) for number in _ENDING}
    caught = [number for number in before if before[number] is not signal.SIG_IGN]
    for number in caught:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, before[number])
