"""Failures of the commands that use a server's data, as messages for their users."""

import argparse
from collections.abc import Callable
from functools import wraps

from boxroom_common.exits import Failure


def with_failures(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Have `run` raise `Failure` for errors of files."""

    @wraps(run)
    def running(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except OSError as error:
            raise Failure(message_of(error)) from error

    return running


def message_of(error: OSError) -> str:
    """Return a sentence about `error`, with the file that it is about."""
    if error.filename is None:
        return error.strerror or str(error)
    return f"{error.filename} can't be used: {error.strerror}"
