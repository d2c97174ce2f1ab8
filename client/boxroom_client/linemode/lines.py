"""Sources of typed lines: a terminal, or a pipe, file or device as standard input."""

import asyncio
import io
import os
import queue
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractContextManager,
    contextmanager,
    nullcontext,
    redirect_stdout,
    suppress,
)
from typing import Protocol, TextIO

from boxroom_client.shell.frontend import Interrupted
from boxroom_common.terminals import has_terminal
from boxroom_engine.decoding import decoded_line

_LINE_END = re.compile(rb"\r\n|\r|\n")
_END_OF_FILE = b"\x1a"  # Ctrl-Z, as programs of DOS write it

if sys.platform == "win32":

    def _end_of_input(descriptor: int, key: bytes | None) -> AbstractContextManager[bytes]:
        return nullcontext(b"")  # Ctrl-D is a key like any other there

else:
    import termios

    @contextmanager
    def _end_of_input(descriptor: int, key: bytes | None) -> Iterator[bytes]:
        """Let `key`, or none, end a terminal's input in the context; yield the key before."""
        no_key = bytes([os.fpathconf(descriptor, "PC_VDISABLE") & 0xFF])
        before = _change_end(descriptor, key or no_key)
        try:
            yield before
        finally:
            if has_terminal():
                with suppress(termios.error):  # the terminal has gone
                    _change_end(descriptor, before)

    def _change_end(descriptor: int, key: bytes) -> bytes:
        """Set the key that ends a terminal's input; return the one before."""
        attributes = termios.tcgetattr(descriptor)
        before: bytes = attributes[6][termios.VEOF]
        attributes[6][termios.VEOF] = key
        termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
        return before


def never() -> bool:
    """Return False: the line is shown."""
    return False


class Lines(Protocol):
    """A source of lines."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person types, and sees what is printed."""

    def opened(self) -> AbstractContextManager[None]:
        """Return the context in which lines are read while other tasks print."""

    async def next(
        self, prompt: Callable[[], str], is_secret: Callable[[], bool] = never
    ) -> str | None:
        """Return the next line without its end, or None when there are no more.

        A terminal shows the prompt, and calls `prompt` again whenever something is printed. While
        the line `is_secret`, it shows nothing of the line, nor recalls it.

        Raises:
            Interrupted: Ctrl-C was typed instead of a line.
        """

    def clear(self) -> None:
        """Clear the terminal, if it can."""


class TerminalLines:
    """Lines that a person types, with editing and history; output appears above the line."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        # Here, because it takes a tenth of a second to import, and a pipe doesn't need it.
        from prompt_toolkit import PromptSession
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.key_binding import merge_key_bindings

        from boxroom_client.grapheme_cells import ClusterProcessor, ClusterRenderer, cluster_keys
        from boxroom_client.job_control import JobControl
        from boxroom_client.shell.input.line_history import LineHistory

        self._end_before = b""  # the key that ends the input while no lines are read
        self._job_control = JobControl(lambda: _end_of_input(descriptor, self._end_before))
        self._is_secret = never  # of the line that is typed
        # Keeps the history of typed lines.
        self._session: PromptSession[str] = PromptSession(
            history=LineHistory(self._hides_line),
            is_password=Condition(self._hides_line),
            key_bindings=merge_key_bindings([cluster_keys(), self._job_control.keys()]),
            input_processors=[ClusterProcessor()],
        )
        ClusterRenderer.draw(self._session.app)

    def _hides_line(self) -> bool:
        return self._is_secret()

    @property
    def is_terminal(self) -> bool:
        return True

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Redirect printed text to above the line that is being typed.

        No key ends the input meanwhile. While text is printed, prompt_toolkit puts the terminal
        back into its usual mode, where Ctrl-D would be an end, of which nothing is left afterwards.
        """
        from prompt_toolkit.patch_stdout import patch_stdout

        # raw: our own colours pass; texts are cleaned before
        with (
            _end_of_input(self._descriptor, None) as self._end_before,
            self._job_control.active(),
            patch_stdout(raw=True),
        ):
            yield

    async def next(
        self, prompt: Callable[[], str], is_secret: Callable[[], bool] = never
    ) -> str | None:
        """Return the next line; None after Ctrl-D."""
        from boxroom_client.grapheme_cells import in_cells

        self._is_secret = is_secret
        try:
            return await self._session.prompt_async(lambda: in_cells(prompt()))
        except EOFError:
            return None
        except KeyboardInterrupt:
            raise Interrupted from None

    def clear(self) -> None:
        """Clear the terminal; the line that is typed stays."""
        self._session.app.renderer.clear()
        self._session.app.invalidate()


