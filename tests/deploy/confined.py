"""Runs a command under the conditions of deploy/boxroom.service; a program of its own.

    python -m tests.deploy.confined mounts STATE    make all files but those in STATE read-only
    python -m tests.deploy.confined run STATE COMMAND…

The second becomes the command, with the environment of the service, no way to new privileges, and
its filters of system calls. Its caller has made the namespaces, and another user of it.
"""

import ctypes
import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.deploy.system_calls import Filter
from tests.deploy.unit import SERVICE, environment

_LIBC = ctypes.CDLL(None, use_errno=True)

# The numbers are those of Linux's headers.
_PR_SET_NO_NEW_PRIVS = 38
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_RDONLY = 1
_WRITE, _EXEC = 2, 4
_SHM_EXEC = 0o100000
_NEW_NAMESPACES = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
_FAMILIES = range(46)


class _MountAttributes(ctypes.Structure):
    """`struct mount_attr` of mount_setattr(2)."""

    _fields_ = tuple((name, ctypes.c_uint64) for name in ("add", "clear", "propagation", "users"))


def _checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _change_mount(path: str, flags: int, *, add: int = 0, clear: int = 0) -> None:
    attributes = _MountAttributes(add=add, clear=clear)
    size = ctypes.sizeof(attributes)
    reference = ctypes.byref(attributes)
    _checked(_LIBC.syscall(_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), flags, reference, size))


def make_read_only(state: str) -> None:
    """Do what ProtectSystem=strict does: only `state`, and what /proc shows, can be written."""
    subprocess.run(["mount", "--bind", state, state], check=True)
    _change_mount("/", _AT_RECURSIVE, add=_RDONLY)
    for path in (state, "/proc"):
        _change_mount(path, 0, clear=_RDONLY)


def _sets() -> dict[str, list[str]]:
    """Return the members of each set of system calls that systemd has; some are sets again."""
    done = subprocess.run(
        ["systemd-analyze", "--no-pager", "syscall-filter"], capture_output=True, check=True
    )
    found: dict[str, list[str]] = {}
    for line in done.stdout.decode().splitlines():
        if line.startswith("@"):
            found[line] = []
        elif line and not line.lstrip().startswith("#"):
            found[[*found][-1]].append(line.strip())
    return found


def allowed_calls() -> set[str]:
    """Return the system calls that SystemCallFilter= leaves; its first line allows some."""
    sets = _sets()

    def names(words: list[str]) -> Iterator[str]:
        for word in words:
            if word.startswith("@"):
                yield from names(sets[word])
            else:
                yield word

    found = set(names(["@default"]))
    for line in SERVICE["SystemCallFilter"]:
        if line.startswith("~"):
            found.difference_update(names(line[1:].split()))
        else:
            found.update(names(line.split()))
    return found


def _install_filters() -> None:
    """Refuse what the service is refused, by the names of its settings."""
    refused = Filter()
    if SERVICE["MemoryDenyWriteExecute"] == ["yes"]:
        refused.add("mmap", 2, _WRITE | _EXEC, _WRITE | _EXEC)
        refused.add("mprotect", 2, _EXEC, _EXEC)
        refused.add("pkey_mprotect", 2, _EXEC, _EXEC)
        refused.add("shmat", 2, _SHM_EXEC, _SHM_EXEC)
    if SERVICE["RestrictNamespaces"] == ["yes"]:
        refused.add("clone3", refusal=errno.ENOSYS)  # its flags are in memory
        refused.add("setns")
        for flag in _NEW_NAMESPACES:
            refused.add("clone", 0, flag, flag)
            refused.add("unshare", 0, flag, flag)
    (words,) = SERVICE["RestrictAddressFamilies"]
    families = {getattr(socket, word) for word in words.split()}
    for family in set(_FAMILIES) - families:
        refused.add("socket", 0, 2**64 - 1, family, refusal=errno.EAFNOSUPPORT)
    (name,) = SERVICE["SystemCallErrorNumber"]
    allowed = Filter(refuse_others=getattr(errno, name))
    for call in allowed_calls():
        allowed.add(call)
    refused.install()
    allowed.install()


def become(state: str, command: list[str]) -> None:
    """Run `command` instead of this program."""
    (mask,) = SERVICE["UMask"]
    os.umask(int(mask, 8))
    if SERVICE["NoNewPrivileges"] == ["yes"]:
        _checked(_LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _install_filters()
    os.chdir("/")
    os.execvpe(command[0], command, environment(Path(state)))


if __name__ == "__main__":
    action, state, *command = sys.argv[1:]
    if action == "mounts":
        make_read_only(state)
    else:
        become(state, command)
