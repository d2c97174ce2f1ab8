"""Damage in SQLite's write-ahead log (`boxroom.db-wal`) that SQLite itself passes over.

The log is a header and frames; a frame holds a page, and the last frame of a commit is marked.
After a checkpoint SQLite overwrites the frames from the first one on, under new *salts*, so frames
of older salts may follow. Each frame's checksum goes on from that of the frame before it. SQLite
recovers the commits before the first invalid frame and forgets the rest. That is right after a torn
write, but after a flipped bit it silently loses every later commit.

A commit begins when the one before it is synced. So an invalid frame is damage if, by the salts,
there is a commit behind it that isn't its own. Otherwise it may be a torn write of the last commit,
which was never acknowledged.

The index of the log (`boxroom.db-shm`) says how many frames were committed, and so tells the two
apart. It isn't synced, but what it counts was synced before.

The formats are defined in https://sqlite.org/walformat.html and
https://sqlite.org/fileformat2.html#walformat.
"""

import os
import struct
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from boxroom_common.folders import sync_folder

_HEADER = struct.Struct(">4I8s2I")  # magic, version, page size, restarts, salts, checksum
_FRAME_HEADER = struct.Struct(">2I8s2I")  # page, pages of the database or 0, salts, checksum
_INDEX_HEADER = struct.Struct("=3I2BH2I2I8s2I")  # walformat.html, 2.1
_CHECKPOINTED_AT = 2 * _INDEX_HEADER.size  # in the index: number of frames, after two headers

_MAGIC = 0x377F0682  # plus 1 if words in checksums are big-endian
_VERSION = 3_007_000
_U32 = 0xFFFFFFFF
_FRAMES_AT_ONCE = 512


class Loss(NamedTuple):
    """The end of a log that SQLite would not recover."""

    first: int
    """Number of the first frame that can't be used, from 1."""
    last: int
    """Number of the last frame that is missed."""
    commits: int
    """Commits that are known to be among them, at least 1."""
    is_checkpointed: bool
    """Whether some of them are in the database, so that the valid frames must not be used."""

    def __str__(self) -> str:
        return (
            f"frame {self.first} of {self.last} can't be read, and with it and those behind it"
            f" at least {self.commits} of the last commits"
        )


def find_loss(database: Path, *, is_index_current: bool) -> Loss | None:
    """Return the commits that SQLite would silently lose when it opens `database`; None for none.

    With `is_index_current` the system hasn't crashed since the index was written: it is neither
    older than the log, nor was a write torn. No file is changed.

    Raises:
        OSError: a file can't be read.
    """
    log = _Log.read(database)
    index = _Index.read(database)
    if index is not None and index.salts != log.salts and (log.is_readable or not is_index_current):
        index = None  # of the log before it was overwritten or truncated
    committed = index.committed if index is not None else 0
    last = max(log.last_commit, committed)
    if last <= log.recovered:
        return None
    is_all_committed = is_index_current and index is not None and committed == log.recovered
    if committed <= log.recovered and log.may_be_torn(is_all_committed=is_all_committed):
        return None
    lost = log.frames[log.recovered : last]
    commits = sum(map(log.ends_commit, lost))
    is_checkpointed = index is not None and index.checkpointed > log.recovered
    return Loss(log.valid + 1, last, max(1, commits), is_checkpointed)


def has_commits(database: Path) -> bool:
    """Return whether SQLite recovers any commit from the log of `database`.

    Raises:
        OSError: a file can't be read.
    """
    return _Log.read(database).recovered > 0


class _Frame(NamedTuple):
    page: int
    is_commit: bool
    salts: bytes
    is_valid: bool
    """Whether its checksum is right, and goes on from the one before it."""


