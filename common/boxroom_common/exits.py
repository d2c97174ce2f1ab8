"""Exit codes of commands, and the errors that lead to them.

::

    UsageError    the command line is wrong: a message as argparse prints it, and exit code 2
    Failure       the command failed: a message, and the exit code of the failure
"""

import signal
from enum import IntEnum


class Exit(IntEnum):
    """Exit codes; 69 is EX_UNAVAILABLE of sysexits.h, 128 + n stands for signal n."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 69
    HUNG_UP = 129
    INTERRUPTED = 130
    QUIT = 131
    ABORTED = 134
    USER_1 = 128 + getattr(signal, "SIGUSR1", 10)
    USER_2 = 128 + getattr(signal, "SIGUSR2", 12)
    ALARM = 142
    TERMINATED = 143
    CPU_LIMIT = 152

    @classmethod
    def of_signal(cls, number: int) -> "Exit":
        """Return the code of a command that the signal with that number ended."""
        return cls(128 + number)


class UsageError(Exception):
    """The command line is wrong; the message says what would be right."""


class Failure(Exception):
    """The command failed; the message is for its user."""

    def __init__(self, message: str, code: Exit = Exit.FAILED) -> None:
        super().__init__(message)
        self.code = code
