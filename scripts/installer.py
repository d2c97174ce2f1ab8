"""Runs uv or pip, and says what it is waiting for."""

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

REQUEST = re.compile(
    r"(?:Getting page|Downloading|GET request for:) (?:(https?://)(?:[^/@\s]*@)?)?(\S+)"
)
"""A request in the output of a verbose pip or uv; its groups leave out a name and a password."""

INSTALLING = "Installing collected packages"
"""Words of pip after its last request."""

NO_ANSWER = re.compile(r"connection error|timed out|Failed to fetch", re.IGNORECASE)

DISK_FULL = "No space left on device"

ERROR = re.compile(r"^ *error: (?!subprocess-exited)(.+)", re.IGNORECASE | re.MULTILINE)

FIRST_REPORT_S = 2


class InstallerError(Exception):
    """An installer that failed; the text is the reason."""


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


class WaitingLine:
    """The report of how long the installer has been waiting for what.

    A terminal shows it as one line that is rewritten each second. Elsewhere it is a line each time
    that the wait has doubled.
    """

    def __init__(self, what: str, out: IO[str], now_s: float) -> None:
        self._out = out
        self._start(what, now_s)

    def _start(self, what: str, now_s: float) -> None:
        self._what = what
        self._since_s = now_s
        self._next_report_s = FIRST_REPORT_S

    def read(self, output: str, now_s: float) -> None:
        """Start again at the last request that the installer reports in a part of its output."""
        if requests := REQUEST.findall(output):
            self._start("".join(requests[-1]), now_s)
        if INSTALLING in output:
            self._start("the installation", now_s)

    def show(self, now_s: float) -> None:
        waited_s = int(now_s - self._since_s)
        if waited_s < self._next_report_s:
            return
        text = f"  waiting for {self._what}, {waited_s} s"
        if self._out.isatty():
            self._out.write(f"\r\x1b[K{text}")
            self._next_report_s = waited_s + 1
        else:
            self._out.write(f"{text}\n")
            self._next_report_s = 2 * waited_s
        self._out.flush()

    def close(self) -> None:
        if self._out.isatty():
            self._out.write("\r\x1b[K")
            self._out.flush()


def run_installer(command: list[str], environ: Mapping[str, str], lock: int) -> None:
    """Run a command to its end; raises InstallerError with the reason if it fails.

    The command inherits the lock: should this process be killed, no other one begins to install
    before the command ends.
    """
    name = command[2] if command[1] == "-m" else Path(command[0]).name
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environ,
        pass_fds=[lock],
    ) as process:
        assert process.stdout is not None
        output = follow(process.stdout, WaitingLine(name, sys.stderr, now()))
    if process.returncode:
        raise InstallerError(reason(output) or f"{output}\n{' '.join(command)} failed")


def follow(pipe: IO[bytes], waiting: WaitingLine) -> str:
    """Return all output of the installer, reporting meanwhile what it is waiting for."""
    chunks = []
    while True:
        if select.select([pipe], [], [], 1)[0]:
            chunk = os.read(pipe.fileno(), 1 << 16)
            if not chunk:
                break
            chunks.append(chunk)
            waiting.read(chunk.decode(errors="replace"), now())
        waiting.show(now())
    waiting.close()
    return b"".join(chunks).decode(errors="replace")


def now() -> float:
    return time.monotonic()


def reason(output: str) -> str:
    """Return why the installer failed, in a sentence; empty if its output doesn't say."""
    if DISK_FULL in output:
        return "no space is left on the disk."
    requests = REQUEST.findall(output)
    if requests and NO_ANSWER.search(output):
        return f"no answer from {''.join(requests[-1])}."
    errors = ERROR.findall(output)
    return errors[0] if errors else ""
