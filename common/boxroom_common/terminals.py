"""Abilities of a terminal, as the stream and the environment tell them."""

import codecs
import os
import sys
from collections.abc import Mapping
from typing import TextIO


def has_colours(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether `stream` may be coloured, by https://no-color.org and TERM."""
    return stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM", "dumb") != "dumb"


def is_ascii_only(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether `stream` or the locale supports ASCII only."""
    if codecs.lookup(stream.encoding or "ascii").name != "utf-8":
        return True
    # Python writes UTF-8 in the C locale too, but a person who asks for C has a reason.
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or "UTF-8"
    return "UTF8" not in locale.upper().replace("-", "")


def has_terminal() -> bool:
    """Return whether the program may use its terminal: it isn't in the background of a shell."""
    if sys.platform == "win32":
        return True
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):  # there is none, or it has gone
        return True
