"""A progress bar for a run, on one line of a terminal."""

import time
from collections.abc import Callable
from typing import TextIO

from boxroom_client.status_line import StatusLine

_BAR_CHARS = 30


class Progress:
    """A bar for `total` games on `stream`; silent if that is no terminal."""

    def __init__(
        self, total: int, stream: TextIO, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total = total
        self._clock = clock
        self._began_s = clock()
        self._line = StatusLine(stream, clock)

    def show(self, done: int, faults: int) -> None:
        """Show the number of finished games and of faults."""
        passed_s = self._clock() - self._began_s
        self._line.show(progress_line(done, self._total, faults, passed_s))

    def clear(self) -> None:
        """Remove the bar."""
        self._line.clear()


def progress_line(done: int, total: int, faults: int, passed_s: float) -> str:
    """Return the bar with its text: `[=====>    ] 120 of 400 games, 0:35 left, 2 faults`."""
    filled = _BAR_CHARS * done // total
    bar = ("=" * filled + ">" * (filled < _BAR_CHARS)).ljust(_BAR_CHARS)
    return f"[{bar}] {progress_text(done, total, faults, passed_s)}"


def progress_text(done: int, total: int, faults: int, passed_s: float) -> str:
    """Return the text beside a bar: `120 of 400 games, 0:35 left, 2 faults`."""
    left = ""
    if 0 < done < total:
        minutes, seconds = divmod(round(passed_s / done * (total - done)), 60)
        left = f", {minutes}:{seconds:02} left"
    fault_text = f", {faults} fault{'s' * (faults != 1)}" if faults else ""
    return f"{done} of {total} games{left}{fault_text}"
