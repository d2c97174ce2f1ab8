"""Signals that end a run early: it stops at the next good moment, with what it has."""

import signal
from types import FrameType, TracebackType
from typing import Any, Self

from boxroom_client.exits import Exit

_EXITS = {
    signal.SIGINT: Exit.INTERRUPTED,
    signal.SIGTERM: Exit.TERMINATED,
    signal.SIGHUP: Exit.HUNG_UP,
}


class Ending:
    """A context in which such signals are only remembered; the second Ctrl-C works as ever."""

    def __init__(self) -> None:
        self.exit: Exit | None = None
        """How the program ends, once it was told to."""
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._remember) for number in _EXITS}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def is_near(self) -> bool:
        """Whether it is time to stop."""
        return self.exit is not None

    def _remember(self, number: int, _: FrameType | None) -> None:
        self.exit = self.exit or _EXITS[signal.Signals(number)]
        signal.signal(signal.SIGINT, signal.default_int_handler)
