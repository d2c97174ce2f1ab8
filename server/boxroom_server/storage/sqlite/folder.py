"""A server's data folder: its place, its files, and the lock that keeps other servers out."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

import platformdirs

from boxroom_common.file_lock import try_to_lock_file, unlock_file
from boxroom_common.folders import make_folder, sync_folder
from boxroom_common.own_folders import own_folder
from boxroom_server.storage.sqlite.schema import UnusableData

FOLDER_VARIABLE = "BOXROOM_DATA"
"""Environment variable with the default data folder."""


LOCK = "lock"
"""Name of the file that a server locks; it holds the process id and the boot id."""

UNKNOWN = "unknown"
"""Stands for a boot id where the system has none."""


class LastUse(NamedTuple):
    """Facts about the server that had a folder last."""

    has_saved: bool
    """Whether it may have saved something in the database."""
    is_same_boot: bool
    """Whether the system is known to have run without a break since then."""


class DataFolder:
    """Paths of the files of one server."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / "boxroom.db"
        self.admin_socket = path / "admin.sock"
        self._lock = path / LOCK
        self._used = path / "used"  # exists since a database was made

    @classmethod
    def default(cls) -> "DataFolder":
        """Return the folder of a server without `--data`.

        Raises:
            Failure: neither the environment nor the user has one.
        """
        usual = partial(platformdirs.user_data_path, "boxroom", appauthor=False)
        return cls(own_folder(FOLDER_VARIABLE, usual))

    @contextmanager
    def locked(self) -> Iterator[LastUse]:
        """Make the folder if need be, and lock it while the context lasts.

        The system releases the lock with the process, however the process ends. Yields what is
        known of the server that had it last.

        Raises:
            UnusableData: another server has locked it.
            OSError: the folder can't be made.
        """
        make_folder(self.path)
        self._lock.touch(mode=0o600)
        with self._lock.open("a+", errors="replace") as lock:
            if not try_to_lock_file(lock.fileno()):
                lock.seek(0)
                owner = (lock.readline().split() or [UNKNOWN])[0]
                raise UnusableData(
                    f"{self.path} belongs to another server that runs (process {owner}):"
                    " stop that one, or choose another folder with --data"
                )
            with _released(lock):
                lock.seek(0)
                last_use = self._last_use(lock.read())
                lock.truncate(0)
                lock.write(f"{os.getpid()} {_boot_id()}\n")
                lock.flush()
                yield last_use

    def _last_use(self, text: str) -> LastUse:
        """Return what the `text` of the lock tells; after a power cut it may be a part."""
        words = text.split()
        return LastUse(
            has_saved=self._used.exists(),
            is_same_boot=len(words) == 2 and words[1] == _boot_id() != UNKNOWN,
        )

    def mark_used(self) -> None:
        """Note that there is a database from now on."""
        if not self._used.exists():
            self._used.write_text(
                "A server has saved something in boxroom.db. If that is lost or empty, no server\n"
                "starts here: restore a backup. To begin anew, take a new folder.\n"
            )
            sync_folder(self.path)


def is_locked(path: Path) -> bool:
    """Return whether a server has the data folder at `path`."""
    try:
        with (path / LOCK).open() as lock:
            if not try_to_lock_file(lock.fileno(), shared=True):
                return True
            with _released(lock):
                return False
    except FileNotFoundError:
        return False


@contextmanager
def _released(lock: IO[str]) -> Iterator[None]:
    """Release the lock on a file at the end of the context.

    Closing the file isn't enough: a child process that another thread starts in this moment has it
    open, too, until it runs its program.
    """
    try:
        yield
    finally:
        unlock_file(lock.fileno())


def _boot_id() -> str:
    """Return the id that Linux draws when it starts."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return UNKNOWN
