"""Child processes that end with their parent, even if that is killed.

Each runs below a small supervisor, this file as a script. The supervisor's standard input is a pipe
from the parent, which never writes to it: the pipe ends with the parent. Then the supervisor kills
the child with all of its own children, and deletes the folder that they were working in.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple


class Result(NamedTuple):
    """The exit code of a command, and all that it printed."""

    code: int
    output: str


def run(command: Sequence[str], scratch: Path, environ: Mapping[str, str]) -> Result:
    """Run `command` with `scratch` for its temporary files, and messages in English.

    If this process ends before it does, it is killed, and `scratch` deleted.
    """
    supervisor = [sys.executable, "-I", "-S", __file__, str(scratch), *command]
    with subprocess.Popen(  # noqa: S603  # no shell; the command is what the user asked for
        supervisor,
        env={**environ, "TMPDIR": str(scratch), "LC_ALL": "C"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # a terminal's Ctrl-C isn't for it
        errors="replace",
        text=True,
    ) as process:
        assert process.stdout
        output = process.stdout.read()
        return Result(process.wait(), output)


def remove(scratch: Path) -> None:
    """Delete `scratch`, which takes seconds for a compiler, also if this process ends meanwhile."""
    run(["rm", "-rf", str(scratch)], scratch, os.environ)


def _supervise(scratch: str, *command: str) -> None:
    """Run `command` and exit with its code."""
    try:
        child = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        sys.exit(f"error: {command[0]}: {error.strerror}")
    ending = Lock()
    Thread(target=_end_with_parent, args=(child.pid, scratch, ending), daemon=True).start()
    code = child.wait()
    with ending:
        os._exit(code if code >= 0 else 128 - code)


def _end_with_parent(child: int, scratch: str, ending: Lock) -> None:
    sys.stdin.buffer.read()
    with ending:
        if sys.platform != "win32":  # for which no kernel is built
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        shutil.rmtree(scratch, ignore_errors=True)
        os._exit(1)


if __name__ == "__main__":
    _supervise(*sys.argv[1:])
