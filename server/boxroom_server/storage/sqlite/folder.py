"""A server's data folder: where it is, what is in it, and that one server at a time has it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from boxroom_server.storage.sqlite.schema import NotOurs

FOLDER_VARIABLE = "BOXROOM_DATA"
"""Names the data folder of servers that aren't told another one."""


class DataFolder:
    """The files of one server."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / "boxroom.db"
        self.admin_socket = path / "admin.sock"
        self._lock = path / "lock"

    @classmethod
    def usual(cls) -> "DataFolder":
        """The folder of servers that aren't told another one."""
        told = os.environ.get(FOLDER_VARIABLE)
        return cls(Path(told) if told else platformdirs.user_data_path("boxroom", appauthor=False))

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Have the folder for oneself; the system ends that with the process, however it ends.

        Raises:
            NotOurs: another server has it.
            OSError: there can be no such folder.
        """
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock.touch(mode=0o600)
        with self._lock.open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                owner = lock.read().strip() or "unknown"
                raise NotOurs(
                    f"{self.path} belongs to another server that runs (process {owner}):"
                    " stop that one, or choose another folder with --data"
                ) from None
            lock.truncate(0)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
            yield
