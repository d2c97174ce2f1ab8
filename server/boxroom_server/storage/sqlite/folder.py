"""A server's data folder: its place, its files, and the lock that keeps other servers out."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from boxroom_server.storage.sqlite.schema import UnusableData

FOLDER_VARIABLE = "BOXROOM_DATA"
"""Environment variable with the default data folder."""


class DataFolder:
    """Paths of the files of one server."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / "boxroom.db"
        self.admin_socket = path / "admin.sock"
        self._lock = path / "lock"  # holds the id of the process that has locked it

    @classmethod
    def default(cls) -> "DataFolder":
        """Return the folder of a server without `--data`."""
        named = os.environ.get(FOLDER_VARIABLE)
        path = Path(named) if named else platformdirs.user_data_path("boxroom", appauthor=False)
        return cls(path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Make the folder if need be, and lock it while the context lasts.

        The system releases the lock with the process, however the process ends.

        Raises:
            UnusableData: another server has locked it.
            OSError: the folder can't be made.
        """
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock.touch(mode=0o600)
        with self._lock.open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                owner = lock.read().strip() or "unknown"
                raise UnusableData(
                    f"{self.path} belongs to another server that runs (process {owner}):"
                    " stop that one, or choose another folder with --data"
                ) from None
            lock.truncate(0)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
            yield
