"""Damage to the files of a database: flipped bits, zeroed blocks, cut-off ends, swapped pages.

The files are those of a server that was killed, so that its last commits are in the write-ahead
log only. A copy of them is changed in one place and opened as a server opens it. Then it is
refused, with all files as they were; or a room or a game is refused, and all the rest is as before;
or everything is as before. Only the last commit may be missing, if the log's index is, too.
"""

import os
import random
import shutil
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.conftest import GOLDEN
from tests.faults.server_life import talking
from tests.faults.server_process import NO_LIMITS, ServerProcess, free_port
from tests.faults.stored_content import Content, content_of
from tests.server.storage.log_recorder import LogRecorder
from tests.server.storage.sqlite.data_folders import finished
from tests.server.talk import ONE_BOX

from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.events import Created, Entry, Joined, Said
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.room import Room, Settings
from boxroom_server.clock import SystemClock
from boxroom_server.storage.ledger import BanKind, BanRecord, NameRecord
from boxroom_server.storage.room_log import RoomRecord, StoredLog
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.schema import UnusableData
from boxroom_server.storage.sqlite.storage import sqlite_storage
from boxroom_server.storage.storage import Storage

DATABASE, LOG, INDEX = "boxroom.db", "boxroom.db-wal", "boxroom.db-shm"

PAGE_BYTES = 4096
LOG_HEADER_BYTES = 32
FRAME_BYTES = 24 + PAGE_BYTES

Files = Mapping[str, bytes]
"""Contents of the files in a data folder, by their names."""


class Outcome(StrEnum):
    """The effect of damage."""

    REFUSED = "refused, all files as they were"
    TOLD = "a room or a game refused"
    HARMLESS = "harmless"
    LAST_COMMIT = "the last commit is missing, without an index of the log"


def last_seq_of(stored: StoredLog) -> int:
    if stored.entries:
        return stored.entries[-1].last_seq
    return 0 if stored.checkpoint is None else stored.checkpoint.seen.seq


# A server that was killed


async def save_much(storage: Storage) -> None:
    """Save rooms, one of them with a checkpoint, names, bans and games."""
    for number in range(60):
        storage.ledger.save_name(NameRecord(f"n{number}", f"N{number}", b"digest", number))
        storage.ledger.save_game(finished(number))
    for number in range(20):
        storage.ledger.save_ban(BanRecord(BanKind.NAME, f"m{number}", number, "spam"))
    for number in range(5):
        log, code = f"log {number}", f"room {number}"
        storage.room_log.create(RoomRecord(log, code, "Eve", f"token {number}", None, 0))
        recorder = LogRecorder(storage.room_log, log)
        room, accepted = Room(code), AcceptedCommands()
        for entry in entries(log, code, lines=40):
            recorder.append(entry)
            room = evolve_entry(room, entry)
            accepted.add(entry, room)
            if number == 0 and entry.seq == 20:
                recorder.opened.save_checkpoint(room, accepted)


def entries(log: str, code: str, lines: int) -> list[Entry]:
    first = Entry(1, 0, (Created(code, log, "Eve", Settings()), Joined("Eve")))
    said = (
        Entry(seq, seq, (Said("Eve", f"line {seq} {'x' * 300}", seq),), "Eve", seq)
        for seq in range(3, 3 + lines)
    )
    return [first, *said]


async def killed(folder: Path, lines: int) -> tuple[Files, Content]:
    """Return the files of a server that was killed after `lines` of chat, and their content."""
    data = folder / "killed"
    async with sqlite_storage(DataFolder(data), SystemClock()) as storage:
        await save_much(storage)
    flags = (*NO_LIMITS, "--data", str(data), "--chat-per-s", "100000", "--chat-burst", "100000")
    async with (
        ServerProcess(free_port(), folder / "errors", *flags) as server,
        talking(server.port, "Ada") as ada,
        talking(server.port, "Bob") as bob,
    ):
        await ada.do("create_room", token="token of Ada", room="attic", settings=ONE_BOX)
        await bob.do("join_room", room="attic")
        await ada.do("start")
        await bob.do("resign", seat=1)
        said = [f"line {number}" for number in range(lines)]
        last_seq = [await ada.do("say", text=text) for text in said][-1]
        await server.kill()
    files = files_in(data)
    write(folder / "sound", files)
    sound = await content_of(folder / "sound")
    assert sound.is_complete
    attic = sound.rooms["attic"]
    assert attic is not None
    events = [event for entry in attic[1].entries for event in entry.events]
    found = [event.text for event in events if isinstance(event, Said)]
    assert found == said[-len(found) :]  # the others are in a checkpoint
    assert attic[1].entries[-1].last_seq == last_seq
    assert sound.games is not None
    assert len(sound.games) == 61
    assert {"ada", "bob"} <= {name.key for name in sound.names}
    return files, sound


