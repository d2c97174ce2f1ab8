"""Exit codes of commands, and the errors that lead to them.

::

    BoxroomError      the command failed: a message, and exit code 1
    ├── UsageError    the command line is wrong: a message as argparse prints it, and exit code 2
    └── Failure       the command failed: a message, and the exit code of the failure
"""

import signal
from collections.abc import Callable
from enum import IntEnum

from boxroom_engine.errors import BoxroomError


class Exit(IntEnum):
    """Exit codes; 69 is EX_UNAVAILABLE of sysexits.h, 128 + n stands for signal n."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 69
    HUNG_UP = 129
    INTERRUPTED = 130
    QUIT = 131
    ABORTED = 128 + signal.SIGABRT
    USER_1 = 128 + getattr(signal, "SIGUSR1", 10)
    USER_2 = 128 + getattr(signal, "SIGUSR2", 12)
    ALARM = 142
    TERMINATED = 143
    CPU_LIMIT = 152

    @classmethod
    def of_signal(cls, number: int) -> "Exit":
        """Return the code of a command that the signal with that number ended."""
        return cls(128 + number)


class UsageError(BoxroomError):
    """The command line is wrong; the message says what would be right."""


class Failure(BoxroomError):
    """The command failed; the message is for its user."""

    def __init__(self, message: str, code: Exit = Exit.FAILED) -> None:
        super().__init__(message)
        self.code = code


def reported(error: BoxroomError, report: Callable[[str], object]) -> Exit:
    """Report the `error` that has ended a command, and return the command's exit code.

    One without a message is raised: it is a signal that another part was to catch.
    """
    if not str(error):
        raise error
    report(str(error))
    return error.code if isinstance(error, Failure) else Exit.FAILED
