"""Folders of the user, and a server, for the tests of the whole program."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.serving import ServerProcess, server_process

from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE


@pytest.fixture(autouse=True)
def games_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The user's folder for games: each test begins without any."""
    folder = tmp_path / "own games"
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(folder))
    return folder


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server in memory."""
    with server_process() as running:
        yield running
