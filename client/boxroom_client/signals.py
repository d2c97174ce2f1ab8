"""Signals that stop a long computation early, at a moment when its results are consistent."""

import signal
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from types import FrameType
from typing import Any, Self, TypeVar

from boxroom_common.exits import Exit
from boxroom_common.system import signals_here
from boxroom_engine.stopping import StopToken

_ENDING = signals_here("SIGINT", "SIGTERM", "SIGHUP")

_INTERVAL_S = 0.05
"""Time between two looks at whether to stop a search."""

Found = TypeVar("Found")


class StopSignals:
    """A context manager that records signals; a second Ctrl-C raises KeyboardInterrupt.

    Args:
        numbers: the signals.
    """

    def __init__(self, numbers: Iterable[signal.Signals] = _ENDING) -> None:
        self._numbers = tuple(numbers)
        self.exit_code: Exit | None = None
        """Exit code for the first signal; None before there is one."""
        # Handlers to restore on leaving the context.
        self._replaced_handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._replaced_handlers = {
            number: signal.signal(number, self._record) for number in self._numbers
        }
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._replaced_handlers.items():
            signal.signal(number, handler)

    def received(self) -> bool:
        """Whether a signal has been received."""
        return self.exit_code is not None

    def _record(self, number: int, _: FrameType | None) -> None:
        self.exit_code = self.exit_code or Exit.of_signal(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)


def watched(search: Callable[[], Found], stop: StopToken, is_over: Callable[[], bool]) -> Found:
    """Return the result of `search`, which runs in a thread, and ends soon after `stop` is set.

    That happens when `is_over` returns True. It is called in this thread some times a second, and
    may show the progress. What it, or the handler of a signal, raises ends the search as well:
    the kernel would keep this thread from handling any.
    """
    with ThreadPoolExecutor(1) as thread:
        searching = thread.submit(search)
        try:
            while not wait([searching], timeout=_INTERVAL_S).done:
                if is_over():
                    stop.set()
        except BaseException:
            stop.set()
            raise
        return searching.result()
