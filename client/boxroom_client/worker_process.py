"""What every process has in common in which somebody else's code runs for a client."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait

SPAWN = get_context("spawn")  # a fork would copy locks that other threads hold


@contextmanager
def deaf_to_the_terminal() -> Iterator[None]:
    """Processes that are started in here don't hear Ctrl-C nor that the terminal closes.

    Both go to every process of a terminal, and it is for the one that started them to decide.
    """
    resource_tracker.ensure_running()  # starting later, it would unblock the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """A bot that hangs must not go on for ever when nobody is there any more to kill it."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def print_nowhere() -> None:
    """What is printed in here must not get into what the command prints."""
    void = os.open(os.devnull, os.O_WRONLY)
    os.dup2(void, 1)
    os.close(void)
