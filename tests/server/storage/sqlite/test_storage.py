"""Opening a data folder, closing it, and opening one after a crash."""

import asyncio
import math
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.manual_clock import ManualClock
from tests.server.storage.log_recorder import LogRecorder
from tests.server.storage.sqlite.writing import rows
from tests.server.talk import until

from boxroom_engine.room.events import Entry, Joined
from boxroom_server.ops.metrics import Commits
from boxroom_server.people.names import Names
from boxroom_server.storage.ledger import (
    BanKind,
    BanRecord,
    FinishedGame,
    NameRecord,
    delete_old_games_forever,
)
from boxroom_server.storage.room_log import RoomRecord
from boxroom_server.storage.sqlite import folder as folder_module
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.schema import UnusableData
from boxroom_server.storage.sqlite.storage import HEARTBEAT_S, MAX_AGEING_DAYS, sqlite_storage
from boxroom_server.storage.storage import Storage

ONE_LOOP = True

DAY_S = 86_400
LIFE_DAYS = 30.0

ENTRY = Entry(1, 0, (Joined("Ada"),))


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


def crashed(folder: DataFolder) -> DataFolder:
    """Return a copy of the folder, as after a kill of the server at this moment."""
    copy = folder.path.with_name("crashed")
    shutil.copytree(folder.path, copy)
    return DataFolder(copy)


def change(folder: DataFolder, statement: str) -> None:
    with closing(sqlite3.connect(folder.database)) as connection, connection:
        connection.execute(statement)


async def make_room(storage: Storage, log: str = "4711") -> None:
    storage.room_log.create(RoomRecord(log, "attic", "Ada", "token", None, 0))
    await LogRecorder(storage.room_log, log).save(ENTRY)


