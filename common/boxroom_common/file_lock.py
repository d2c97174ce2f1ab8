"""Locks on files, which the system releases when the process that holds them ends.

POSIX has `flock`, which belongs to the open file: it ends with the process however that ends,
SIGKILL included. Windows has `msvcrt.locking`, which does the same for our purpose, but keeps other
processes from the bytes that are locked: the lock is on one far behind the content.
"""

import errno
import os
import sys
from pathlib import Path
from typing import Self

if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 0x7FFF_FFFE  # SQLite locks those from 0x4000_0000 on

    def lock_file(descriptor: int) -> None:
        """Lock an open file, and wait for that until no other lock excludes it."""
        while True:
            try:
                return _change_lock(descriptor, msvcrt.LK_LOCK)
            except OSError as error:
                if error.errno != errno.EDEADLK:  # ten seconds are over
                    raise

    def try_to_lock_file(descriptor: int, *, shared: bool = False) -> bool:
        """Lock an open file; return False if another has locked it. All locks exclude others."""
        try:
            _change_lock(descriptor, msvcrt.LK_NBLCK)
        except PermissionError:
            return False
        return True

    def unlock_file(descriptor: int) -> None:
        """Release the lock on an open file."""
        _change_lock(descriptor, msvcrt.LK_UNLCK)

    def _change_lock(descriptor: int, change: int) -> None:
        before = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, change, 1)
        finally:
            os.lseek(descriptor, before, os.SEEK_SET)

else:
    import fcntl

    def lock_file(descriptor: int) -> None:
        """Lock an open file, and wait for that until no other lock excludes it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def try_to_lock_file(descriptor: int, *, shared: bool = False) -> bool:
        """Lock an open file; return False if another has locked it. Shared locks exclude no others.

        Raises:
            OSError: the file system has no locks.
        """
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock_file(descriptor: int) -> None:
        """Release the lock on an open file."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)


_NO_LOCKS_HERE = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP})


class FileLock:
    """A lock that this process holds; `FileLock.acquire` makes one.

    Where the file system has no locks (some network shares) it is always granted: two clients may
    then use one identity, and the server lets the one that comes later replace the other.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, path: Path) -> Self | None:
        """Lock the file at `path`; return None if it is locked already, even by this process.

        The file is created if need be and never removed: otherwise two processes could lock two
        files of the same name.

        Raises:
            OSError: the file can't be created or opened.
        """
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            is_ours = try_to_lock_file(descriptor)
        except OSError as error:
            if error.errno in _NO_LOCKS_HERE:
                return cls(descriptor)
            os.close(descriptor)
            raise
        if not is_ours:
            os.close(descriptor)
            return None
        return cls(descriptor)

    def release(self) -> None:
        """Release the lock."""
        os.close(self._descriptor)