class PipedLines:
    """Lines from a pipe, a file or a device.

    A thread reads, because event loops can't wait for files. It is a daemon, because nothing
    can wake it while it reads from a silent pipe. It reads the file descriptor itself: a daemon
    inside a buffered `sys.stdin` is a fatal error when Python ends.
    """

    _MOST_BYTES = 65_536

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        # One future for each line that is waited for.
        self._wanted: queue.SimpleQueue[asyncio.Future[str | None]] = queue.SimpleQueue()

    @property
    def is_terminal(self) -> bool:
        return False

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Start the thread, which reads a line whenever one is wanted."""
        threading.Thread(target=self._serve, name="boxroom-stdin", daemon=True).start()
        yield

    async def next(
        self, prompt: Callable[[], str], is_secret: Callable[[], bool] = never
    ) -> str | None:
        """Return the next line; None from the end on. The prompt isn't shown."""
        wanted: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._wanted.put(wanted)
        return await wanted

    def clear(self) -> None:
        """Leave what was written: it can't be taken back."""

    def _serve(self) -> None:
        lines = self._lines()
        while True:
            wanted = self._wanted.get()
            line = next(lines, None)
            with suppress(RuntimeError):  # the loop is closed, so no task waits any more
                wanted.get_loop().call_soon_threadsafe(_answer, wanted, line)

    def _lines(self) -> Iterator[str]:
        """Yield the input line by line; a line of more than `_MOST_BYTES` is cut."""
        rest, is_after_return = b"", False
        while chunk := self._read():
            written = chunk.removeprefix(b"\n") if is_after_return else chunk
            is_after_return = chunk.endswith(b"\r")
            *lines, rest = _LINE_END.split(rest + written)
            if len(rest) > self._MOST_BYTES:
                lines, rest = [*lines, rest], b""
            yield from map(decoded_line, lines)
        if rest := rest.rstrip(_END_OF_FILE):
            yield decoded_line(rest)

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, self._MOST_BYTES)
        except OSError:  # closed, a directory, a terminal that has gone: no more lines
            return b""


class DumbTerminalLines(PipedLines):
    """Lines that a person types in a terminal that can't move its cursor, as TERM=dumb says.

    The terminal itself edits the line. What is printed meanwhile begins a new line, and the
    prompt is written again below it as soon as no more comes.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        self._is_open = False  # whether the thread runs
        # The prompt of the line that is waited for; None while none is.
        self._prompt: Callable[[], str] | None = None
        self._is_prompting = False  # whether the last line of the output is the prompt
        self._due: asyncio.TimerHandle | None = None  # the next writing of the prompt
        self._output: TextIO = sys.stdout  # what prompts are written to

    @property
    def is_terminal(self) -> bool:
        return True

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Watch what is printed, to write the prompt after it."""
        self._output = sys.stdout
        with redirect_stdout(_WatchedOutput(self._output, self._end_prompt)):
            if self._is_open:
                yield
                return
            self._is_open = True
            with super().opened():
                yield

    async def next(
        self, prompt: Callable[[], str], is_secret: Callable[[], bool] = never
    ) -> str | None:
        """Return the next line; None after Ctrl-D. The terminal shows it in any case."""
        self._prompt = prompt
        self._write_prompt_soon()
        try:
            return await super().next(prompt)
        finally:
            self._prompt, self._is_prompting = None, False  # Enter has ended its line

    def _end_prompt(self) -> str:
        """Return what has to come before something that is printed now."""
        self._write_prompt_soon()
        end, self._is_prompting = "\n" if self._is_prompting else "", False
        return end

    def _write_prompt_soon(self) -> None:
        if self._due is not None:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(_SETTLED_S, self._write_prompt)

    def _write_prompt(self) -> None:
        if self._prompt is not None and not self._is_prompting:
            self._output.write(self._prompt())
            self._output.flush()
            self._is_prompting = True


_SETTLED_S = 0.05
"""Seconds without output after which the prompt is written."""


class _WatchedOutput(io.TextIOBase):
    """Standard output that calls `before` for what comes before each text."""

    def __init__(self, output: TextIO, before: Callable[[], str]) -> None:
        self._output = output
        self._before = before

    def write(self, text: str) -> int:
        return self._output.write(f"{self._before()}{text}")

    def flush(self) -> None:
        self._output.flush()


def _answer(wanted: asyncio.Future[str | None], line: str | None) -> None:
    if not wanted.done():
        wanted.set_result(line)
