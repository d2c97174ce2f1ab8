"""Files that are replaced as a whole: a reader, or a crash, sees the old content or the new one.

Once one is written, it survives a power cut.
"""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from boxroom_common.folders import sync_folder


def write_atomically(path: Path, text: str) -> None:
    """Replace the file at `path` by one with `text`; a new one is for its owner only.

    Raises:
        OSError: it can't be written; the old file is unchanged.
    """
    # A file made by tempfile has mode 0600 from the beginning.
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(path, temporary)
        Path(temporary).replace(path)
        sync_folder(path.parent)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
