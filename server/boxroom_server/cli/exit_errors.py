"""Errors that end a command for operators, and the exit codes that they lead to.

::

    UsageError       the command line makes no sense: 2
    CommandFailed    the command failed: 1; so do errors of files and databases
"""

import argparse
import sys
from collections.abc import Callable
from functools import wraps

from boxroom_server.storage.sqlite.external_access import Busy
from boxroom_server.storage.sqlite.schema import UnusableData

DONE = 0
FAILED = 1
USAGE = 2


class CommandFailed(Exception):
    """A command failed; the sentence is for people."""


class UsageError(Exception):
    """The command line makes no sense; the sentence says what would be right."""


def report_errors(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Wrap `run` so that its errors become a line on standard error and an exit code."""

    @wraps(run)
    def reporting(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except UsageError as error:
            print(f"boxroom: {error}", file=sys.stderr)
            return USAGE
        except BrokenPipeError:
            raise  # the reader of the output has ended; see `boxroom_client.main`
        except OSError as error:
            print(f"boxroom: {_sentence(error)}", file=sys.stderr)
        except (CommandFailed, UnusableData, Busy) as error:
            print(f"boxroom: {error}", file=sys.stderr)
        return FAILED

    return reporting


def _sentence(error: OSError) -> str:
    if error.filename is None:
        return str(error)
    return f"{error.filename} can't be used: {error.strerror}"
