"""The folder with the games of the user: unfinished ones of `boxroom play`, and the history."""

from pathlib import Path

import platformdirs

from boxroom_common.own_folders import own_folder

GAMES_FOLDER_VARIABLE = "BOXROOM_GAMES"
"""Environment variable that names another folder than the user's own."""


def default_games_folder() -> Path:
    """Return the user's folder for games, or the one that `BOXROOM_GAMES` names."""
    return own_folder(
        GAMES_FOLDER_VARIABLE,
        lambda: platformdirs.user_data_path("boxroom", appauthor=False) / "own",
    )
