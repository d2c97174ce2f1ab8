"""The folders where the compiled kernel may be."""

import os
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import platformdirs

from boxroom_common.kernel.sources import SOURCES, library_name
from boxroom_common.own_folders import usual_folder
from boxroom_common.system import user_id
from boxroom_engine.errors import BoxroomError


class NoFolder(BoxroomError):
    """No folder can keep a library; the message says why."""


@dataclass(frozen=True)
class Places:
    """Folders that are searched for the library, first the one where a build puts it.

    `package` is where a wheel has it, `environment` belongs to a virtual environment, `cache` to
    the user.
    """

    package: Path
    environment: Path | None
    cache: Path | None

    @classmethod
    def of_this_process(cls) -> "Places":
        """Return the folders of this Python and this user."""
        return cls(
            package=SOURCES,
            environment=Path(sys.prefix, "lib", "boxroom") if _in_environment() else None,
            cache=usual_folder(partial(platformdirs.user_cache_path, "boxroom", appauthor=False)),
        )

    def find(self) -> Path | None:
        """Return the library for these sources, if it was built."""
        for folder in (self.target(), self.package, self.environment, self.cache):
            if folder and self._may_load(folder / library_name()):
                return folder / library_name()
        return None

    def _may_load(self, library: Path) -> bool:
        folder = library.parent
        is_safe = folder != self.cache or (_is_ours_alone(folder) and _is_ours_alone(library))
        return is_safe and library.is_file()

    def target(self) -> Path | None:
        """Return the folder that a new library is for, which needn't exist."""
        if self.environment and _may_write(self.environment):
            return self.environment
        return self.cache

    def make_target(self) -> Path:
        """Make the folder for a new library, if there is none.

        Raises:
            NoFolder: neither the environment nor the cache can be written to.
        """
        folder = self.target()
        if not folder:
            raise NoFolder("this user has no home folder")
        private = folder == self.cache
        try:
            folder.mkdir(mode=0o700 if private else 0o755, parents=True, exist_ok=True)
        except OSError as error:
            raise NoFolder(f"{folder} can't be made: {error.strerror}") from None
        if private and not _is_ours_alone(folder):
            raise NoFolder(f"another user owns {folder} or may write to it")
        if not os.access(folder, os.W_OK):
            raise NoFolder(f"{folder} can't be written to")
        return folder


def find() -> Path | None:
    """Return the library for these sources, if it was built; quick."""
    return Places.of_this_process().find()


def _in_environment() -> bool:
    return sys.prefix != sys.base_prefix


def _may_write(folder: Path) -> bool:
    """Return whether `folder`, or the one that it will be made in, is this user's and writable.

    What root put into an environment of another user, that user couldn't delete.
    """
    existing = folder if folder.exists() else folder.parent
    try:
        return existing.stat().st_uid == user_id() and os.access(existing, os.W_OK)
    except OSError:
        return False


def _is_ours_alone(path: Path) -> bool:
    """Return whether only this user and root can have changed the file or folder."""
    try:
        status = path.stat()
    except OSError:
        return False
    return status.st_uid in (0, user_id()) and not status.st_mode & 0o022
