"""Shows Boxroom a Python as on Windows: without what POSIX has, and with what Windows has instead.

Python imports this module when it starts with this folder in PYTHONPATH, in child processes too.
Only modules of Boxroom see the difference: Python's own and those of others support Windows
themselves, and go on as they do here. Which names Windows has, and how they are called, is checked
by mypy (`--platform win32`); behaviour of Windows itself can't be tested so.
"""

import asyncio
import builtins
import errno
import fcntl
import multiprocessing.connection
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

MISSING_MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty", "uvloop")

MISSING_NAMES = {
    asyncio: ("open_unix_connection", "start_unix_server"),
    os: (
        *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG"),
        *("chown", "confstr_names", "fchmod", "fork", "fpathconf", "getegid", "geteuid", "getgid"),
        *("getpgid", "getpgrp", "getpriority", "getsid", "getuid", "killpg", "memfd_create"),
        *("mkfifo", "nice", "openpty", "pidfd_open", "pread", "pwrite", "register_at_fork"),
        *("sched_getaffinity", "sendfile", "setpgid", "setpriority", "setsid", "statvfs"),
        *("sysconf", "tcgetpgrp", "tcsetpgrp", "ttyname", "uname", "waitid"),
    ),
    signal: (
        *("SIGALRM", "SIGBUS", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGIO", "SIGKILL", "SIGPIPE"),
        *("SIGPROF", "SIGQUIT", "SIGSTOP", "SIGSYS", "SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU"),
        *("SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ"),
        *("SIG_BLOCK", "SIG_SETMASK", "SIG_UNBLOCK", "alarm", "pthread_kill", "pthread_sigmask"),
        *("setitimer", "sigwait"),
    ),
    socket: ("AF_UNIX", "SO_PEERCRED"),
}

MISSING_OF_EVENT_LOOPS = (
    *("add_reader", "add_signal_handler", "add_writer", "create_unix_server"),
    *("connect_read_pipe", "connect_write_pipe"),  # for pipes as `subprocess` makes them
)


class View(ModuleType):
    """A module as it is on Windows: without the names `missing`, with those of `instead`."""

    def __init__(self, module: ModuleType, missing: Sequence[str], instead: Mapping[str, Any]):
        super().__init__(module.__name__)
        vars(self).update(_module=module, _missing=frozenset(missing), **instead)

    def __getattr__(self, name: str) -> Any:
        if name in self._missing:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} on Windows")
        return getattr(self._module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)


def locking(descriptor: int, change: int, _: int) -> None:
    """Lock as `msvcrt.locking` does, but the whole file."""
    try:
        fcntl.flock(descriptor, change)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "locked") from None


MSVCRT = ModuleType("msvcrt")
vars(MSVCRT).update(
    locking=locking,
    LK_LOCK=fcntl.LOCK_EX,
    LK_NBLCK=fcntl.LOCK_EX | fcntl.LOCK_NB,
    LK_UNLCK=fcntl.LOCK_UN,
)

INSTEAD: dict[ModuleType, dict[str, Any]] = {
    multiprocessing.connection: {"PipeConnection": multiprocessing.connection.Connection},
    subprocess: {"CREATE_NEW_PROCESS_GROUP": 0},
    sys: {"platform": "win32"},
}

VIEWS: dict[str, ModuleType] = {
    module.__name__: View(module, MISSING_NAMES.get(module, ()), INSTEAD.get(module, {}))
    for module in (*MISSING_NAMES, *INSTEAD)
}
VIEWS["msvcrt"] = MSVCRT

really_import = builtins.__import__


def is_boxroom(module: Mapping[str, Any]) -> bool:
    """Return whether these are the global names of a module of Boxroom."""
    return str(module.get("__name__")).startswith("boxroom")


def import_as_on_windows(
    name: str,
    globals: Mapping[str, Any] | None = None,  # noqa: A002
    locals: Mapping[str, Any] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    """Import a module for one of Boxroom as it is on Windows, and for others as it is here."""
    if is_boxroom(globals or {}):
        if name in MISSING_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
        if name in VIEWS and (fromlist or "." not in name):
            return VIEWS[name]
    return really_import(name, globals, locals, fromlist, level)


def missing_for_boxroom(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return `method` as it is, but for modules of Boxroom it raises what it does on Windows."""

    def called(*args: Any, **kwargs: Any) -> Any:
        if is_boxroom(sys._getframe(1).f_globals):
            raise NotImplementedError
        return method(*args, **kwargs)

    return called


builtins.__import__ = import_as_on_windows
for each in MISSING_OF_EVENT_LOOPS:
    usual = getattr(asyncio.SelectorEventLoop, each)
    setattr(asyncio.SelectorEventLoop, each, missing_for_boxroom(usual))
