"""The people on a server whose messages the user doesn't want to see.

They are in a small file of the user's configuration, one name in each line. Only the user's own
clients know them: neither the server nor the others do.
"""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

from boxroom_client.profile.identity import default_config_folder
from boxroom_common.atomic_file import write_atomically
from boxroom_engine.room.text import clean, fold

_MOST_BYTES = 100_000


class IgnoredPeople:
    """Names whose messages aren't shown, in the file at `path`; None: until the program ends.

    Errors of the disk are ignored: then they are kept until the program ends, too.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._names = {fold(name): name for name in _read(path)}  # by key

    @classmethod
    def on_server(cls, server: str, config_folder: Path | None = None) -> Self:
        """Return the people who are ignored on the server with that id, or else address."""
        folder = (config_folder or default_config_folder()) / "ignored"
        return cls(folder / f"{hashlib.sha256(server.encode()).hexdigest()[:32]}.txt")

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and fold(name) in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._names.values()))

    def add(self, name: str) -> None:
        """Ignore the person called `name`."""
        self._names[fold(name)] = name
        self._save()

    def remove(self, name: str) -> bool:
        """Don't ignore that person any more; return whether it was ignored."""
        known = self._names.pop(fold(name), None)
        self._save()
        return known is not None

    def _save(self) -> None:
        if self._path is not None:
            with suppress(OSError):
                self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_atomically(self._path, "".join(f"{name}\n" for name in self))


def _read(path: Path | None) -> Iterator[str]:
    if path is not None:
        with suppress(OSError, ValueError):
            with path.open(encoding="utf-8") as file:
                lines = file.read(_MOST_BYTES).splitlines()
            yield from filter(None, map(clean, lines))
