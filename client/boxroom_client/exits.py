"""How a command ends: exit codes, and the errors that lead to them.

::

    UsageError    what was typed on the command line can't be: argparse's message, and 2
    Failure       it was tried and didn't work: a sentence, and the failure's own code
"""

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes; 69 is EX_UNAVAILABLE of sysexits.h, 128 + n is a signal's."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 69
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


class UsageError(Exception):
    """The command line asks for what can't be; the sentence says what would be right."""


class Failure(Exception):
    """A command failed; the sentence is for people."""

    def __init__(self, sentence: str, code: Exit = Exit.FAILED) -> None:
        super().__init__(sentence)
        self.code = code
