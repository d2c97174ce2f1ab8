"""How far a run is, on one line of a terminal that is written over."""

import shutil
import time
from collections.abc import Callable
from typing import TextIO

_EVERY_S = 0.1
_BAR_CHARS = 30
_BACK_AND_ERASE = "\r\x1b[K"


class Progress:
    """A bar for `total` games on `stream`; nothing at all where that is no terminal."""

    def __init__(
        self, total: int, stream: TextIO, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total = total
        self._stream = stream
        self._clock = clock
        self._began_s = clock()
        self._shown_s: float | None = None
        self._is_terminal = stream.isatty()

    def show(self, done: int, faults: int) -> None:
        """So many games are over, and so many faults were made; not more often than eyes see."""
        now_s = self._clock()
        if not self._is_terminal:
            return
        if self._shown_s is not None and now_s - self._shown_s < _EVERY_S:
            return
        self._shown_s = now_s
        columns = shutil.get_terminal_size().columns
        line = progress_line(done, self._total, faults, now_s - self._began_s)
        self._stream.write(f"{_BACK_AND_ERASE}{line[: columns - 1]}")
        self._stream.flush()

    def clear(self) -> None:
        """Leave nothing behind."""
        if self._shown_s is not None:
            self._stream.write(_BACK_AND_ERASE)
            self._stream.flush()


def progress_line(done: int, total: int, faults: int, passed_s: float) -> str:
    """What the bar says: `[=====>    ] 120 of 400 games, 0:35 left, 2 faults`."""
    filled = _BAR_CHARS * done // total
    bar = ("=" * filled + ">" * (filled < _BAR_CHARS)).ljust(_BAR_CHARS)
    left = ""
    if 0 < done < total:
        minutes, seconds = divmod(round(passed_s / done * (total - done)), 60)
        left = f", {minutes}:{seconds:02} left"
    told = f", {faults} fault{'s' * (faults != 1)}" if faults else ""
    return f"[{bar}] {done} of {total} games{left}{told}"
