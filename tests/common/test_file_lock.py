"""Locks on files, held by open files of one process."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import BinaryIO

import pytest

from boxroom_common.file_lock import lock_file, try_to_lock_file, unlock_file


@pytest.fixture
def files(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """Descriptors of one file that is open twice."""

    def opened() -> BinaryIO:
        return (tmp_path / "file").open("ab")

    with opened() as one, opened() as other:
        yield one.fileno(), other.fileno()


def test_a_lock_keeps_others_out_until_it_is_released(files: tuple[int, int]) -> None:
    one, other = files
    lock_file(one)
    assert not try_to_lock_file(other)
    assert not try_to_lock_file(other, shared=True)
    unlock_file(one)
    assert try_to_lock_file(other)


def test_shared_locks_keep_out_only_others_that_are_not(files: tuple[int, int]) -> None:
    one, other = files
    assert try_to_lock_file(one, shared=True)
    assert not try_to_lock_file(other)
    assert try_to_lock_file(other, shared=True)


def test_a_lock_is_waited_for(files: tuple[int, int]) -> None:
    one, other = files
    lock_file(one)
    waiting = Thread(target=lock_file, args=(other,))
    waiting.start()
    unlock_file(one)
    waiting.join()
    assert not try_to_lock_file(one)
