"""How the commands that care for a server end: with a sentence if need be, and an exit code.

::

    Misused     what was typed on the command line can't be: 2
    Failed      it was tried and didn't work: 1; so do the errors of files and databases
"""

import argparse
import sys
from collections.abc import Callable
from functools import wraps

from boxroom_server.storage.sqlite.schema import NotOurs
from boxroom_server.storage.sqlite.visit import Busy

DONE = 0
FAILED = 1
USAGE = 2


class Failed(Exception):
    """The command can't do what it should; the sentence is for people."""


class Misused(Exception):
    """The command line asks for what can't be; the sentence says what would be right."""


def told(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Have `run` end with a sentence and an exit code, whatever happens to its database."""

    @wraps(run)
    def telling(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except Misused as error:
            print(f"boxroom: {error}", file=sys.stderr)
            return USAGE
        except BrokenPipeError:
            raise  # whoever read the output has had enough of it; see `boxroom_client.main`
        except OSError as error:
            print(f"boxroom: {_sentence(error)}", file=sys.stderr)
        except (Failed, NotOurs, Busy) as error:
            print(f"boxroom: {error}", file=sys.stderr)
        return FAILED

    return telling


def _sentence(error: OSError) -> str:
    if error.filename is None:
        return str(error)
    return f"{error.filename} can't be used: {error.strerror}"
