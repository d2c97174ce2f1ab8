"""The folder of unfinished games: what is kept, and what is deleted."""

import shutil
import sys
from pathlib import Path

import pytest

from boxroom_client.cli import saved_games
from boxroom_client.cli.saved_games import delete_old_games, new_folder, unfinished_games
from boxroom_client.main import main
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_common.exits import Exit
from boxroom_server.storage.sqlite.folder import DataFolder


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Folders of three unfinished games, the oldest first."""
    root = tmp_path_factory.mktemp("games")
    moves = root / "moves"
    moves.write_text("h0\n")
    folders: list[Path] = []
    for number in range(3):
        with pytest.MonkeyPatch.context() as patch, moves.open() as typed:
            patch.setenv(GAMES_FOLDER_VARIABLE, str(root))
            patch.setattr(sys, "stdin", typed)
            assert main(["play", "--rows", "1", "--cols", str(number + 1)]) == Exit.DONE
        (made,) = {*(root / "unfinished").iterdir()} - {*folders}
        folders.append(made)
    return folders


@pytest.fixture
def three_games(played: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Copies of the folders, where the program looks for them."""
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path))
    shutil.copytree(played[0].parent, tmp_path / "unfinished")
    return [tmp_path / "unfinished" / folder.name for folder in played]


def test_the_one_played_last_comes_first(three_games: list[Path]) -> None:
    saved = unfinished_games()
    assert [game.folder.path for game in saved] == [three_games[n] for n in (2, 1, 0)]
    assert saved[0].columns[:3] == ("Dots and Boxes 1×3", "Child", "0:0")


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
