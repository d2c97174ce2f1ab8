"""The room that a client was in when it ended, so that the next start returns there.

While a client is in a room, a small file beside its identity names the room. Leaving the room
deletes the file; it remains only when the client is killed or loses its server.
"""

import hashlib
from contextlib import suppress
from pathlib import Path

from boxroom_client.profile.identity import default_config_folder
from boxroom_client.servers.address import Address
from boxroom_engine.room.text import clean, fold

_MOST_CHARS = 200


class LastRoom:
    """The saved room of one identity on one server; errors of the disk are ignored."""

    def __init__(self, address: Address, name: str, config_folder: Path | None = None) -> None:
        key = hashlib.sha256(f"{address.url}\n{fold(name)}".encode()).hexdigest()[:32]
        # Named by a hash, because names and addresses may have characters that files can't.
        self._path = (config_folder or default_config_folder()) / "rooms" / f"{key}.txt"

    def save(self, room: str) -> None:
        """Save `room` as the current room."""
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.write_text(f"{room}\n", encoding="utf-8")

    def load(self) -> str | None:
        """Return the room that the client didn't leave, or None."""
        try:
            room = clean(self._path.read_text(encoding="utf-8")[:_MOST_CHARS])
        except (OSError, ValueError):
            return None
        return room or None

    def delete(self) -> None:
        """Delete the file after leaving the room."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