async def test_a_new_folder_is_empty(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        assert storage.room_log.room_records() == ()
        assert storage.ledger.names() == ()
        assert storage.saving.failure is None
        assert storage.down_ms == 0


async def test_one_server_at_a_time_has_it(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()):
        with pytest.raises(UnusableData, match="belongs to another server"):
            async with sqlite_storage(folder, ManualClock()):
                pytest.fail("two servers have one folder")
    async with sqlite_storage(folder, ManualClock()):
        pass


async def test_a_room_is_found_again_after_the_end_and_after_a_crash(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        await make_room(storage)
        copy = crashed(folder)
    for left in (folder, copy):
        async with sqlite_storage(left, ManualClock()) as storage:
            assert [it.code for it in storage.room_log.room_records()] == ["attic"]
            assert (await storage.room_log.read("4711")).entries[0].seq == 1


async def test_a_room_whose_creation_was_never_saved_is_deleted(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        storage.room_log.create(RoomRecord("4711", "attic", "Ada", "token", None, 0))
    assert rows(folder.database, "SELECT log FROM rooms") == [("4711",)]
    async with sqlite_storage(folder, ManualClock()) as storage:
        assert storage.room_log.room_records() == ()
    assert rows(folder.database, "SELECT log FROM rooms") == []


async def test_commits_are_counted(folder: DataFolder) -> None:
    commits = Commits()
    async with sqlite_storage(folder, ManualClock(), commits) as storage:
        await make_room(storage)
    assert commits.entries.total == 1.0


async def test_after_the_end_the_time_without_a_server_is_known(
    folder: DataFolder,
) -> None:
    clock = ManualClock()
    async with sqlite_storage(folder, clock):
        clock.advance(2.0)
    clock.advance(60.0)
    async with sqlite_storage(folder, clock) as storage:
        assert storage.down_ms == 60_000


async def test_after_a_crash_it_is_known_from_the_last_sign_of_life(folder: DataFolder) -> None:
    clock = ManualClock()
    async with sqlite_storage(folder, clock):
        await until(lambda: clock.waiting > 0)
        clock.advance(HEARTBEAT_S)
        noted = [(clock.now_ms(),)]
        await until(lambda: rows(folder.database, "SELECT alive_ms FROM life") == noted)
        clock.advance(HEARTBEAT_S - 1.0)
        copy = crashed(folder)
    clock.advance(60.0)
    async with sqlite_storage(copy, clock) as storage:
        assert storage.down_ms == (60 + HEARTBEAT_S - 1) * 1000


async def test_an_entry_is_a_sign_of_life_too(folder: DataFolder) -> None:
    clock = ManualClock()
    async with sqlite_storage(folder, clock) as storage:
        clock.advance(HEARTBEAT_S / 2)
        await make_room(storage)
        copy = crashed(folder)
    clock.advance(60.0)
    async with sqlite_storage(copy, clock) as storage:
        assert storage.down_ms == 60_000


async def test_after_a_step_back_clocks_of_moves_go_back_with_it(folder: DataFolder) -> None:
    clock = ManualClock()
    async with sqlite_storage(folder, clock) as storage:
        await make_room(storage)
    clock.behind_s = 3600.0
    async with sqlite_storage(folder, clock) as storage:
        assert storage.down_ms == -3_600_000
    clock.advance(60.0)
    async with sqlite_storage(folder, clock) as storage:
        assert storage.down_ms == 60_000


# Expiry after a start


class Restarted:
    """A server's names and games after several starts, each at some day of the machine's clock.

    Names are free after `LIFE_DAYS`; games are deleted after as many.
    """

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._clock = ManualClock()
        self.is_name_free = False
        """Whether the name of Ada was free in the last start."""

    async def start(self, day: float, *, use: bool = False) -> None:
        """Run a server for a moment; with `use`, Ada visits it and a game ends."""
        self._clock.behind_s = -day * DAY_S
        async with sqlite_storage(self._folder, self._clock) as storage:
            names = Names(10, LIFE_DAYS, storage.ledger, self._clock, lambda name: False)
            if use:
                assert names.claim("Ada", "her secret") == "Ada"
                now_ms = self._clock.now_ms()
                game = FinishedGame(f"{day}", 1, "attic", now_ms, (1, 0), (0,), f"record {day}")
                storage.ledger.save_game(game)
            deleting = asyncio.create_task(
                delete_old_games_forever(storage.ledger, LIFE_DAYS, self._clock)
            )
            await until(lambda: self._clock.waiting > 1)  # it and the heartbeat
            deleting.cancel()
            self.is_name_free = names.claim("Ada", "the secret of a thief") is not None

    @property
    def games(self) -> list[tuple[object, ...]]:
        return rows(self._folder.database, "SELECT record FROM games WHERE record <> ''")


@pytest.mark.parametrize("day", [181, 20_000, -181, -20_000])
async def test_a_wrong_time_of_day_at_a_start_gives_no_name_away_and_deletes_no_game(
    folder: DataFolder, day: int
) -> None:
    restarted = Restarted(folder)
    await restarted.start(0, use=True)
    for wrong_or_right in (day, 1, day, 2):
        await restarted.start(wrong_or_right)
        assert not restarted.is_name_free
        assert restarted.games == [("record 0",)]


@pytest.mark.parametrize("wrong", [-20_000, 20_000])
async def test_nor_does_what_was_saved_with_a_wrong_time_of_day_expire_with_the_right_one(
    folder: DataFolder, wrong: int
) -> None:
    restarted = Restarted(folder)
    for day in (0, wrong):
        await restarted.start(day, use=True)
    await restarted.start(0)
    assert not restarted.is_name_free
    assert restarted.games == [("record 0",), (f"record {wrong}",)]


@pytest.mark.parametrize("days", [6.5, 7, 100])
async def test_names_and_games_age_by_seven_days_at_most_at_a_start(
    folder: DataFolder, days: float
) -> None:
    restarted = Restarted(folder)
    await restarted.start(0, use=True)
    starts = 0
    while not restarted.is_name_free:
        starts += 1
        await restarted.start(starts * days)
    assert restarted.games == []
    assert starts == math.ceil(LIFE_DAYS / min(days, MAX_AGEING_DAYS))


async def test_a_start_that_does_not_believe_the_time_of_day_says_so(
    folder: DataFolder, caplog: pytest.LogCaptureFixture
) -> None:
    restarted = Restarted(folder)
    await restarted.start(0)
    await restarted.start(6.9)
    assert caplog.text == ""
    await restarted.start(181)
    assert "it is 2024-05-13 22:13:20 UTC, and the last server was here at" in caplog.text
    assert "names and games age by 7 days" in caplog.text


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param("INSERT INTO commits VALUES (1, 0, x'41', NULL)", id="a commit"),
        pytest.param("INSERT INTO commits VALUES (1, 0, '1 {}', NULL)", id="a commit that is text"),
        pytest.param("INSERT INTO commits VALUES (1, 0, x'', 7)", id="a commit's checksum"),
        pytest.param("UPDATE rooms SET checksum = NULL", id="no checksum"),
        pytest.param("UPDATE rooms SET lodging = replace(lodging, 'Ada', 'Bob')", id="a room"),
        pytest.param("UPDATE names SET name = 'Bda'", id="a name"),
        pytest.param("UPDATE names SET name = CAST(x'ff' AS TEXT)", id="a name that is no text"),
        pytest.param("UPDATE bans SET who = 'bob'", id="a ban"),
    ],
)
async def test_a_damaged_one_is_refused_unchanged_and_free_again(
    folder: DataFolder, damage: str
) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        await make_room(storage)
        storage.ledger.save_name(NameRecord("ada", "Ada", b"digest", 0))
        storage.ledger.save_ban(BanRecord(BanKind.NAME, "mallory", 0, "spam"))
    change(folder, damage)
    files = files_of(folder)
    for _ in range(2):
        with pytest.raises(UnusableData, match="is damaged"):
            async with sqlite_storage(folder, ManualClock()):
                pytest.fail("it can't be used")
        assert files.items() <= files_of(folder).items()


def files_of(folder: DataFolder) -> dict[str, bytes]:
    """Return the files that hold what was saved."""
    return {path.name: path.read_bytes() for path in folder.path.glob("boxroom.db*")}


async def left_by_a_kill(folder: DataFolder) -> DataFolder:
    """Return a folder whose log has a commit that is damaged, and others behind it."""
    async with sqlite_storage(folder, ManualClock()) as storage:
        await make_room(storage)
        recorder = LogRecorder(storage.room_log, "4711")
        for seq in range(2, 6):
            await recorder.save(Entry(seq, 0, (Joined(f"Ada{seq}"),)))
        copy = crashed(folder)
    log = copy.database.with_name("boxroom.db-wal")
    content = bytearray(log.read_bytes())
    content[content.index(b"Ada3")] ^= 1
    log.write_bytes(content)
    return copy


async def test_a_damaged_log_is_refused_unchanged(folder: DataFolder) -> None:
    copy = await left_by_a_kill(folder)
    files = files_of(copy)
    with pytest.raises(UnusableData, match=r"-wal is damaged: frame \d+ of .*--accept-loss"):
        async with sqlite_storage(copy, ManualClock()):
            pytest.fail("commits would be lost")
    assert files_of(copy) == files


async def test_the_loss_may_be_accepted_and_a_copy_is_kept(
    folder: DataFolder, caplog: pytest.LogCaptureFixture
) -> None:
    copy = await left_by_a_kill(folder)
    damaged = files_of(copy)["boxroom.db-wal"]
    async with sqlite_storage(copy, ManualClock(), accept_loss=True) as storage:
        entries = (await storage.room_log.read("4711")).entries
        assert [entry.last_seq for entry in entries] == [1, 2]
        assert "less than was saved" in caplog.text
    assert files_of(copy)["boxroom.db-wal-damaged-1"] == damaged
    async with sqlite_storage(copy, ManualClock()):
        pass


async def test_accepting_a_loss_changes_nothing_where_there_is_none(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        await make_room(storage)
        copy = crashed(folder)
    async with sqlite_storage(copy, ManualClock(), accept_loss=True) as storage:
        assert (await storage.room_log.read("4711")).entries == (ENTRY,)
    assert files_of(copy).keys() == {"boxroom.db"}


@pytest.mark.parametrize("state", ["is empty", "is gone"])
async def test_a_lost_database_is_no_new_one(folder: DataFolder, state: str) -> None:
    async with sqlite_storage(folder, ManualClock()):
        pass
    lose(folder.database, state)
    for _ in range(2):
        with pytest.raises(UnusableData, match=f"{state}, but a server has used this folder"):
            async with sqlite_storage(folder, ManualClock()):
                pytest.fail("anybody could take any name")


@pytest.mark.parametrize("name", ["boxroom.db-wal", "boxroom.db-shm"])
async def test_nor_is_one_that_is_lost_beside_its_log(folder: DataFolder, name: str) -> None:
    folder.path.mkdir()
    folder.database.touch()
    (folder.path / name).write_text("4711\n")
    with pytest.raises(UnusableData, match="is empty, but a server has used this folder"):
        async with sqlite_storage(folder, ManualClock()):
            pytest.fail("anybody could take any name")
    assert folder.database.read_bytes() == b""


async def test_one_without_tables_is_no_new_one_either(folder: DataFolder) -> None:
    async with sqlite_storage(folder, ManualClock()):
        pass
    folder.database.unlink()
    with closing(sqlite3.connect(folder.database)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(UnusableData, match="has no tables, but a server has used this folder"):
        async with sqlite_storage(folder, ManualClock()):
            pytest.fail("anybody could take any name")


async def test_a_first_start_that_was_killed_is_no_use(folder: DataFolder) -> None:
    with folder.locked():
        folder.database.touch()
    async with sqlite_storage(folder, ManualClock()) as storage:
        assert storage.room_log.room_records() == ()


def lose(database: Path, state: str) -> None:
    database.unlink()
    if state == "is empty":
        database.touch()


async def test_a_log_that_is_gone_is_missed_until_the_system_starts_again(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sqlite_storage(folder, ManualClock()) as storage:
        await make_room(storage)
        copy = crashed(folder)
    copy.database.with_name("boxroom.db-wal").unlink()
    with pytest.raises(UnusableData, match="-wal is damaged"):
        async with sqlite_storage(copy, ManualClock()):
            pytest.fail("commits would be lost")
    monkeypatch.setattr(folder_module, "_boot_id", lambda: "another one")
    async with sqlite_storage(copy, ManualClock()):
        pass
