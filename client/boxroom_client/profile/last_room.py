"""The room that a client was in when it died, so that starting it again leads back there.

While a client is in a room, a small file says so, beside its identity. Whoever leaves removes
it; it stays behind only when the client is killed or loses its server.
"""

import hashlib
from contextlib import suppress
from pathlib import Path

from boxroom_client.profile.identity import default_config_folder
from boxroom_client.servers.address import Address
from boxroom_engine.room.text import clean, fold

_MOST_CHARS = 200


class LastRoom:
    """The note about one identity on one server. Without a usable disk there is none."""

    def __init__(self, address: Address, name: str, config_folder: Path | None = None) -> None:
        key = hashlib.sha256(f"{address.url}\n{fold(name)}".encode()).hexdigest()[:32]
        self._path = (config_folder or default_config_folder()) / "rooms" / f"{key}.txt"

    def remember(self, room: str) -> None:
        """We are in `room` now."""
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.write_text(f"{room}\n", encoding="utf-8")

    def recall(self) -> str | None:
        """The room that we didn't leave, if there is one."""
        try:
            room = clean(self._path.read_text(encoding="utf-8")[:_MOST_CHARS])
        except (OSError, ValueError):
            return None
        return room or None

    def forget(self) -> None:
        """We left it."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
