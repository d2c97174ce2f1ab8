"""One line of a terminal that is written over while something takes its time."""

import shutil
import time
from collections.abc import Callable
from typing import TextIO

_EVERY_S = 0.1
_BACK_AND_ERASE = "\r\x1b[K"


class StatusLine:
    """A line on `stream`; nothing at all where that is no terminal."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._shown_s: float | None = None
        self._is_terminal = stream.isatty()

    def show(self, line: str) -> None:
        """Write `line` over what is there, as far as it fits; not more often than eyes see."""
        now_s = self._clock()
        if not self._is_terminal:
            return
        if self._shown_s is not None and now_s - self._shown_s < _EVERY_S:
            return
        self._shown_s = now_s
        columns = shutil.get_terminal_size().columns
        self._stream.write(f"{_BACK_AND_ERASE}{line[: columns - 1]}")
        self._stream.flush()

    def clear(self) -> None:
        """Leave nothing behind."""
        if self._shown_s is not None:
            self._stream.write(_BACK_AND_ERASE)
            self._stream.flush()
