"""The progress with puzzles and lessons in the folder of the user's games."""

from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec

from boxroom_client.profile.data_folder import default_games_folder
from boxroom_common.atomic_file import write_atomically
from boxroom_common.folders import make_folder
from boxroom_engine.review.progress import Progress


class SavedProgress:
    """The progress in `puzzles.json`; errors of the disk are ignored, as is an invalid file."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = (folder or default_games_folder()) / "puzzles.json"

    def load(self) -> Progress:
        """Return the saved progress, or that of a beginner."""
        with suppress(OSError, UnicodeError, msgspec.MsgspecError):
            return msgspec.json.decode(self._path.read_bytes(), type=Progress)
        return Progress()

    def save(self, progress: Progress) -> None:
        """Save `progress`."""
        with suppress(OSError):
            make_folder(self._path.parent)
            write_atomically(self._path, msgspec.json.encode(progress).decode())


def today() -> date:
    """Return the day of the person, which has puzzles of its own."""
    return datetime.now(UTC).astimezone().date()
