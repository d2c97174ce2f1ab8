"""The real program behind pipes: tests write lines to it, and wait for what it prints."""

import os
import select
import signal
import subprocess
import time
from types import TracebackType
from typing import Self

from tests.e2e.terminal import LIMIT_S, PROGRAM


def boxroom(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program to its end, with `typed` in its standard input."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


class Piped:
    """A program behind pipes; a context manager that kills it at the end."""

    def __init__(self, *arguments: str) -> None:
        self._program = subprocess.Popen(
            [*PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self._output = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._program:  # closes the pipes
            self._program.kill()

    def type_lines(self, *lines: str) -> None:
        """Write `lines` to its standard input."""
        assert self._program.stdin is not None
        self._program.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def wait_for(self, text: str) -> str:
        """Wait until it prints `text`; return what it printed before that, since the last call."""
        until = time.monotonic() + LIMIT_S
        wanted = text.encode()
        while wanted not in self._output:
            assert time.monotonic() < until, f"no {text!r} in\n{self._output.decode()}"
            assert self._read(), f"it ended without {text!r}:\n{self._output.decode()}"
        before, _, self._output = self._output.partition(wanted)
        return before.decode()

    def interrupt(self) -> None:
        """Send SIGINT, as Ctrl-C does."""
        self._program.send_signal(signal.SIGINT)

    def close(self) -> int:
        """Close its input and wait for its end; return its exit code."""
        assert self._program.stdin is not None
        self._program.stdin.close()
        while self._read():
            pass
        return self._program.wait(LIMIT_S)

    def _read(self) -> bool:
        """Read more of its output; False at the end."""
        assert self._program.stdout is not None
        ready, _, _ = select.select([self._program.stdout], [], [], LIMIT_S)
        assert ready, f"nothing comes after\n{self._output.decode()}"
        chunk = os.read(self._program.stdout.fileno(), 65_536)
        self._output += chunk
        return bool(chunk)
