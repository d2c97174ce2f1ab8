"""The folder of unfinished games: what is kept, and what is deleted."""

from pathlib import Path

import pytest
from tests.e2e.piped import boxroom

from boxroom_client.cli import saved_games
from boxroom_client.cli.saved_games import delete_old_games, new_folder, unfinished_games
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_server.storage.sqlite.folder import DataFolder


@pytest.fixture
def three_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Folders of three unfinished games, the oldest first."""
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path))
    folders: list[Path] = []
    for number in range(3):
        boxroom("play", "--rows", "1", "--cols", str(number + 1), typed="h0\n")
        (made,) = {*(tmp_path / "unfinished").iterdir()} - {*folders}
        folders.append(made)
    return folders


def test_the_one_played_last_comes_first(three_games: list[Path]) -> None:
    saved = unfinished_games()
    assert [game.folder.path for game in saved] == [three_games[n] for n in (2, 1, 0)]
    assert saved[0].columns[:3] == ("Dots and Boxes 1×3", "easy", "0:0")


def test_only_the_last_ones_are_kept(
    three_games: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_games, "MOST_SAVED", 2)
    with DataFolder(three_games[2]).locked():  # it is being played
        delete_old_games()
        assert {*three_games[0].parent.iterdir()} == {*three_games}
    delete_old_games()
    assert {*three_games[0].parent.iterdir()} == {*three_games[1:]}


def test_a_damaged_game_isnt_offered_and_harms_no_other(three_games: list[Path]) -> None:
    (three_games[1] / "boxroom.db").write_bytes(b"no database" * 1000)
    assert [game.folder.path for game in unfinished_games()] == [three_games[2], three_games[0]]
    delete_old_games()
    assert three_games[1].exists()


def test_new_folders_are_never_the_same(three_games: list[Path]) -> None:
    folders = {new_folder().path for _ in range(100)}
    assert len(folders) == 100
    assert not any(folder.exists() for folder in folders)
