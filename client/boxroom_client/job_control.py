"""Job control: a program that is stopped gives its terminal back, and takes it when it goes on.

Ctrl-Z and SIGTSTP stop it after prompt_toolkit has left its screen and modes. SIGSTOP can't be
caught: then the modes are set again when the program goes on, and everything is drawn anew. A
program that goes on in the background stops again, as the kernel stops all that read there, or
change the modes: https://www.gnu.org/software/libc/manual/html_node/Access-to-the-Terminal.html.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from types import FrameType

from prompt_toolkit.application import get_app, in_terminal
from prompt_toolkit.application.current import get_app_session
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.utils import suspend_to_background_supported

from boxroom_common.terminals import has_terminal

_ORPHAN_S = 0.2
"""Seconds between two looks at the terminal where the system doesn't stop the program."""

_PENDING_S = 0.05
"""Seconds to wait after SIGCONT for a signal that ends the program.

A shell sends SIGTERM just before it, but another thread may receive that, and Python see it later.
"""


class JobControl:
    """Stops the program when it is asked to, and takes the terminal when it goes on.

    Args:
        given_back: returns a context in which the program is stopped, and which gives back what
            was changed besides the screen and the modes of prompt_toolkit.
    """

    def __init__(self, given_back: Callable[[], AbstractContextManager[object]]) -> None:
        self._given_back = given_back
        self._stop: asyncio.Task[None] | None = None  # while the terminal is given back
        self._command: asyncio.Task[object] | None = None  # what a signal that ends it cancels

    def keys(self) -> KeyBindings:
        """Return a key binding of Ctrl-Z that stops the program, where the system can.

        It stops the group: a shell stops a pipe as a whole.
        """
        keys = KeyBindings()
        can_stop = Condition(suspend_to_background_supported)
        keys.add("c-z", filter=can_stop)(lambda _: self._give_back(lambda: _stop(0)))
        return keys

    @contextmanager
    def active(self) -> Iterator[None]:
        """Heed the signals in a context, which runs in the task that `run_until_done` cancels."""
        is_main = threading.current_thread() is threading.main_thread()
        if sys.platform == "win32" or not suspend_to_background_supported() or not is_main:
            yield
            return
        _keep_modes_in_background()
        loop, self._command = asyncio.get_running_loop(), asyncio.current_task()

        def handle(number: int, _: FrameType | None) -> None:
            if number == signal.SIGCONT and not has_terminal():
                if not self._is_ending():
                    time.sleep(_PENDING_S)
                if self._is_ending():
                    signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # reading would stop it again
                    get_app().renderer.cpr_support = CPR_Support.NOT_SUPPORTED  # answers the shell
                else:
                    _stop(os.getpid())  # before anything is drawn
            loop.call_soon_threadsafe(self._received, number == signal.SIGTSTP)

        numbers = (signal.SIGTSTP, signal.SIGCONT)
        before = [
            (number, signal.signal(number, handle))
            for number in numbers
            if signal.getsignal(number) is not signal.SIG_IGN
        ]
        try:
            yield
        finally:
            for number, handler in before:
                signal.signal(number, handler)

    def _received(self, is_to_stop: bool) -> None:
        if self._stop is not None:
            return  # it goes on, or is asked to stop once more meanwhile
        if is_to_stop:
            self._give_back(lambda: _stop(os.getpid()))
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Take the terminal after a stop that couldn't be caught."""
        app = get_app()
        if has_terminal() and app.is_running:
            app.input.raw_mode().__enter__()  # left by the application's own context
            self._give_back(lambda: None)  # leaves the screen, and draws it anew

    def _is_ending(self) -> bool:
        return get_app().is_done or bool(self._command and self._command.cancelling())

    def _give_back(self, stop: Callable[[], None]) -> None:
        self._stop = asyncio.create_task(self._stopped(stop))

    async def _stopped(self, stop: Callable[[], None]) -> None:
        try:
            async with in_terminal():
                with self._given_back():
                    stop()
                    await asyncio.sleep(0)  # the SIGCONT that ended this stop is received now
                    while not (self._is_ending() or has_terminal()):
                        await asyncio.sleep(_PENDING_S)
                        if not self._is_ending():
                            _stop(os.getpid())
                        await asyncio.sleep(0 if has_terminal() else _ORPHAN_S)
        finally:
            self._stop = None


def _stop(process: int) -> None:
    """Stop a process, or the whole group if it is 0, as SIGTSTP does without a handler."""
    if sys.platform == "win32":
        return
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    if handler is not signal.SIG_IGN:  # no shell with job control has started the program
        os.kill(process, signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)


def _keep_modes_in_background() -> None:
    """Keep prompt_toolkit from setting modes where it ends in the background, and would stop.

    The modes of a screen that begins in the background stop it until it may be shown.
    """
    terminal = get_app_session().input
    for name, waits in (("raw_mode", True), ("cooked_mode", False)):
        if name not in vars(terminal):
            setattr(terminal, name, partial(_modes, getattr(terminal, name), waits=waits))


@contextmanager
def _modes(set_modes: Callable[[], AbstractContextManager[None]], *, waits: bool) -> Iterator[None]:
    modes = set_modes()
    is_set = waits or has_terminal()
    if is_set:
        modes.__enter__()
    try:
        yield
    finally:
        if is_set and has_terminal():
            modes.__exit__(None, None, None)
