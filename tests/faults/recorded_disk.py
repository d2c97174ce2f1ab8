"""A disk whose changes are recorded, to kill a process at any of them, or to replay a power cut.

A power cut may lose whatever wasn't synced. Of a file, the changes up to a moment survive, and of
those behind it any sectors that were written; of a folder, its entries up to a moment. Syncing a
file keeps its content alone, and syncing a folder its entries alone: the file system promises no
more, though most do.
"""

import fcntl
import os
import random
import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).with_suffix(".c")
SECTOR_BYTES = 512

_HEAD = struct.Struct("=QQqII")
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NEXT_BOOT_ID = b"11111111-2222-3333-4444-555555555555"


class Change(NamedTuple):
    """A change of a file or folder, as `recorded_disk.c` writes it."""

    kind: str
    inode: int
    at: int
    path: Path
    data: bytes


def compile_library(folder: Path) -> Path:
    """Compile the library that records changes, or skip the test; return its path."""
    compiler = shutil.which("cc")
    if compiler is None or not _BOOT_ID.exists():
        pytest.skip("changes of a disk are recorded by a library in C, on Linux")
    library = folder / "recorded_disk.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl", "-lrt"], check=True
    )
    return library


class RecordedDisk:
    """A folder, `root`, with a record of what processes with this `environment` change below it."""

    def __init__(self, folder: Path, library: Path) -> None:
        self.root = folder / "disk"
        self.root.mkdir(exist_ok=True)
        self._record = folder / "record"
        self._record.touch()
        self._kill = folder / "kill"
        self.put_between: list[tuple[int, int]] = []
        """Moments between which `put` has copied files, which no power cut interrupts."""
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(library),
            "DISK_ROOT": str(self.root),
            "DISK_RECORD": str(self._record),
            "DISK_KILL": str(self._kill),
        }

    @property
    def recorded_bytes(self) -> int:
        """Size of the record, as a moment: everything that was synced until now is before it."""
        return self._record.stat().st_size

    @contextmanager
    def between_changes(self) -> Iterator[None]:
        """Keep processes from making changes, for a kill that must not come before their record."""
        with self._record.open() as record:
            fcntl.flock(record, fcntl.LOCK_EX)
            yield

    def changes(self) -> Iterator[tuple[int, Change]]:
        """Yield each change, after the size of the record up to its end."""
        content, end = self._record.read_bytes(), 0
        while end < len(content):
            kind, inode, at, path_bytes, data_bytes = _HEAD.unpack_from(content, end)
            data_at = end + _HEAD.size + path_bytes
            path = Path(os.fsdecode(content[end + _HEAD.size : data_at]))
            end = data_at + data_bytes
            yield end, Change(chr(kind), inode, at, path, content[data_at:end])

    def put(self, source: Path, target: Path) -> None:
        """Copy the files of the folder `source` into the new folder `target`, as if synced."""
        shutil.copytree(source, target)
        begin = self.recorded_bytes
        with self._record.open("ab") as record:
            record.write(_recorded("d", target))
            for file in target.iterdir():
                for kind, data in (("c", b""), ("w", file.read_bytes()), ("s", b"")):
                    record.write(_recorded(kind, file, data))
            record.write(_recorded("s", target) + _recorded("s", target.parent))
        self.put_between.append((begin, self.recorded_bytes))

    def kill_at(self, change: int, after_us: int) -> None:
        """Kill a process so long after its change of that number, from now on, begins."""
        self._kill.write_text(f"{change} {after_us}\n")

    def kill_no_more(self) -> None:
        """Let processes live from now on."""
        self._kill.unlink(missing_ok=True)


def _recorded(kind: str, path: Path, data: bytes = b"") -> bytes:
    name = os.fsencode(path)
    head = _HEAD.pack(ord(kind), path.stat().st_ino, 0, len(name), len(data))
    return head + name + data


# What a power cut leaves


@dataclass(eq=False)
class _File:
    synced: bytearray = field(default_factory=bytearray)
    later: list[Change] = field(default_factory=list)  # since it was synced

    def sync(self) -> None:
        _make_changes(self.synced, self.later)
        self.later = []

    def left(self, rng: random.Random) -> bytes:
        """Return the content after a power cut."""
        whole = rng.choice([0, rng.randint(0, len(self.later)), len(self.later)])
        content = self.synced.copy()
        _make_changes(content, self.later[:whole])
        torn = []
        for change in self.later[whole:]:
            if change.kind == "t":  # the disk gets no write before it
                break
            torn += [it for it in _sectors(change) if rng.random() < 0.5]
        _make_changes(content, torn if rng.random() < 0.5 else [])
        return bytes(content)


