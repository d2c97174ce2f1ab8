"""The background of the terminal, dark or light, which a theme has to suit.

A terminal that knows OSC 11 tells its background's colour when it is asked:
https://invisible-island.net/xterm/ctlseqs/ctlseqs.html. The question is followed by another one
that every terminal answers (primary device attributes), so that one without OSC 11 costs no
waiting. Keys that are typed meanwhile go to the first screen. Without an answer, COLORFGBG tells
it, which some terminals set.
"""

import os
import re
import select
import sys
import time
from collections.abc import Mapping
from typing import Literal

from prompt_toolkit.application.current import get_app_session
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding.key_processor import KeyPress

Background = Literal["dark", "light"]

LIMIT_S = 0.25
"""Seconds to wait for the answers."""

_QUESTIONS = b"\x1b]11;?\x1b\\\x1b[c"
_COLOUR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F/]*)(?:\x07|\x1b\\)")
_ATTRIBUTES = re.compile(rb"\x1b\[\?[0-9;]*c")
_UNFINISHED = re.compile(r"(?:\x1b\]11?|\x1b\]11;[^\x07\x1b]{0,40}\x1b?|\x1b\[\?[0-9;]{0,40})\Z")
"""The beginning of an answer; not Esc or Alt-[, which are keys."""
_ANSWER = re.compile(r"\x1b\]11;[^\x07\x1b]{0,40}(?:\x07|\x1b\\)|\x1b\[\?[0-9;]{0,40}c")

_SILENT_TERMINALS = frozenset({"dumb", "linux", "eterm-color"})
"""Values of TERM for terminals that don't know OSC 11, or show it as text."""


def terminal_background(environ: Mapping[str, str]) -> Background | None:
    """Return the background of this process's terminal; None if it is unknown."""
    return _asked(environ) or background_in(environ)


def background_in(environ: Mapping[str, str]) -> Background | None:
    """Return the background by COLORFGBG, such as `15;0`; its last number is a colour's index."""
    index = environ.get("COLORFGBG", "").rpartition(";")[2]
    if not index.isdecimal() or int(index) > 15:
        return None
    return "light" if int(index) == 7 or int(index) > 8 else "dark"


def background_of(colour: bytes) -> Background | None:
    """Return the background that `colour`, as in `ffff/ffff/dddd`, is; None if it is none."""
    parts = colour.split(b"/")
    if len(parts) < 3 or not all(1 <= len(part) <= 4 for part in parts):
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in parts[:3])
    return "light" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 else "dark"


def _asked(environ: Mapping[str, str]) -> Background | None:
    if environ.get("TERM", "dumb") in _SILENT_TERMINALS or sys.platform == "win32":
        return None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    received = _ask(sys.stdin.fileno(), sys.stdout.fileno())
    typed = _ATTRIBUTES.sub(b"", _COLOUR.sub(b"", received))
    # In this mode the terminal sends a newline for Enter.
    _return_to_input(typed.decode("utf-8", "replace").replace("\n", "\r"))
    if _ATTRIBUTES.search(received) is None:
        _ignore_late_answers()
    colour = _COLOUR.search(received)
    return None if colour is None else background_of(colour[1])


if sys.platform == "win32":

    def _ask(keys: int, screen: int) -> bytes:
        return b""

    def _ignore_late_answers() -> None:
        pass

else:
    import termios
    import tty

    from prompt_toolkit.input.vt100 import Vt100Input

    def _ask(keys: int, screen: int) -> bytes:
        """Ask the terminal; return what came within the limit: answers, and what was typed."""
        before = termios.tcgetattr(keys)
        try:
            tty.setcbreak(keys, termios.TCSADRAIN)  # without TCSAFLUSH, which forgets typed keys
            os.write(screen, _QUESTIONS)
            return _read(keys, time.monotonic() + LIMIT_S)
        finally:
            termios.tcsetattr(keys, termios.TCSADRAIN, before)

    def _ignore_late_answers() -> None:
        keys = get_app_session().input
        if isinstance(keys, Vt100Input):
            answers, read = LateAnswers(), keys.stdin_reader.read
            keys.stdin_reader.read = (  # type: ignore[method-assign]
                lambda count=1024: answers.removed_from(read(count))
            )


def _read(keys: int, until_s: float) -> bytes:
    received = b""
    while _ATTRIBUTES.search(received) is None:
        left_s = until_s - time.monotonic()
        if left_s <= 0 or not select.select([keys], [], [], left_s)[0]:
            break
        chunk = os.read(keys, 1024)
        if not chunk:
            break
        received += chunk
    return received


def _return_to_input(typed: str) -> None:
    """Have the first screen read `typed` before anything else."""
    if not typed:
        return
    presses: list[KeyPress] = []
    parser = Vt100Parser(presses.append)
    parser.feed(typed)
    parser.flush()
    store_typeahead(get_app_session().input, presses)


class LateAnswers:
    """Removes answers of the terminal from what screens read: they would look like keys."""

    def __init__(self) -> None:
        self._unfinished = ""  # the beginning of what may be an answer

    def removed_from(self, text: str) -> str:
        """Return `text`, which comes next, without answers."""
        text = _ANSWER.sub("", self._unfinished + text)
        unfinished = _UNFINISHED.search(text)
        self._unfinished = unfinished[0] if unfinished else ""
        return text.removesuffix(self._unfinished)
