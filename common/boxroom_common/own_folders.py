"""The user's folders for settings and data, or others that the environment names."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from boxroom_common.exits import Failure


def usual_folder(find: Callable[[], Path]) -> Path | None:
    """Return the user's folder that platformdirs finds; None for a user without a home folder."""
    with suppress(RuntimeError):
        path = find()
        if path.is_absolute():  # older releases of platformdirs return "~/…" without a home
            return path
    return None


def own_folder(variable: str, usual: Callable[[], Path]) -> Path:
    """Return the folder that the environment variable names, or the `usual` one of platformdirs.

    Raises:
        Failure: there is neither, as for users of services, who have no home folder.
    """
    if named := os.environ.get(variable):
        return Path(named)
    if path := usual_folder(usual):
        return path
    raise Failure(f"this user has no home folder: set {variable} to a folder")
