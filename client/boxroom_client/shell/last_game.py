"""The game that was last set up in the form of `boxroom play`, with which it opens again."""

from dataclasses import replace
from pathlib import Path

import msgspec

from boxroom_client.profile.identity import default_config_folder
from boxroom_client.shell.room_settings import LocalGame
from boxroom_common.atomic_file import write_atomically
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.registry import KINDS

_MOST_BYTES = 100_000


class LastGame:
    """The saved game; errors of the disk are ignored, as is a file that isn't valid."""

    def __init__(self, config_folder: Path | None = None) -> None:
        self._path = (config_folder or default_config_folder()) / "last_game.json"

    def save(self, game: LocalGame) -> None:
        """Save `game` without the name of the first person, which is a setting."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(self._path, msgspec.json.encode(game).decode())
        except OSError:
            return

    def load(self, name: str) -> LocalGame | None:
        """Return the saved game, with `name` as its first person; None if there is none."""
        try:
            with self._path.open("rb") as file:
                game = msgspec.json.decode(file.read(_MOST_BYTES), type=LocalGame)
            if game.settings.game not in KINDS or not game.people:
                return None
            game.settings.make_game()
        except (OSError, msgspec.MsgspecError, UnicodeError, OptionError):
            return None
        return replace(game, people=(name, *game.people[1:]))
