"""Where typed lines come from: a terminal, or whatever else standard input is."""

import asyncio
import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Protocol

from boxroom_client.shell.front import Interrupted


class Lines(Protocol):
    """Gives one line after the other."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person types, and sees what is printed."""

    def opened(self) -> AbstractContextManager[None]:
        """While lines are read and others print."""

    async def next(self, prompt: Callable[[], str]) -> str | None:
        """The next line without its end, or None when there are no more.

        A person sees what `prompt` gives, which is asked whenever something is printed.

        Raises:
            Interrupted: instead of a line, Ctrl-C was typed.
        """


class TerminalLines:
    """A person types, with editing and history; what is printed appears above the line."""

    def __init__(self) -> None:
        # Here, because it takes a tenth of a second to import, and a pipe doesn't need it.
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory

        self._session: PromptSession[str] = PromptSession(history=InMemoryHistory())

    @property
    def is_terminal(self) -> bool:
        """It is."""
        return True

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Everything that is printed goes above the line that is being typed."""
        from prompt_toolkit.patch_stdout import patch_stdout

        with patch_stdout(raw=True):  # raw: our own colours pass; texts are cleaned before
            yield

    async def next(self, prompt: Callable[[], str]) -> str | None:
        """The next line; None after Ctrl-D."""
        try:
            return await self._session.prompt_async(prompt)
        except EOFError:
            return None
        except KeyboardInterrupt:
            raise Interrupted from None


class PipedLines:
    """Lines from a pipe, a file or a device.

    A thread reads, because event loops can't wait for files. It is a daemon, as nothing can
    wake it from a pipe in which nothing comes, and it reads the file descriptor itself: a
    daemon in the middle of a buffered `sys.stdin` is a fatal error when Python ends.
    """

    _MOST_BYTES = 65_536

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._wanted: queue.SimpleQueue[asyncio.Future[str | None]] = queue.SimpleQueue()

    @property
    def is_terminal(self) -> bool:
        """It isn't."""
        return False

    @contextmanager
    def opened(self) -> Iterator[None]:
        """While it lasts, the thread reads a line whenever one is wanted."""
        threading.Thread(target=self._serve, name="boxroom-stdin", daemon=True).start()
        yield

    async def next(self, prompt: Callable[[], str]) -> str | None:
        """The next line; None at the end, and ever after. Nobody sees a prompt."""
        wanted: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._wanted.put(wanted)
        return await wanted

    def _serve(self) -> None:
        lines = self._lines()
        while True:
            wanted = self._wanted.get()
            line = next(lines, None)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                wanted.get_loop().call_soon_threadsafe(_answer, wanted, line)

    def _lines(self) -> Iterator[str]:
        """What comes, line by line; a line that never ends is cut."""
        rest = b""
        while chunk := self._read():
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > self._MOST_BYTES:
                lines, rest = [*lines, rest], b""
            for line in lines:
                yield line.decode(errors="replace").rstrip("\r")
        if rest:
            yield rest.decode(errors="replace")

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, self._MOST_BYTES)
        except OSError:  # closed, a directory, a terminal that has gone: no more lines
            return b""


def _answer(wanted: asyncio.Future[str | None], line: str | None) -> None:
    if not wanted.done():
        wanted.set_result(line)
