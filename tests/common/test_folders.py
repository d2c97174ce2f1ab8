"""Folders that survive a power cut."""

import os
from pathlib import Path

import pytest

from boxroom_common.folders import make_folder, sync_folder


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The inodes of what is synced during the test, in order."""
    inodes: list[int] = []
    sync = os.fsync

    def record(descriptor: int) -> None:
        inodes.append(os.fstat(descriptor).st_ino)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", record)
    return inodes


def test_every_new_one_is_synced(tmp_path: Path, synced: list[int]) -> None:
    make_folder(tmp_path / "one" / "two")
    assert (tmp_path / "one" / "two").stat().st_mode & 0o777 == 0o700
    assert {*synced} == {it.stat().st_ino for it in (tmp_path, tmp_path / "one")}
    synced.clear()
    make_folder(tmp_path / "one" / "two")
    assert not synced


def test_one_that_cant_be_read_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: object, flags: int) -> int:
        raise PermissionError(path)

    monkeypatch.setattr(os, "open", refuse)
    make_folder(tmp_path / "new")
    assert (tmp_path / "new").is_dir()


def test_a_disk_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="Input/output"):
        sync_folder(tmp_path)


@pytest.mark.parametrize("path", ["file", "file/below", "link"])
def test_what_is_no_folder_is_named(path: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "missing")
    with pytest.raises(NotADirectoryError) as raised:
        make_folder(tmp_path / path)
    assert raised.value.strerror == "it is there already, and is no folder"
    assert raised.value.filename == str(tmp_path / path.partition("/")[0])
