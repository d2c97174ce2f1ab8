"""The output of a robot's process, made harmless for the terminal: a stranger may have written it.

Its lines, and their indentation, stay as they are; escape sequences lose what makes them act.
"""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Thread

from boxroom_common.child_processes import SPAWN
from boxroom_engine.room.text import clean

MAX_LINE_BYTES = 1 << 16
"""Length at which a line is printed although it hasn't ended."""

_END_S = 1.0


def clean_lines(text: str) -> str:
    """Return `text` with each line cleaned as by `clean`, but with its indentation."""
    return "\n".join(map(_clean_line, text.split("\n")))


def _clean_line(line: str) -> str:
    expanded = line.expandtabs()
    return " " * (len(expanded) - len(expanded.lstrip(" "))) + clean(expanded)


class OutputRelay:
    """A thread that copies cleaned lines from `writer`, the end of a pipe, to standard error."""

    def __init__(self) -> None:
        reader, self.writer = SPAWN.Pipe(duplex=False)
        self._thread = Thread(target=_copy, args=(reader,), daemon=True)

    def start(self) -> None:
        """Begin, once the process has `writer`, until the process has ended."""
        self.writer.close()
        self._thread.start()

    def wait(self) -> None:
        """Wait until all that the process has written is copied, after its end.

        Processes that it has left behind may still write; they aren't waited for.
        """
        self._thread.join(_END_S)


def _copy(reader: Connection) -> None:
    with reader:
        rest = b""
        while data := os.read(reader.fileno(), MAX_LINE_BYTES):
            *lines, rest = (rest + data).split(b"\n")
            if len(rest) >= MAX_LINE_BYTES:
                lines.append(rest)
                rest = b""
            _print(lines)
        if rest:
            _print([rest])


def _print(lines: Iterable[bytes]) -> None:
    text = "".join(f"{_clean_line(line.decode(errors='replace'))}\n" for line in lines)
    with suppress(OSError):  # the reader of our standard error has gone, but the robot plays on
        sys.stderr.write(text)
        sys.stderr.flush()
