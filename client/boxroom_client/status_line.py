"""A line of a terminal that shows the progress of a long computation."""

import shutil
import time
from collections.abc import Callable
from typing import TextIO

_INTERVAL_S = 0.1
_BACK_AND_ERASE = "\r\x1b[K"


class StatusLine:
    """A line on `stream` that is overwritten; without a terminal, nothing is written."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        # Time of the last write; None before the first.
        self._written_at_s: float | None = None
        self._is_terminal = stream.isatty()

    def show(self, line: str) -> None:
        """Overwrite the line with `line`, cut to the terminal, at most once an interval."""
        now_s = self._clock()
        if not self._is_terminal:
            return
        if self._written_at_s is not None and now_s - self._written_at_s < _INTERVAL_S:
            return
        self._written_at_s = now_s
        columns = shutil.get_terminal_size().columns
        self._stream.write(f"{_BACK_AND_ERASE}{line[: columns - 1]}")
        self._stream.flush()

    def clear(self) -> None:
        """Erase the line."""
        if self._written_at_s is not None:
            self._stream.write(_BACK_AND_ERASE)
            self._stream.flush()
