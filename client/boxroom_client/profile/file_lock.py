"""A lock on a file, which the system releases when the process that holds it ends.

POSIX has `flock`, which belongs to the open file: it ends with the process however that ends,
SIGKILL included. Windows has `msvcrt.locking`, which does the same for our purpose. Where
the file system has no locks (some network shares) the lock is always granted: two clients
may then use one identity, and the server lets the one that comes later replace the other.
"""

import errno
import os
import sys
from pathlib import Path
from typing import Self

_NO_LOCKS_HERE = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP})

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in _NO_LOCKS_HERE:
                raise
        return True


class FileLock:
    """A lock that this process holds; `FileLock.acquire` makes one."""

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
            is_ours = _lock(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        if not is_ours:
            os.close(descriptor)
            return None
        return cls(descriptor)

    def release(self) -> None:
        """Release the lock."""
        os.close(self._descriptor)
