"""The progress of a contest: below a notebook's cell, or on a line of a terminal."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from boxroom_lab.arena.progress import Progress, progress_line, progress_text

_INTERVAL_S = 0.2


class ShownProgress(Protocol):
    """A display of the number of finished games and of faults."""

    def show(self, done: int, faults: int) -> None:
        """Show these numbers."""

    def clear(self) -> None:
        """Show nothing more."""


def progress_for(total: int) -> ShownProgress:
    """Return a display for `total` games, in the notebook if this program runs in one."""
    display = _notebook_display()
    if display is None:
        return Progress(total, sys.stderr)
    return CellProgress(total, display)


def _notebook_display() -> Callable[..., Any] | None:
    """Return IPython's `display` if a notebook's kernel runs this program."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if not hasattr(shell, "kernel"):  # IPython in a terminal has none
        return None
    from IPython import display

    show: Callable[..., Any] = display.display
    return show


@dataclass(frozen=True, slots=True)
class ProgressBar:
    """A bar with its text, which a notebook shows."""

    done: int
    total: int
    faults: int
    passed_s: float

    def __repr__(self) -> str:
        return progress_line(self.done, self.total, self.faults, self.passed_s)

    def _repr_html_(self) -> str:
        """Return the bar as an element of the page."""
        text = progress_text(self.done, self.total, self.faults, self.passed_s)
        bar = f'<progress value="{self.done}" max="{self.total}"></progress>'
        return f"<label>{bar} {text}</label>"


class CellProgress:
    """A bar below the cell that runs, which changes in place; it stays with its last numbers.

    Args:
        total: the number of games.
        display: IPython's function.
        clock: a monotonic clock, in seconds.
    """

    def __init__(
        self, total: int, display: Callable[..., Any], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total = total
        self._clock = clock
        self._began_s = clock()
        # Time of the last change.
        self._shown_s = self._began_s
        # The numbers that aren't shown yet.
        self._waiting: tuple[int, int] | None = None
        self._handle = display(self._bar(0, 0), display_id=True)

    def show(self, done: int, faults: int) -> None:
        """Show these numbers, at most once an interval."""
        self._waiting = done, faults
        if self._clock() - self._shown_s >= _INTERVAL_S:
            self.clear()

    def clear(self) -> None:
        """Show the last numbers."""
        if self._waiting is not None:
            self._handle.update(self._bar(*self._waiting))
            self._shown_s = self._clock()
            self._waiting = None

    def _bar(self, done: int, faults: int) -> ProgressBar:
        return ProgressBar(done, self._total, faults, self._clock() - self._began_s)
