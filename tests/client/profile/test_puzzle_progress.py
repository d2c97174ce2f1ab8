"""The progress with puzzles on the disk."""

from pathlib import Path

from boxroom_client.profile.puzzle_progress import SavedProgress
from boxroom_engine.review.progress import Progress

SOME = Progress(812.5, {"b6f/0,0/0/-": 990.0}, "2026-11-28", ("b6f/0,0/0/-",), 3, "2026-11-27")


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    saved = SavedProgress(tmp_path / "new")
    assert saved.load() == Progress()
    saved.save(SOME)
    assert SavedProgress(tmp_path / "new").load() == SOME


def test_a_damaged_file_is_ignored(tmp_path: Path) -> None:
    for content in (b"", b"{", b"\xff", b'{"rating": "high"}'):
        (tmp_path / "puzzles.json").write_bytes(content)
        assert SavedProgress(tmp_path).load() == Progress()


def test_a_disk_that_cant_be_written_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    saved = SavedProgress(tmp_path / "file")
    saved.save(SOME)
    assert saved.load() == Progress()
