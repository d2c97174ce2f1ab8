"""Failures of the commands that use a server's data, as messages for their users."""

import argparse
from collections.abc import Callable
from functools import wraps

from boxroom_common.exits import Failure
from boxroom_server.storage.room_log import Damaged
from boxroom_server.storage.sqlite.external_access import Busy
from boxroom_server.storage.storage import StorageError


def with_failures(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Have `run` raise `Failure` for errors of files and stores."""

    @wraps(run)
    def running(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except OSError as error:
            raise Failure(message_of(error)) from error
        except (StorageError, Damaged, Busy) as error:
            raise Failure(str(error)) from error

    return running


def message_of(error: OSError) -> str:
    """Return a sentence about `error`, with the file that it is about."""
    if error.filename is None:
        return error.strerror or str(error)
    return f"{error.filename} can't be used: {error.strerror}"
