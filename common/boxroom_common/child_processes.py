"""Child processes that run bots and robots: how they start, print and end."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait

SPAWN = get_context("spawn")
"""Start method of all child processes: a fork would copy locks, sockets and the event loop."""


@contextmanager
def terminal_signals_blocked() -> Iterator[None]:
    """Start child processes that ignore Ctrl-C and the end of the terminal.

    A terminal sends both signals to all of its processes. Only the parent may act on them.
    """
    resource_tracker.ensure_running()  # starting later, it would unblock the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def exit_with_parent() -> None:
    """Wait for the end of the parent process, then exit at once; run it in a daemon thread.

    Without this, a bot that hangs would outlive a parent that was killed.
    """
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def discard_stdout() -> None:
    """Discard all that this process prints: it must not mix with the output of the command."""
    void = os.open(os.devnull, os.O_WRONLY)
    os.dup2(void, 1)
    os.close(void)
