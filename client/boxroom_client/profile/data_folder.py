"""The folder with the games of the user: unfinished ones of `boxroom play`, and the history."""

import os
from pathlib import Path

import platformdirs

GAMES_FOLDER_VARIABLE = "BOXROOM_GAMES"
"""Environment variable that names another folder than the user's own."""


def default_games_folder() -> Path:
    """Return the user's folder for games, or the one that `BOXROOM_GAMES` names."""
    chosen = os.environ.get(GAMES_FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    return platformdirs.user_data_path("boxroom", appauthor=False) / "own"
