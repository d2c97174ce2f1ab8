"""The standard streams of the command, which can be full, closed, or pipes without a reader.

Python reports a failed write as an OSError to the code that prints, where it looks like a failure
of a file or a connection, and once more when the interpreter ends. Here the first failed write to
standard output raises `OutputFailed`, which ends the command as `sys.exit` does, and all later
ones are ignored, as are failed writes to standard error: there is nowhere to report them.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any, BinaryIO, TextIO, cast

from boxroom_common.exits import Exit


class OutputFailed(SystemExit):
    """Standard output can't be written; the code is that of the command if it did all else.

    It is no OSError, because those who handle the errors of files and sockets mustn't take it for
    one, and a SystemExit, because the event loop passes that on from any of its tasks.
    """

    def __init__(self, reason: OSError, *, is_terminal: bool) -> None:
        if reason.errno == errno.EPIPE:  # a reader that closes the pipe has all that it wants
            code = Exit.DONE
        elif reason.errno == errno.EIO and is_terminal:  # closed, which SIGHUP is about to tell
            code = Exit.HUNG_UP
        else:
            code = Exit.FAILED
        super().__init__(code)


class _Messages(FileIO):
    """The descriptor of standard error, until a write fails; later writes do nothing."""

    failure: OSError | None = None
    """The error of the write that failed."""

    def write(self, data: Any, /) -> int:
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
                self._report(error)
        return memoryview(data).nbytes

    def _report(self, error: OSError) -> None:
        pass  # there is nowhere to report it


class _Output(_Messages):
    """The descriptor of standard output, whose failure ends the command."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._is_terminal = self.isatty()  # one that is closed says no

    def _report(self, error: OSError) -> None:
        raise OutputFailed(error, is_terminal=self._is_terminal) from None


@contextmanager
def checked_streams() -> Iterator[None]:
    """Replace the standard streams of this process; leave other objects in their place alone.

    They print `?` for characters that the terminal's encoding lacks.
    """
    given = sys.stdin, sys.stdout, sys.stderr
    if sys.stdin is None:
        sys.stdin = os.fdopen(_null_device(), encoding="utf-8")
    if sys.stdout is sys.__stdout__:
        sys.stdout = _checked(sys.stdout, _Output)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _checked(sys.stderr, _Messages)
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = given


def exit_code_after_output(code: int) -> int:
    """Write what is left of the output; report if it can't be written, and return the exit code.

    Args:
        code: the exit code of the command if all could be written.
    """
    with suppress(OutputFailed):
        sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    descriptor = getattr(buffer, "raw", buffer)  # there is no buffer with python -u
    failure = descriptor.failure if isinstance(descriptor, _Output) else None
    if failure is None or failure.errno == errno.EPIPE:
        return code
    print(f"boxroom: can't write to standard output: {failure.strerror}", file=sys.stderr)
    return code or Exit.FAILED


def _checked(stream: TextIO | None, descriptor_class: type[_Messages]) -> TextIO:
    """Return a stream like `stream`; if that is None, one to which nothing can be written."""
    if not isinstance(stream, TextIOWrapper):
        descriptor = descriptor_class(_null_device(), "w")
        return TextIOWrapper(BufferedWriter(descriptor), encoding="utf-8", line_buffering=True)
    descriptor = descriptor_class(stream.fileno(), "w", closefd=False)
    return TextIOWrapper(
        cast(BinaryIO, descriptor) if stream.write_through else BufferedWriter(descriptor),
        encoding=stream.encoding,
        errors="replace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _null_device() -> int:
    """Open the null device for reading, in place of a standard stream that a launcher has closed.

    It takes the stream's number, which otherwise the next file would get, here or in a child
    process, and with it what is printed.
    """
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(descriptor, True)
    return descriptor
