"""The output of a robot's process, made harmless for the terminal: a stranger may have written it.

Its lines, and their indentation, stay as they are; escape sequences lose what makes them act.
"""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from io import BufferedWriter, RawIOBase, TextIOWrapper
from threading import Thread
from typing import Any

from boxroom_common.child_processes import SPAWN, Connection, discard_stdout
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
        while data := _read(reader):
            *lines, rest = (rest + data).split(b"\n")
            if len(rest) >= MAX_LINE_BYTES:
                lines.append(rest)
                rest = b""
            _print(lines)
        if rest:
            _print([rest])


if sys.platform == "win32":

    class _Messages(RawIOBase):
        """A stream of which the bytes go into a pipe as messages."""

        def __init__(self, pipe: Connection) -> None:
            self._pipe = pipe

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self._pipe.send_bytes(data)
            return len(data)

    def _read(reader: Connection) -> bytes:
        try:
            return reader.recv_bytes()
        except (EOFError, OSError):
            return b""

    def redirect_output(writer: Connection, *, is_silent: bool) -> None:
        """Send what Python prints in this process to `writer`, or to nowhere if `is_silent`.

        The pipe is no file there: what code in other languages prints is lost.
        """
        stream = TextIOWrapper(BufferedWriter(_Messages(writer)), "utf-8", line_buffering=True)
        discard_stdout()
        sys.stderr = stream
        if not is_silent:
            sys.stdout = stream

else:

    def _read(reader: Connection) -> bytes:
        return os.read(reader.fileno(), MAX_LINE_BYTES)

    def redirect_output(writer: Connection, *, is_silent: bool) -> None:
        """Redirect what this process prints to `writer`, or to nowhere if `is_silent`."""
        os.dup2(writer.fileno(), 2)
        if is_silent:
            discard_stdout()
        else:
            os.dup2(2, 1)
            if isinstance(sys.stdout, TextIOWrapper):  # a process that is killed flushes nothing
                sys.stdout.reconfigure(line_buffering=True)
        writer.close()


def _print(lines: Iterable[bytes]) -> None:
    text = "".join(f"{_clean_line(line.decode(errors='replace'))}\n" for line in lines)
    with suppress(OSError):  # the reader of our standard error has gone, but the robot plays on
        sys.stderr.write(text)
        sys.stderr.flush()
