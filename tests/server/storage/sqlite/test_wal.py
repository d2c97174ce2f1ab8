"""Damage to a write-ahead log, and what looks like it and is none."""

import os
import random
import shutil
import sqlite3
from array import array
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_server.storage.sqlite import wal
from boxroom_server.storage.sqlite.schema import connect
from boxroom_server.storage.sqlite.wal import find_loss, index_of, log_of, set_log_aside

HEADER, FRAME = 32, 24 + 4096

COMMITS = 6
"""Commits of three frames each in the log."""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a process that was killed after some commits, and a checkpoint before."""
    folder = tmp_path_factory.mktemp("killed")
    path = folder / "boxroom.db"
    path.touch()
    with closing(connect(path)) as connection:
        connection.execute("CREATE TABLE numbers (number INTEGER, page BLOB)")
        save(connection, range(8))
        connection.execute("PRAGMA wal_checkpoint(RESTART)")
        save(connection, range(8, 8 + COMMITS))
        copy = folder / "copy"
        copy.mkdir()
        for file in folder.glob("boxroom.db*"):
            shutil.copy(file, copy)
    return copy / path.name


def save(connection: sqlite3.Connection, numbers: range) -> None:
    for number in numbers:
        row = (number, bytes([number]) * 5000)
        connection.execute("INSERT INTO numbers VALUES (?, ?)", row)


@pytest.fixture
def path(killed: Path, tmp_path: Path) -> Path:
    """A copy of that database."""
    return shutil.copytree(killed.parent, tmp_path / "copy") / killed.name


def commit_ends(path: Path) -> list[int]:
    """Return the numbers of the frames that end commits, without older ones."""
    log = log_of(path).read_bytes()
    frames = [log[at : at + 24] for at in range(HEADER, len(log), FRAME)]
    return [
        number
        for number, header in enumerate(frames, 1)
        if header[8:16] == log[16:24] and header[4:8] != bytes(4)
    ]


def numbers(path: Path) -> list[int]:
    """Return what SQLite itself recovers."""
    with closing(sqlite3.connect(path)) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM numbers")]


def overwrite(path: Path, at: int, content: bytes) -> None:
    with log_of(path).open("r+b") as file:
        file.seek(at)
        file.write(content)


def flip(path: Path, at: int) -> None:
    content = log_of(path).read_bytes()
    overwrite(path, at, bytes([content[at] ^ 4]))


def start_of(frame: int) -> int:
    """Return the offset of a frame in the log, by its number."""
    return HEADER + FRAME * (frame - 1)


def cut_behind(path: Path, frame: int) -> None:
    with log_of(path).open("r+b") as file:
        file.truncate(start_of(frame + 1))


@given(
    st.integers(1, 5).flatmap(
        lambda frames: st.tuples(
            st.lists(st.binary(min_size=40, max_size=40), min_size=frames, max_size=frames),
            st.lists(st.tuples(*[st.integers(0, 2**32 - 1)] * 2), min_size=frames, max_size=frames),
        )
    )
)
def test_checksums_of_many_frames_are_those_of_each(
    drawn: tuple[list[bytes], list[tuple[int, int]]],
) -> None:
    frames, starts = drawn
    words = array("I", b"".join(frames))
    expected = []
    for frame, start in zip(frames, starts, strict=True):
        one, two = start
        counted = array("I", frame[:8] + frame[24:])
        for first, second in zip(counted[::2], counted[1::2], strict=True):
            one = (one + two + first) % 2**32
            two = (two + one + second) % 2**32
        expected.append((one, two))
    assert list(wal._frame_checksums(words, 10, starts)) == expected


def test_a_sound_log_lacks_nothing(path: Path) -> None:
    assert len(commit_ends(path)) == COMMITS
    assert (log_of(path).stat().st_size - HEADER) // FRAME > commit_ends(path)[-1], "older frames"
    for is_index_current in (False, True):
        assert find_loss(path, is_index_current=is_index_current) is None
    index_of(path).unlink()
    assert find_loss(path, is_index_current=False) is None


def test_without_a_log_nothing_is_missing(path: Path) -> None:
    index_of(path).unlink()
    log_of(path).write_bytes(b"")
    assert find_loss(path, is_index_current=True) is None
    log_of(path).unlink()
    assert find_loss(path, is_index_current=True) is None


def test_any_changed_bit_is_found(path: Path) -> None:
    """With the index in every frame that counts, without it in all but those of the last commit."""
    ends = commit_ends(path)
    rng = random.Random(1)
    for number in range(1, ends[-1] + 1):
        for at in (*range(24), rng.randrange(24, FRAME)):
            flip(path, start_of(number) + at)
            loss = find_loss(path, is_index_current=False)
            assert loss is not None
            assert (loss.first, loss.last) == (number, ends[-1])
            flip(path, start_of(number) + at)
    index_of(path).unlink()
    for number in range(1, ends[-2] + 1):
        for at in (*range(24), rng.randrange(24, FRAME)):
            flip(path, start_of(number) + at)
            assert find_loss(path, is_index_current=False) is not None, (number, at)
            flip(path, start_of(number) + at)


def test_the_number_of_commits_is_known(path: Path) -> None:
    ends = commit_ends(path)
    flip(path, start_of(ends[1]) + 100)
    loss = find_loss(path, is_index_current=False)
    assert loss is not None
    assert loss.commits == COMMITS - 1
    assert str(loss) == (
        f"frame {ends[1]} of {ends[-1]} can't be read, and with it and those behind it at least"
        f" {COMMITS - 1} of the last commits"
    )
    assert len(numbers(path)) == 8 + 1, "SQLite doesn't complain"


def test_a_changed_header_is_found(path: Path) -> None:
    for has_index in (True, False):
        for at in range(HEADER):
            flip(path, at)
            loss = find_loss(path, is_index_current=False)
            assert loss is not None, at
            assert loss.first == 1
            flip(path, at)
        if has_index:
            index_of(path).unlink()


def test_a_log_that_was_cut_off_is_found_by_its_index(path: Path) -> None:
    ends = commit_ends(path)
    cut_behind(path, ends[2])
    loss = find_loss(path, is_index_current=False)
    assert loss is not None
    assert (loss.first, loss.last) == (ends[2] + 1, ends[-1])


@pytest.mark.parametrize("content", [None, b"", b"x" * 31])
def test_a_log_that_is_gone_is_found_by_its_index(path: Path, content: bytes | None) -> None:
    log_of(path).unlink()
    if content is not None:
        log_of(path).write_bytes(content)
    loss = find_loss(path, is_index_current=True)
    assert loss is not None
    assert (loss.first, loss.last) == (1, commit_ends_of_index(path))
    # After the system has failed, the index may be older than the log.
    assert find_loss(path, is_index_current=False) is None


def commit_ends_of_index(path: Path) -> int:
    return int.from_bytes(index_of(path).read_bytes()[16:20], "little")


def test_an_index_of_another_log_says_nothing(path: Path) -> None:
    """As when the log was overwritten from its beginning, and then the system failed."""
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(RESTART)")
        older = index_of(path).read_bytes()
        save(connection, range(1))
        log = log_of(path).read_bytes()
    log_of(path).write_bytes(log)
    index_of(path).write_bytes(older)
    for is_index_current in (False, True):
        assert find_loss(path, is_index_current=is_index_current) is None


@pytest.mark.parametrize("at", [0, 12, 40, 47])
def test_a_changed_index_says_nothing_where_it_is_changed(path: Path, at: int) -> None:
    content = bytearray(index_of(path).read_bytes())
    content[at] ^= 1
    index_of(path).write_bytes(content)
    assert find_loss(path, is_index_current=True) is None
    cut_behind(path, commit_ends(path)[0])
    assert find_loss(path, is_index_current=True) is not None, "the second header is intact"
    content[48 + at] ^= 1
    index_of(path).write_bytes(content)
    assert find_loss(path, is_index_current=True) is None


def test_a_last_commit_of_which_only_the_end_was_written_is_none(path: Path) -> None:
    """An older frame is still in the place of its first one; a power failure does that."""
    index_of(path).unlink()
    log = log_of(path).read_bytes()
    ends = commit_ends(path)
    older = log[start_of(ends[-1] + 1) : start_of(ends[-1] + 2)]
    overwrite(path, start_of(ends[-2] + 1), older)
    assert find_loss(path, is_index_current=False) is None
    # If another commit follows, then this one had been synced.
    overwrite(path, 0, log)
    overwrite(path, start_of(ends[-3] + 1), older)
    assert find_loss(path, is_index_current=False) is not None


def test_a_last_commit_whose_first_frame_is_a_hole_is_none(path: Path) -> None:
    """The file has grown, and the disk got the end of the commit before its beginning."""
    index_of(path).unlink()
    ends = commit_ends(path)
    overwrite(path, start_of(ends[-2] + 1), bytes(FRAME))
    assert find_loss(path, is_index_current=False) is None
    overwrite(path, start_of(ends[-3] + 1), bytes(FRAME))
    assert find_loss(path, is_index_current=False) is not None


def test_an_unfinished_write_of_the_last_commit_is_none(path: Path) -> None:
    index_of(path).unlink()
    for size in (1, 24, 100, FRAME, 2 * FRAME + 7):
        with log_of(path).open("r+b") as file:
            file.truncate(start_of(commit_ends(path)[-1] + 1) - size)
            assert find_loss(path, is_index_current=False) is None


def test_the_log_is_copied_and_kept_for_sqlite_as_far_as_it_goes(path: Path) -> None:
    flip(path, start_of(commit_ends(path)[2]) + 100)
    content = log_of(path).read_bytes()
    loss = find_loss(path, is_index_current=False)
    assert loss is not None
    copies = [set_log_aside(path, loss) for _ in range(2)]
    assert [copy.name for copy in copies] == [f"boxroom.db-wal-damaged-{it}" for it in (1, 2)]
    for copy in copies:
        assert copy.read_bytes() == content
        assert copy.stat().st_mode & 0o777 == 0o600
    copies[0].unlink()
    assert set_log_aside(path, loss) == copies[0], "a name that is free again"
    assert len(numbers(path)) == 8 + 2


def test_the_name_of_the_copy_is_synced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flip(path, start_of(commit_ends(path)[2]) + 100)
    loss = find_loss(path, is_index_current=False)
    assert loss is not None
    synced, sync = [], os.fsync

    def record(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", record)
    copy = set_log_aside(path, loss)
    assert synced == [copy.stat().st_ino, path.parent.stat().st_ino]


def test_frames_older_than_the_database_are_not_used(path: Path) -> None:
    """After a checkpoint the first frames of a log would take pages back, and leave others."""
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        for file in (path, log_of(path), index_of(path)):
            shutil.copy(file, path.parent / f"{file.name}.kept")
    for file in (path, log_of(path), index_of(path)):
        shutil.move(path.parent / f"{file.name}.kept", file)
    flip(path, start_of(commit_ends(path)[2]) + 100)
    loss = find_loss(path, is_index_current=False)
    assert loss is not None
    assert loss.is_checkpointed
    set_log_aside(path, loss)
    assert numbers(path) == list(range(8 + COMMITS)), "all of it is in the database"
