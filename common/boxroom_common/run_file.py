"""The run file of a server: while a server runs, it says where, and how it was started.

The server holds a lock beside its file as long as it lives. So a file whose lock is free was left
by a server that has crashed, or was killed: one that ends in an orderly way removes its file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from boxroom_common.atomic_file import write_atomically
from boxroom_common.file_lock import FileLock
from boxroom_engine.errors import BoxroomError

_MOST_BYTES = 100_000


class RunFileInUse(BoxroomError):
    """Another server that runs holds this run file."""


class RunningServer(msgspec.Struct, frozen=True):
    """A server as its run file describes it."""

    pid: int
    joined_at: tuple[str, ...]
    """Addresses for `boxroom join`, the nearest one last."""
    admin_socket: str | None
    """Socket for `boxroom admin`; None if there is none."""
    saves: bool
    """True if it has its rooms on the disk, and finds them there when it is started anew."""
    arguments: tuple[str, ...]
    """Those of the program, with which the same server is started."""
    folder: str
    """The folder in which it was started, to which paths in the arguments may be relative."""


class RunFile:
    """The run file at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock_path = path.with_name(f"{path.name}.lock")

    @contextmanager
    def written(self, server: RunningServer) -> Iterator[None]:
        """Have the file describe this process while the context lasts.

        Raises:
            RunFileInUse: it describes another process, which runs.
            OSError: it can't be written.
        """
        lock = FileLock.acquire(self._lock_path)
        if lock is None:
            raise RunFileInUse(f"another server has {self._path}")
        try:
            write_atomically(self._path, msgspec.json.encode(server).decode())
            yield
            self._path.unlink(missing_ok=True)
        finally:
            lock.release()

    def read(self) -> RunningServer | None:
        """Return the server that runs, or has crashed; None if there is neither."""
        try:
            with self._path.open("rb") as file:
                return msgspec.json.decode(file.read(_MOST_BYTES), type=RunningServer)
        except (OSError, msgspec.MsgspecError, UnicodeError):
            return None

    def is_held(self) -> bool:
        """Return True while the server runs."""
        try:
            lock = FileLock.acquire(self._lock_path)
        except OSError:
            return False
        if lock is not None:
            lock.release()
        return lock is None
