"""The game that was last set up."""

from pathlib import Path

import pytest

from boxroom_client.shell.last_game import LastGame
from boxroom_client.shell.room_settings import LocalGame
from boxroom_engine.room.room import Settings

GAME = LocalGame(
    Settings(options={"rows": 7, "cols": 6}, clock_s=30, seats=3), ("Ada", "Bob"), ("chain",), None
)


def test_it_is_kept_but_for_the_name(tmp_path: Path) -> None:
    LastGame(tmp_path / "new").save(GAME)
    kept = LastGame(tmp_path / "new").load("Eva")
    assert kept == LocalGame(GAME.settings, ("Eva", "Bob"), ("chain",), None)


def test_at_first_there_is_none(tmp_path: Path) -> None:
    assert LastGame(tmp_path).load("Ada") is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"\xff",
        b'{"settings":{"game":"chess"},"people":["A"],"bots":[],"watcher":null}',
        b'{"settings":{"options":{"rows":-3}},"people":["A"],"bots":[],"watcher":null}',
        b'{"settings":{},"people":[],"bots":["greedy"],"watcher":null}',
        b'{"settings":{},"people":7,"bots":[],"watcher":null}',
        b"[" * 200_000,
    ],
)
def test_a_damaged_file_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "last_game.json").write_bytes(content)
    assert LastGame(tmp_path).load("Ada") is None


def test_a_folder_that_cant_be_used_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    last = LastGame(tmp_path / "file")
    last.save(GAME)
    assert last.load("Ada") is None
