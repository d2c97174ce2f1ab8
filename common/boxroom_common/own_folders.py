"""The user's folders for settings and data, or others that the environment names."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from boxroom_common.exits import Failure


def own_folder(variable: str, usual: Callable[[], Path]) -> Path:
    """Return the folder that the environment variable names, or the `usual` one of platformdirs.

    Raises:
        Failure: there is neither, as for users of services, who have no home folder.
    """
    if named := os.environ.get(variable):
        return Path(named)
    with suppress(RuntimeError):
        path = usual()
        if path.is_absolute():  # older releases of platformdirs return "~/…" without a home
            return path
    raise Failure(f"this user has no home folder: set {variable} to a folder")
