"""The lock of a data folder, and its default path."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boxroom_server.storage.sqlite import folder
from boxroom_server.storage.sqlite.folder import FOLDER_VARIABLE, DataFolder, LastUse, is_locked
from boxroom_server.storage.sqlite.schema import UnusableData

LOCK = """
import sys
from pathlib import Path
from boxroom_server.storage.sqlite.folder import DataFolder
with DataFolder(Path(sys.argv[1])).locked():
    print("locked", flush=True)
    sys.stdin.read()
"""


def lock_elsewhere(path: Path) -> subprocess.Popen[str]:
    """Start a process that locks the folder until its standard input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", LOCK, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "locked\n"
    return process


def test_it_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder"
    with DataFolder(path).locked():
        assert path.stat().st_mode & 0o777 == 0o700
        assert (path / "lock").stat().st_mode & 0o777 == 0o600


def test_no_other_server_may_have_it(tmp_path: Path) -> None:
    with lock_elsewhere(tmp_path) as other:
        with pytest.raises(UnusableData) as refused, DataFolder(tmp_path).locked():
            pytest.fail("two servers have one folder")
        assert str(refused.value) == (
            f"{tmp_path} belongs to another server that runs (process {other.pid}): "
            "stop that one, or choose another folder with --data"
        )
        other.communicate()
    with DataFolder(tmp_path).locked():
        pass


def test_a_server_that_was_killed_has_it_no_longer(tmp_path: Path) -> None:
    with lock_elsewhere(tmp_path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
    with DataFolder(tmp_path).locked():
        assert not (tmp_path / "lock").read_text().startswith(f"{other.pid} ")


def test_its_lock_can_be_asked_for(tmp_path: Path) -> None:
    assert not is_locked(tmp_path)
    with DataFolder(tmp_path).locked():
        assert is_locked(tmp_path)
    assert not is_locked(tmp_path)


def test_a_child_that_is_being_started_doesnt_keep_the_lock(tmp_path: Path) -> None:
    """Until it runs its program, it has all files of its parent open, as this copy of one is."""
    place = DataFolder(tmp_path)
    with place.locked():
        lock = tmp_path / folder.LOCK
        opened = [int(each.name) for each in Path("/dev/fd").iterdir() if is_same(each, lock)]
        (copy,) = map(os.dup, opened)
    try:
        assert not is_locked(tmp_path)
        with place.locked():
            pass
    finally:
        os.close(copy)


def is_same(one: Path, other: Path) -> bool:
    """Return whether both lead to one file."""
    return one.exists() and one.samefile(other)


def test_the_last_use_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = DataFolder(tmp_path)
    with data.locked() as last_use:
        assert last_use == LastUse(has_saved=False, is_same_boot=False)
    with data.locked() as last_use:
        is_known = folder._boot_id() != folder.UNKNOWN
        assert last_use == LastUse(has_saved=False, is_same_boot=is_known)
        data.mark_used()
        data.mark_used()
    monkeypatch.setattr(folder, "_boot_id", lambda: "another")
    with data.locked() as last_use:
        assert last_use == LastUse(has_saved=True, is_same_boot=False)
    with data.locked() as last_use:
        assert last_use.is_same_boot


def test_a_system_without_a_boot_id_may_have_been_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_boot_id", lambda: folder.UNKNOWN)
    for _ in range(2):
        with DataFolder(tmp_path).locked() as last_use:
            assert not last_use.is_same_boot


@pytest.mark.parametrize("content", ["", "47", "4711 e3b0c442-98fc", "\0" * 42])
def test_a_part_of_a_lock_is_no_use(tmp_path: Path, content: str) -> None:
    (tmp_path / "lock").write_text(content)
    with DataFolder(tmp_path).locked() as last_use:
        assert last_use == LastUse(has_saved=False, is_same_boot=False)


def test_where_there_can_be_none_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"), DataFolder(tmp_path / "file" / "folder").locked():
        pytest.fail("a file is no folder")


def test_the_default_may_be_set_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert DataFolder.default().path == tmp_path
    monkeypatch.delenv(FOLDER_VARIABLE)
    assert DataFolder.default().path.name == "boxroom"
