"""Folders whose entries survive a power cut.

Syncing a file keeps its content. That it has a name, or another one than before, is a change of the
folder, which has to be synced as well.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path


def make_folder(path: Path) -> None:
    """Make the folder at `path` for its owner alone, and those above it, unless they are there.

    Raises:
        OSError: it can't be made; `strerror` and `filename` say why.
    """
    chain = (path, *path.parents)
    new = [folder for folder in chain if not folder.exists()]
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        no_folder = next(each for each in chain if os.path.lexists(each) and not each.is_dir())
        reason = "it is there already, and is no folder"
        raise NotADirectoryError(error.errno, reason, str(no_folder)) from None
    for folder in new:
        sync_folder(folder.parent)


def sync_folder(path: Path) -> None:
    """Sync the names of files and folders in the folder at `path`, where the system can do that.

    Raises:
        OSError: the disk fails.
    """
    with suppress(PermissionError):  # it may be writable without being readable
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:  # of file systems that have no such sync
                raise
        finally:
            os.close(descriptor)
