"""Parts of POSIX that Windows lacks, each as far as this system has it."""

import os
import signal
import socket
import sys

from boxroom_engine.errors import BoxroomError


class NoUnixSockets(BoxroomError):
    """This system has no Unix sockets."""


def signals_here(*names: str) -> tuple[signal.Signals, ...]:
    """Return the signals of these names that this system has."""
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


def user_id() -> int | None:
    """Return the id of the user whose rights this process has; None if the system has no ids."""
    if sys.platform == "win32":
        return None
    return os.geteuid()


def unix_socket() -> socket.socket:
    """Return a new Unix socket.

    Raises:
        NoUnixSockets: this system has none.
    """
    if sys.platform == "win32":
        raise NoUnixSockets("boxroom admin needs Unix sockets, which Python lacks on Windows")
    return socket.socket(socket.AF_UNIX)
