"""`boxroom --version --verbose` and `--json`: what a report about this installation has to say."""

import os
import platform
import sqlite3
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from boxroom_client.profile.config import config_path
from boxroom_client.profile.data_folder import default_games_folder
from boxroom_common.exits import Failure
from boxroom_common.json_output import format_name, json_line
from boxroom_common.kernel.use import engine_in_use
from boxroom_common.version import VERSION


def details() -> dict[str, str]:
    """Return names and values: versions, the engine in use or why not, stores and folders."""
    return {
        "boxroom": VERSION,
        "python": f"{platform.python_version()}, {platform.platform()}",
        "engine": engine_in_use(),
        "sqlite": sqlite3.sqlite_version,
        "etcd": "can be used" if find_spec("aetcd") else "needs boxroom[cluster]",
        "event loop": "uvloop" if find_spec("uvloop") else "asyncio",
        "settings": _folder(lambda: config_path(os.environ)),
        "games": _folder(default_games_folder),
    }


def as_text() -> str:
    """Return `details` in lines."""
    first, *others = details().items()
    return "\n".join([" ".join(first), *(f"{name}: {value}" for name, value in others)])


def as_json() -> str:
    """Return `details` as one JSON object."""
    return json_line({"format": format_name("installation", 1)} | details()).rstrip()


def _folder(find: Callable[[], Path]) -> str:
    try:
        return str(find())
    except Failure as failure:
        return str(failure)