class _Log:
    """The content of a log; without frames if there is none."""

    def __init__(
        self, salts: bytes, restarts: int, frames: list[_Frame], *, is_readable: bool
    ) -> None:
        self.salts = salts
        """Salts of its latest frames."""
        self.restarts = restarts
        """Times that SQLite began it anew since it was made."""
        self.frames = frames
        self.is_readable = is_readable
        """True if its header is intact; False without a log."""

    @classmethod
    def read(cls, database: Path) -> "_Log":
        """Read the log of `database`.

        Raises:
            OSError: it exists and can't be read.
        """
        try:
            content = log_of(database).read_bytes()
        except FileNotFoundError:
            content = b""
        if len(content) < _HEADER.size:
            return cls(b"", 0, [], is_readable=False)
        magic, version, page_bytes, restarts, salts, *start = _HEADER.unpack_from(content)
        is_big_endian = bool(magic & 1)
        words = struct.unpack_from(">6I" if is_big_endian else "<6I", content)
        is_readable = (
            magic | 1 == _MAGIC | 1
            and version == _VERSION
            and _is_page_size(page_bytes)
            and [*_checksum(words)] == start
        )
        if not is_readable:
            page_bytes, is_big_endian = _page_size(database), sys.byteorder == "big"
        frames = list(_frames(content, page_bytes, is_big_endian, (start[0], start[1])))
        if not is_readable:
            salts = frames[0].salts if frames else b""
        return cls(salts, restarts, frames, is_readable=is_readable)

    @cached_property
    def valid(self) -> int:
        """Number of valid frames at the beginning."""
        if not self.is_readable:
            return 0
        for number, frame in enumerate(self.frames):
            if not (frame.is_valid and frame.salts == self.salts and frame.page > 0):
                return number
        return len(self.frames)

    @cached_property
    def recovered(self) -> int:
        """Number of frames that SQLite recovers: the last one of them ends a commit."""
        return self._last_commit(self.frames[: self.valid])

    @cached_property
    def last_commit(self) -> int:
        """Number of the last frame that ends a commit, valid or not; 0 for none."""
        return self._last_commit(self.frames)

    def _last_commit(self, frames: Sequence[_Frame]) -> int:
        ends = (
            number for number in range(len(frames), 0, -1) if self.ends_commit(frames[number - 1])
        )
        return next(ends, 0)

    def ends_commit(self, frame: _Frame) -> bool:
        """Return whether `frame` is the last one of a commit since the log was overwritten."""
        return frame.is_commit and frame.salts == self.salts

    def may_be_torn(self, *, is_all_committed: bool) -> bool:
        """Return whether the first invalid frame may be of a last commit that wasn't finished.

        That is so if only one commit ends there or behind, which may be its own. With
        `is_all_committed` the index says that what SQLite recovers is all that was committed.
        """
        if not self.is_readable:
            return False
        rest = self.frames[self.valid :]
        if sum(map(self.ends_commit, rest)) > 1:
            return False
        return is_all_committed or rest[0].salts == self.salts or self._is_unwritten(rest[0])

    def _is_unwritten(self, frame: _Frame) -> bool:
        """Return whether the log has had no write at the place of `frame` since it was overwritten.

        A disk reads as zeros where a file has grown and was never written.
        """
        if not any(frame.salts):
            return True
        (salt,), (its_salt,) = (struct.unpack_from(">I", it) for it in (self.salts, frame.salts))
        age = (salt - its_salt) & _U32  # SQLite counts the first salt up, and draws the second
        return 1 <= age <= self.restarts and frame.salts[4:] != self.salts[4:]


class _Index(NamedTuple):
    """The content of the index of a log."""

    salts: bytes
    committed: int
    """Number of the log's last frame that ends a commit."""
    checkpointed: int
    """Number of frames that are in the database."""

    @classmethod
    def read(cls, database: Path) -> "_Index | None":
        """Read the index of the log of `database`; None if there is none that can be relied on.

        Raises:
            OSError: it exists and can't be read.
        """
        try:
            content = index_of(database).read_bytes()[: _CHECKPOINTED_AT + 4]
        except FileNotFoundError:
            return None
        if len(content) < _CHECKPOINTED_AT + 4:
            return None
        (checkpointed,) = struct.unpack_from("=I", content, _CHECKPOINTED_AT)
        for at in (_INDEX_HEADER.size, 0):  # SQLite writes the second copy first
            fields = _INDEX_HEADER.unpack_from(content, at)
            if _checksum(struct.unpack_from("=10I", content, at)) == fields[-2:] and fields[0]:
                return cls(fields[-3], fields[6], checkpointed)
        return None


def log_of(database: Path) -> Path:
    """Return the path of the write-ahead log of `database`."""
    return database.with_name(f"{database.name}-wal")


