"""The key that suspends a program: a terminal does so only where it reads the keys itself."""

import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager

from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.utils import suspend_to_background_supported


def suspend_key(given_back: Callable[[], AbstractContextManager[object]]) -> KeyBindings:
    """Return a key binding of Ctrl-Z that suspends the program, where the system can.

    prompt_toolkit gives the terminal back meanwhile, and draws again afterwards. The process is
    stopped in the context from `given_back`, which gives back what else was changed.
    """

    def stop() -> None:
        with given_back():
            os.kill(0, signal.SIGTSTP)  # the group: a shell suspends a pipe as a whole

    keys = KeyBindings()
    can_suspend = Condition(suspend_to_background_supported)
    keys.add("c-z", filter=can_suspend)(lambda _: run_in_terminal(stop))
    return keys
