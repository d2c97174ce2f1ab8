"""Child processes that run bots and robots: how they start, print and end."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from threading import Lock, Thread
from types import ModuleType

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection

__all__ = [
    "SPAWN",
    "Connection",
    "discard_stdout",
    "follow_parent",
    "main_module_hidden",
    "terminal_signals_blocked",
]

SPAWN = get_context("spawn")
"""Start method of all child processes: a fork would copy locks, sockets and the event loop."""


@contextmanager
def terminal_signals_blocked() -> Iterator[None]:
    """Start child processes that ignore Ctrl-C and the end of the terminal.

    A terminal sends both signals to all of its processes. Only the parent may act on them. On
    Windows, where a process can't be started so, children ignore Ctrl-C by `follow_parent`.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # starting later, it would unblock the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_MAIN_MODULE = Lock()
"""Held while the main module is hidden: a second thread would take the substitute for it."""


@contextmanager
def main_module_hidden() -> Iterator[None]:
    """Start child processes that don't run the main script, as spawned ones otherwise do.

    They import all that they need. Without this, a script that starts one outside of `if __name__
    == "__main__"` would start anew in the child.
    """
    with _MAIN_MODULE:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def follow_parent() -> None:
    """Have this child process exit as soon as its parent has ended, and not before for Ctrl-C.

    Without this, a bot that hangs would outlive a parent that was killed.
    """
    if sys.platform == "win32":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def discard_stdout() -> None:
    """Discard all that this process prints: it must not mix with the output of the command."""
    void = os.open(os.devnull, os.O_WRONLY)
    os.dup2(void, 1)
    os.close(void)
