"""The real program in a real terminal: pexpect types, pyte is the screen."""

import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import pexpect
import pyte

PROGRAM = (sys.executable, "-m", "boxroom_client")
LIMIT_S = 30.0
"""Longest wait for an output or an end."""

CTRL_C = "\x03"
CTRL_D = "\x04"
CTRL_U = "\x15"
CTRL_Z = "\x1a"


class _Screen(pyte.Screen):
    """A screen that answers the program when it asks for the position of the cursor."""

    def __init__(self, columns: int, lines: int, answer: Callable[[str], None]) -> None:
        super().__init__(columns, lines)
        self._answer = answer
        self.titles: list[str] = []
        """All titles that the program gave the window."""

    def set_title(self, param: str) -> None:
        """Note the title."""
        super().set_title(param)
        self.titles.append(param)

    def write_process_input(self, data: str) -> None:
        """Send `data` as if it were typed."""
        self._answer(data)


class Terminal:
    """A program in a terminal of `columns` by `lines`; a context manager that ends it."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        lines: int = 100,
        environ: Mapping[str, str] | None = None,
        command: tuple[str, ...] = PROGRAM,
        pause_s: float | None = None,
    ) -> None:
        """Start it; `pause_s` is the time before each key, which a test that waits doesn't need."""
        self.screen = _Screen(columns, lines, self._answer)
        self._stream = pyte.Stream(self.screen)
        self.written = ""
        """Everything that the program has written."""
        self._rows: dict[int, str] = {}  # of the screen, by number from the top
        name, *rest = (*command, *arguments)
        self._child = pexpect.spawn(
            name,
            rest,
            env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **(environ or {})},
            dimensions=(lines, columns),
            encoding="utf-8",
            timeout=LIMIT_S,
        )
        self._child.delaybeforesend = pause_s

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._child.closed:
            return
        if not self._child.isalive():
            process: Any = self._child.ptyproc  # type: ignore[attr-defined]
            process.delayafterclose = 0
        try:
            self._child.close(force=True)
        except pexpect.ExceptionPexpect:  # it was killed, but takes long to end on a busy machine
            self._child.wait()

    @property
    def pid(self) -> int:
        """Of the program."""
        assert self._child.pid is not None
        return int(self._child.pid)

    def hang_up(self) -> None:
        """Close the terminal under the program, as a window that is closed does."""
        process: Any = self._child.ptyproc  # type: ignore[attr-defined]
        process.fileobj.close()
        process.fd = self._child.child_fd = -1
        process.closed = self._child.closed = True

    def type(self, line: str) -> None:
        """Type `line`, and Enter."""
        self._child.send(f"{line}\r")

    def press(self, key: str) -> None:
        """Type `key` and nothing else."""
        self._child.send(key)

    def click(self, x: int, y: int) -> None:
        """Press and release the left button on a cell, both from 0."""
        self.press(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def on_board(self, name: str) -> tuple[int, int] | None:
        """The cell of a free place, by its name, on the board of the full screen."""
        place = re.compile(rf"(?<![\w.]){name}(?![\w.])")
        for y, line in enumerate(self.text.split("\n")):
            board = line.partition("│")[0]
            found = place.search(board)
            if found and re.search(r"[•┃┊]|[hv]\d+ +[hv]\d+", board) and "type" not in board:
                return found.start(), y
        return None

    def click_on_board(self, name: str) -> None:
        """Click on a free place."""
        place = self.on_board(name)
        assert place is not None, f"{name} isn't free:\n{self.text}"
        self.click(*place)

    def resize(self, columns: int, lines: int) -> None:
        """Make the window another size, and tell the program."""
        self.screen.resize(lines, columns)
        self._child.setwinsize(lines, columns)

    def wait_for(self, text: str, *, times: int = 1) -> None:
        """Wait until the screen shows `text`."""
        until = time.monotonic() + LIMIT_S
        while self.text.count(text) < times:
            assert time.monotonic() < until, f"no {text!r} in\n{self.text}"
            assert self._read(), f"it ended without {text!r}:\n{self.text}"

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something `holds`."""
        until = time.monotonic() + LIMIT_S
        while not holds():
            assert time.monotonic() < until, f"not {what}:\n{self.text}"
            self._read()

    def read_more(self) -> bool:
        """Read what it prints, if it soon prints something; return False at its end."""
        return self._read()

    def fileno(self) -> int:
        """Return the descriptor from which its output is read, for event loops."""
        return self._child.fileno()

    def wait_until_gone(self, text: str) -> None:
        """Wait until the screen doesn't show `text`."""
        self.wait_until(lambda: text not in self.text, f"without {text!r}")

    def wait_for_end(self) -> int:
        """Wait until the program ends; return its exit code."""
        until = time.monotonic() + LIMIT_S
        while self._read():
            assert time.monotonic() < until, f"it doesn't end:\n{self.text}"
        self._child.wait()
        assert self._child.exitstatus is not None, f"killed by {self._child.signalstatus}"
        return int(self._child.exitstatus)

    @property
    def text(self) -> str:
        """Text on the screen, without spaces at the ends of lines."""
        for y in self.screen.dirty:  # only these, as it takes long
            cells = self.screen.buffer[y]
            row = "".join(cells[x].data for x in range(self.screen.columns))
            self._rows[y] = row.rstrip(" ")
        self.screen.dirty.clear()
        return "\n".join(self._rows[y] for y in range(self.screen.lines))

    def _read(self) -> bool:
        """Read more of its output onto the screen; False at the end."""
        try:
            chunk = self._child.read_nonblocking(65_536, timeout=0.1)
            self.written += chunk
            self._stream.feed(chunk)
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            return False
        return True

    def _answer(self, report: str) -> None:
        if self._child.isalive():
            self._child.send(report)

    @property
    def modes(self) -> frozenset[int]:
        """Private modes that are set, such as 1049 for the alternate screen."""
        return frozenset(mode >> 5 for mode in self.screen.mode if mode & 31 == 0)


BASH = ("bash", "--norc", "--noprofile", "-i")


def in_a_shell(*arguments: str, shell: tuple[str, ...] = BASH) -> Terminal:
    """Return a terminal with a shell in which the program is started."""
    # A program that goes on draws a moment before it has the terminal's keys again.
    terminal = Terminal(command=shell, lines=24, environ={"PS1": "shell: "}, pause_s=0.05)
    terminal.wait_for("shell:")
    terminal.type(" ".join((*PROGRAM, *arguments)))
    return terminal