def _sectors(change: Change) -> Iterator[Change]:
    """Divide a write at the borders of sectors."""
    end = change.at + len(change.data)
    first = change.at - change.at % SECTOR_BYTES
    for sector in range(first, end, SECTOR_BYTES):
        start, stop = max(sector, change.at), min(sector + SECTOR_BYTES, end)
        data = change.data[start - change.at : stop - change.at]
        yield change._replace(at=start, data=data)


def _make_changes(content: bytearray, changes: Sequence[Change]) -> None:
    for change in changes:
        size = change.at + len(change.data)
        content.extend(bytes(max(0, size - len(content))))
        if change.kind == "t":
            del content[change.at :]
        else:
            content[change.at : size] = change.data


_Entries = dict[str, "_File | _Folder | None"]
"""Files and folders by their names; None for a name that is deleted."""


@dataclass(eq=False)
class _Folder:
    synced: _Entries = field(default_factory=dict)
    later: list[_Entries] = field(default_factory=list)  # one for each change since then

    def entries(self, changes: int | None = None) -> _Entries:
        """Return the entries, of the later changes after so many."""
        merged = {**self.synced}
        for change in self.later[:changes]:
            merged.update(change)
        return merged

    def sync(self) -> None:
        self.synced, self.later = self.entries(), []

    def write(self, path: Path, rng: random.Random) -> None:
        """Write what a power cut leaves of the folder to `path`."""
        path.mkdir(mode=0o700)
        kept = rng.choice([0, rng.randint(0, len(self.later)), len(self.later)])
        for name, entry in self.entries(kept).items():
            match entry:
                case _File():
                    content = entry.left(rng).replace(_boot_id(), _NEXT_BOOT_ID)
                    (path / name).write_bytes(content)
                case _Folder():
                    entry.write(path / name, rng)
                case None:
                    pass


def _boot_id() -> bytes:
    return _BOOT_ID.read_bytes().strip()


class PowerCuts:
    """The state of a recorded disk, from the beginning of its record to a moment that advances."""

    def __init__(self, disk: RecordedDisk) -> None:
        self._root = disk.root
        self._changes = disk.changes()
        self._moment = 0
        self._folder = _Folder()
        self._by_inode: dict[int, _File | _Folder] = {disk.root.stat().st_ino: self._folder}

    def advance(self, moment: int) -> None:
        """Make the changes up to `moment`, the size of the record at the end of one of them."""
        while self._moment < moment:
            self._moment, change = next(self._changes)
            self._make(change)

    def cut(self, path: Path, rng: random.Random) -> None:
        """Write the disk to `path` as a power cut may leave it at this moment."""
        shutil.rmtree(path, ignore_errors=True)
        self._folder.write(path, rng)

    def _make(self, change: Change) -> None:
        match change.kind:
            case "c" | "d":
                made = _File() if change.kind == "c" else _Folder()
                self._by_inode[change.inode] = made
                self._folder_of(change.path).later.append({change.path.name: made})
            case "w" | "t":
                changed = self._by_inode[change.inode]
                assert isinstance(changed, _File)
                changed.later.append(change)
            case "s":
                self._by_inode[change.inode].sync()
            case "u":
                self._folder_of(change.path).later.append({change.path.name: None})
            case _:
                self._name(change, Path(os.fsdecode(change.data)))

    def _name(self, change: Change, path: Path) -> None:
        """Give a file another name, or a further one."""
        old, new = self._folder_of(change.path), self._folder_of(path)
        entry = old.entries()[change.path.name]
        removed: _Entries = {change.path.name: None} if change.kind == "r" else {}
        if old is new:
            old.later.append({**removed, path.name: entry})
        else:
            new.later.append({path.name: entry})
            old.later.append(removed)

    def _folder_of(self, path: Path) -> _Folder:
        folder = self._folder
        for name in path.relative_to(self._root).parts[:-1]:
            below = folder.entries()[name]
            assert isinstance(below, _Folder)
            folder = below
        return folder
