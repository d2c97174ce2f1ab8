"""The room that a client was in when it ended, so that the next start returns there.

While a client is in a room, a small file beside its identity names the room. Leaving the room
deletes the file; it remains only when the client is killed or loses its server. A second file names
the last room that the person has hosted, and stays.
"""

import hashlib
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from boxroom_client.profile.identity import default_config_folder
from boxroom_client.servers.address import Address
from boxroom_engine.room.text import clean, fold

_MOST_CHARS = 200


class Kept(StrEnum):
    """The kinds of rooms that are kept, by the names of their folders."""

    NOT_LEFT = "rooms"
    HOSTED = "hosted-rooms"


class LastRoom:
    """The saved room of one identity on one server; errors of the disk are ignored."""

    def __init__(
        self,
        address: Address,
        name: str,
        config_folder: Path | None = None,
        *,
        kept: Kept = Kept.NOT_LEFT,
    ) -> None:
        folder = (config_folder or default_config_folder()) / kept
        self._path = _path(folder, address.canonical.url, name)
        # Earlier versions took the same server with a slash at the end for another one.
        self._former_path = _path(folder, f"{address.canonical.url}/", name)

    def save(self, room: str) -> None:
        """Save `room` as the current room."""
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.write_text(f"{room}\n", encoding="utf-8")

    def load(self) -> str | None:
        """Return the saved room, or None."""
        return _read(self._path) or _read(self._former_path)

    def delete(self) -> None:
        """Delete the file."""
        for path in (self._path, self._former_path):
            with suppress(OSError):
                path.unlink(missing_ok=True)


def _path(folder: Path, server: str, name: str) -> Path:
    """Return the path of the file, named by a hash: names and addresses have any characters."""
    key = hashlib.sha256(f"{server}\n{fold(name)}".encode()).hexdigest()[:32]
    return folder / f"{key}.txt"


def _read(path: Path) -> str | None:
    try:
        return clean(path.read_text(encoding="utf-8")[:_MOST_CHARS]) or None
    except (OSError, ValueError):
        return None