def index_of(database: Path) -> Path:
    """Return the path of the index of that log, which SQLite makes anew when it opens the log."""
    return database.with_name(f"{database.name}-shm")


def set_log_aside(database: Path, loss: Loss) -> Path:
    """Copy the log of `database`, whose end is lost, and return the path of the copy.

    If the valid frames mustn't be used, the log is then deleted: the database is newer.
    """
    log = log_of(database)
    names = (log.with_name(f"{log.name}-damaged-{number}") for number in count(1))
    copy = next(name for name in names if not name.exists())
    content = log.read_bytes() if log.exists() else b""
    with open(copy, "xb", opener=partial(os.open, mode=0o600)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(log.parent)
    if loss.is_checkpointed:
        log.unlink(missing_ok=True)
    return copy


def _page_size(database: Path) -> int:
    """Return the page size in the header of `database`; 4096 if there is none."""
    with database.open("rb") as file:
        header = file.read(18)
    size = int.from_bytes(header[16:18], "big")
    return size if _is_page_size(size) else 65_536 if size == 1 else 4096


def _is_page_size(size: int) -> bool:
    return 512 <= size <= 65_536 and size & (size - 1) == 0


def _frames(
    content: bytes, page_bytes: int, is_big_endian: bool, start: tuple[int, int]
) -> Iterator[_Frame]:
    """Yield the whole frames in the `content` of a log whose header has the checksum `start`."""
    size = _FRAME_HEADER.size + page_bytes
    end = len(content) - (len(content) - _HEADER.size) % size
    for first in range(_HEADER.size, end, size * _FRAMES_AT_ONCE):
        chunk = content[first : min(end, first + size * _FRAMES_AT_ONCE)]
        headers = [_FRAME_HEADER.unpack_from(chunk, at) for at in range(0, len(chunk), size)]
        stored = [(one, two) for *_, one, two in headers]
        words = array("I", chunk)
        if is_big_endian:
            words.byteswap()
        computed = _frame_checksums(words, size // 4, [start, *stored[:-1]])
        for (page, pages, salts, *_), checksum, expected in zip(
            headers, stored, computed, strict=True
        ):
            yield _Frame(page, pages > 0, salts, checksum == expected)
        start = stored[-1]


def _checksum(words: Iterable[int]) -> tuple[int, int]:
    """Return the checksum of the words of a header."""
    one = two = 0
    pairs = iter(words)
    for first, second in zip(pairs, pairs, strict=True):
        one = (one + two + first) & _U32
        two = (two + one + second) & _U32
    return one, two


def _frame_checksums(
    words: "array[int]", size: int, starts: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the checksums of frames of `size` words each, which go on from `starts`.

    The words are in memory with the lowest byte first. All frames are summed up at once, as lanes
    of 64 bits in long integers, which takes a seventh of the time of a loop over the words. Words
    have 32 bits, so there are two such integers: of the frames with even, and with odd numbers.
    """
    lanes_bytes = (len(starts) + 1) // 2 * 8
    mask = int.from_bytes(b"\xff\xff\xff\xff\0\0\0\0" * (lanes_bytes // 8), "little")

    def lanes(column: bytes) -> tuple[int, int]:
        packed = int.from_bytes(column, "little")
        return packed & mask, packed >> 32 & mask

    column = f"<{len(starts)}I"
    even_one, odd_one = lanes(struct.pack(column, *(one for one, _ in starts)))
    even_two, odd_two = lanes(struct.pack(column, *(two for _, two in starts)))
    for at in (0, *range(6, size, 2)):  # the salts and the checksum don't count
        even, odd = lanes(words[at::size].tobytes())
        even_one, odd_one = (even_one + even_two + even) & mask, (odd_one + odd_two + odd) & mask
        even, odd = lanes(words[at + 1 :: size].tobytes())
        even_two, odd_two = (even_two + even_one + even) & mask, (odd_two + odd_one + odd) & mask
    ones, twos = (
        struct.unpack_from(column, (even | odd << 32).to_bytes(lanes_bytes, "little"))
        for even, odd in ((even_one, odd_one), (even_two, odd_two))
    )
    return zip(ones, twos, strict=True)