def files_in(folder: Path) -> Files:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def write(folder: Path, files: Files) -> None:
    """Make `folder` with these files alone."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)


# Damage


class Damage(NamedTuple):
    """A change of one file."""

    kind: str
    name: str
    first: int
    """Offset of the first byte that may differ."""
    last: int
    """Offset of the last one; without a page that was swapped with the one at `first`."""
    files: Files
    """All files, one of them changed."""


def damage(files: Files, name: str, rng: random.Random) -> Damage:
    """Change the file called `name` in one place."""
    content = bytearray(files[name])
    start, size = (LOG_HEADER_BYTES, FRAME_BYTES) if name == LOG else (0, PAGE_BYTES)
    # Without the index it is impossible to tell how long the log was.
    can_be_cut = name != LOG or INDEX in files
    kind = rng.choice(["bit", "bit", "zeros", "swap", *["cut"] * can_be_cut])
    first = last = rng.randrange(len(content))
    match kind:
        case "bit":
            content[first] ^= 1 << rng.randrange(8)
        case "zeros":
            end = min(len(content), first + rng.choice([1, 16, 512]))
            content[first:end] = bytes(end - first)
            last = end - 1
        case "cut":
            first = rng.choice([0, first, len(content) - 1 - rng.randrange(size)])
            del content[first:]
        case _:
            pages = range(start, len(content) - size + 1, size)
            first, second = sorted(rng.sample(pages, 2))
            last = first + size - 1
            one, two = content[first : first + size], content[second : second + size]
            content[first : first + size], content[second : second + size] = two, one
    return Damage(kind, name, first, last, {**files, name: bytes(content)})


class Case(NamedTuple):
    """A data folder that is damaged in many ways."""

    files: Files
    sound: Content


class Runs:
    """Runs of one case after the other, and counts of their outcomes."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self._folder = folder / "damaged"
        self._rng = rng
        self._counts: Counter[tuple[str, str, Outcome]] = Counter()

    async def run(self, label: str, case: Case, name: str, count: int) -> None:
        """Damage the file called `name` so many times."""
        for _ in range(count):
            damaged = damage(case.files, name, self._rng)
            outcome = await self._outcome(case, damaged)
            self._counts[label, name, outcome] += 1

    async def _outcome(self, case: Case, damaged: Damage) -> Outcome:
        write(self._folder, damaged.files)
        try:
            content = await content_of(self._folder)
        except (UnusableData, OSError):
            left = files_in(self._folder)
            before = {name: it for name, it in damaged.files.items() if name != "lock"}
            assert left.items() >= before.items(), f"evidence is changed: {damaged[:-1]}"
            if damaged.name == LOG and self._rng.random() < 0.3:
                await self._accept(case, damaged)
            return Outcome.REFUSED
        if content.agrees_with(case.sound):
            return Outcome.HARMLESS if content.is_complete else Outcome.TOLD
        if damaged.name == LOG and INDEX not in damaged.files:
            assert content == await self._content_before(case, damaged), damaged[:-1]
            return Outcome.LAST_COMMIT
        raise AssertionError(f"silently different: {damaged[:-1]}")

    async def _accept(self, case: Case, damaged: Damage) -> None:
        """Check that the loss can be accepted, and that the log is kept."""
        content = await content_of(self._folder, accept_loss=True)
        (copy,) = self._folder.glob(f"{LOG}-damaged-*")
        assert copy.read_bytes() == damaged.files[LOG]
        assert content.is_complete
        for code, room in content.rooms.items():
            sound = case.sound.rooms[code]
            assert room is not None
            assert sound is not None
            expected = {entry.seq: entry for entry in sound[1].entries}
            assert all(entry == expected.get(entry.seq, entry) for entry in room[1].entries)
            assert last_seq_of(room[1]) <= last_seq_of(sound[1])

    async def _content_before(self, case: Case, damaged: Damage) -> Content:
        """Return the content before the first commit that was changed; the last one was, too."""
        log = case.files[LOG]
        salts = log[16:24]
        ends = [
            at
            for at in range(LOG_HEADER_BYTES, len(log) - FRAME_BYTES + 1, FRAME_BYTES)
            if log[at + 8 : at + 16] == salts and log[at + 4 : at + 8] != bytes(4)
        ]
        before = [at + FRAME_BYTES for at in ends if at + FRAME_BYTES <= damaged.first]
        assert ends[-2] + FRAME_BYTES <= damaged.last, f"more is lost: {damaged[:-1]}"
        write(self._folder, {**case.files, LOG: log[: before[-1]]})
        return await content_of(self._folder)

    def print_summary(self) -> None:
        for (label, name, outcome), count in sorted(self._counts.items()):
            print(f"{label:24} {name:15} {count:5}  {outcome}")


async def run_all(folder: Path, seed: int, *, count: int, lines: int) -> None:
    """Damage the files of killed servers `count` times."""
    rng = random.Random(seed)
    files, sound = await killed(folder, lines)
    new = Case(files, sound)
    without_index = Case({name: files[name] for name in files if name != INDEX}, sound)
    runs = Runs(folder, rng)
    await runs.run("killed", new, DATABASE, count * 30 // 100)
    await runs.run("killed", new, LOG, count * 25 // 100)
    await runs.run("killed", new, INDEX, count * 10 // 100)
    await runs.run("the system failed", without_index, LOG, count * 15 // 100)
    for name, label in (("data", "before, stopped"), ("killed", "before, killed")):
        write(folder / name, files_in(GOLDEN / "written_before" / name))
        DataFolder(folder / name).mark_used()  # else an empty database is a new one
        files = files_in(folder / name)
        old = Case(files, await content_of(folder / name))
        await runs.run(label, old, DATABASE, count * 5 // 100)
        if LOG in files:
            await runs.run(label, old, LOG, count * 10 // 100)
    runs.print_summary()


async def test_some_damage(tmp_path: Path, seed: int) -> None:
    await run_all(tmp_path, seed, count=20, lines=60)


@pytest.mark.long
async def test_a_thousand_kinds_of_damage(tmp_path: Path, seed: int) -> None:
    count = int(os.environ.get("BOXROOM_DAMAGE", "1000"))
    await run_all(tmp_path, seed, count=count, lines=1500)
