"""Room logs in etcd: lost answers, damage, and entries that a server has missed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from tests.cluster.shared import new_address
from tests.server.manual_clock import ManualClock
from tests.server.storage.etcd.proxied import client_of, compact, proxied
from tests.server.storage.log_recorder import LogRecorder
from tests.server.storage.sqlite.data_folders import LIVING, begin_living_room
from tests.server.stores import EtcdStore
from tests.server.talk import until

from boxroom_engine.room.accepted import (
    COMMANDS_REMEMBERED,
    FORMER_MEMBERS_REMEMBERED,
    AcceptedCommands,
    checkpoint,
)
from boxroom_engine.room.events import Entry, Joined, Left
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import CHAT_TAIL, ChatLine, Member, Room, SeatHolder
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.etcd import room_log
from boxroom_server.storage.etcd.client import EtcdClient
from boxroom_server.storage.etcd.feed import Feed
from boxroom_server.storage.etcd.layout import SEQ_DIGITS, Layout, delete, put
from boxroom_server.storage.etcd.room_log import EtcdLog
from boxroom_server.storage.etcd.writer import EtcdWriter
from boxroom_server.storage.peers import RoomStatus
from boxroom_server.storage.room_log import Conflict, Damaged, RoomLog, RoomRecord, fold_log

ONE_LOOP = True

FIRST = Entry(1, 0, (Joined("Ada"), Joined("Bob")))
SECOND = Entry(3, 0, (Left("Bob"),), "Ada", 7)
THIRD = Entry(4, 0, (Joined("Cem"),))
RECORD = RoomRecord("attic", "attic", "Ada", "token", None, 0)


@pytest.fixture
def store() -> EtcdStore:
    return EtcdStore(new_address())


def key(store: EtcdStore, *parts: str) -> bytes:
    return Layout(store.address.prefix).key(*parts)


def entry_key(store: EtcdStore, entry: Entry) -> bytes:
    return Layout(store.address.prefix).entry("attic", entry.seq)


async def begin(log: RoomLog, *entries: Entry) -> LogRecorder:
    """Make a room with `entries`."""
    log.create(RECORD)
    recorder = LogRecorder(log, "attic")
    for entry in entries:
        await recorder.save(entry)
    return recorder


async def follow(log: RoomLog) -> LogRecorder:
    """Follow the room, as a server does that wakes it."""
    await log.read("attic")
    return LogRecorder(log, "attic")


# Answers that get lost


@asynccontextmanager
async def log_without_feed(
    client: EtcdClient, layout: Layout, feed: Feed | None = None
) -> AsyncIterator[EtcdLog]:
    """A log that knows by answers alone whether its entries are saved."""
    writer = EtcdWriter(client, layout, Commits())
    feed = feed or Feed(client, layout, ("room",))
    log = EtcdLog(client, layout, writer, feed, node="one", claim=lambda log: None)
    try:
        yield log
    finally:
        await log.stop()
        await writer.close()


async def test_a_log_that_begins_anew_takes_no_late_report_of_its_deletion(
    store: EtcdStore,
) -> None:
    layout = Layout(store.address.prefix)
    async with client_of(store.address) as client:
        feed = Feed(client, layout, ("room",))
        async with log_without_feed(client, layout, feed) as log:
            old = await begin(log, FIRST)
            old.close()
            assert await log.delete("attic")
            log.create(RECORD)
            new = LogRecorder(log, "attic")
            appended = new.append(FIRST)
            feed.tables["room"].change("attic", None)
            assert await new.outcome(appended) is None


async def test_an_entry_whose_answer_was_lost_is_saved_once(store: EtcdStore) -> None:
    async with (
        proxied(store.address) as (proxy, address),
        client_of(address) as client,
        log_without_feed(client, Layout(store.address.prefix)) as log,
    ):
        recorder = await begin(log, FIRST)
        proxy.mute()
        appended = recorder.append(SECOND)
        while len(await store.read("entry", "attic")) < 2:
            pass
        assert not recorder.is_known(appended)
        proxy.cut()
        proxy.open()
        assert await recorder.outcome(appended) is None
        await recorder.save(THIRD)
    assert recorder.entries == [FIRST, SECOND, THIRD]
    assert len(await store.read("entry", "attic")) == 3


async def test_an_entry_that_never_arrived_conflicts_with_one_that_did(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage, proxied(store.address) as (proxy, address):
        one = await begin(storage.room_log, FIRST)
        async with EtcdStore(address).opened(ManualClock()) as cut_off:
            other = await follow(cut_off.room_log)
            proxy.close()
            appended = other.append(Entry(3, 0, (Left("Ada"),)))
            await one.save(SECOND)
            proxy.open()
            assert isinstance(await other.outcome(appended), Conflict)
            assert other.entries == [SECOND]


# Entries that a server has missed


async def test_what_was_missed_is_delivered_after_a_compaction(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage, proxied(store.address) as (proxy, address):
        one = await begin(storage.room_log, FIRST)
        async with EtcdStore(address).opened(ManualClock()) as cut_off:
            other = await follow(cut_off.room_log)
            proxy.close()
            await one.save(SECOND)
            await compact(store.address)
            await one.save(THIRD)
            proxy.open()
            await until(lambda: other.entries == [SECOND, THIRD])
            assert not other.is_lost


async def test_a_server_that_was_cut_off_while_a_checkpoint_was_saved_goes_on(
    store: EtcdStore,
) -> None:
    async with store.opened(ManualClock()) as storage, proxied(store.address) as (proxy, address):
        one = await begin(storage.room_log, FIRST)
        async with EtcdStore(address).opened(ManualClock()) as cut_off:
            other = await follow(cut_off.room_log)
            proxy.close()
            await one.save(SECOND)
            one.opened.save_checkpoint(replace(Room("attic"), seq=3), AcceptedCommands())
            await one.save(THIRD)
            proxy.open()
            await until(lambda: other.entries == [SECOND, THIRD])
            assert (await cut_off.room_log.read("attic")).entries == (THIRD,)


async def test_a_damaged_entry_that_a_checkpoint_replaces_is_no_matter(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        one = await begin(storage.room_log, FIRST, SECOND)
        one.opened.save_checkpoint(replace(Room("attic"), seq=3), AcceptedCommands())
        await one.save(THIRD)
        await store.write(put(Layout(store.address.prefix).entry("attic", 1), b"{"))
        assert (await storage.room_log.read("attic")).entries == (THIRD,)


async def test_after_a_gap_a_log_is_read_once(
    store: EtcdStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = 0

    async def counted(*places: Any) -> Any:
        nonlocal readings
        readings += 1
        return await read(*places)

    read = room_log._read
    async with store.opened(ManualClock()) as storage, store.opened(ManualClock()) as late:
        one = await begin(storage.room_log, FIRST)
        other = await follow(late.room_log)
        assert isinstance(late.room_log, EtcdLog)
        tail = late.room_log._tails["attic"]
        tail._end_watch()
        monkeypatch.setattr(room_log, "_read", counted)
        entries = [Entry(seq, 0, (Joined(f"Guest {seq}"),)) for seq in range(3, 13)]
        for entry in entries:
            await one.save(entry)
        for pair in (await store.read("entry", "attic"))[2:]:
            tail.entry_received(int(pair.key[-SEQ_DIGITS:]), pair.value)
        await until(lambda: other.entries == entries)
        assert readings == 1


async def test_a_log_is_lost_whose_missing_entries_are_in_a_checkpoint(
    store: EtcdStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_log, "KEPT", 0)
    async with store.opened(ManualClock()) as storage, proxied(store.address) as (proxy, address):
        one = await begin(storage.room_log, FIRST)
        async with EtcdStore(address).opened(ManualClock()) as cut_off:
            other = await follow(cut_off.room_log)
            proxy.close()
            await one.save(SECOND)
            one.opened.save_checkpoint(replace(Room("attic"), seq=3), AcceptedCommands())
            await one.save(THIRD)
            await compact(store.address)
            proxy.open()
            await until(lambda: other.is_lost)
            assert other.entries == []
            other.close()
            stored = await cut_off.room_log.read("attic")
            assert stored.checkpoint is not None
            assert stored.checkpoint.seen.seq == 3
            assert stored.entries == (THIRD,)


async def test_what_is_appended_between_reading_and_following_is_delivered(
    store: EtcdStore,
) -> None:
    async with store.opened(ManualClock()) as storage:
        one = await begin(storage.room_log, FIRST)
        async with store.opened(ManualClock()) as late:
            await late.room_log.read("attic")
            await one.save(SECOND)
            other = LogRecorder(late.room_log, "attic")
            await until(lambda: other.entries == [SECOND])
            await one.save(THIRD)
            await until(lambda: other.entries == [SECOND, THIRD])


async def test_a_log_is_watched_while_it_is_followed(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        assert isinstance(storage.room_log, EtcdLog)
        known = storage.room_log.feed._watches
        of_tables = len(known)

        def watches() -> int:
            return len(known) - of_tables

        one = await begin(storage.room_log, FIRST)
        assert watches() == 1
        other = await follow(storage.room_log)
        assert watches() == 2
        one.close()
        other.close()
        assert watches() == 0
        taken = replace(RECORD, log="another")
        storage.room_log.create(taken)
        late = LogRecorder(storage.room_log, "another")
        appended = late.append(FIRST)
        late.close()  # before it is known whether the room is made
        assert watches() == 1
        await until(lambda: watches() == 0)
        assert not late.is_known(appended)
        assert storage.room_log._tails == {}


async def test_a_check_is_answered_though_the_log_is_closed(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        recorder = await begin(storage.room_log, FIRST)
        await store.write(put(key(store, "tail", "attic"), b"4"))  # SECOND is about to arrive
        checked: list[bool] = []
        recorder.opened.check(lambda: checked.append(True))
        assert isinstance(storage.room_log, EtcdLog)
        tail = storage.room_log._tails["attic"]
        await until(lambda: bool(tail._checks))
        recorder.close()
        assert checked == [True]
        assert storage.room_log._tails == {}


# Damage

Damage = Callable[[EtcdStore], list[Any]]


def unreadable_entry(store: EtcdStore) -> list[Any]:
    return [put(entry_key(store, SECOND), b"token {")]


def missing_entry(store: EtcdStore) -> list[Any]:
    return [delete(entry_key(store, SECOND))]


def missing_end(store: EtcdStore) -> list[Any]:
    return [delete(entry_key(store, THIRD))]


def unreadable_checkpoint(store: EtcdStore) -> list[Any]:
    return [put(key(store, "checkpoint", "attic"), b"{")]


def unreadable_tail(store: EtcdStore) -> list[Any]:
    return [put(key(store, "tail", "attic"), b"?")]


@pytest.mark.parametrize(
    "damage",
    [unreadable_entry, missing_entry, missing_end, unreadable_checkpoint, unreadable_tail],
)
async def test_a_damaged_log_is_refused_as_such(store: EtcdStore, damage: Damage) -> None:
    async with store.opened(ManualClock()) as storage:
        await begin(storage.room_log, FIRST, SECOND, THIRD)
    await store.write(*damage(store))
    async with store.opened(ManualClock()) as storage:
        with pytest.raises(Damaged):
            await storage.room_log.read("attic")


async def damaged_entry_arrives(store: EtcdStore) -> None:
    await store.write(put(entry_key(store, SECOND), b"token {"))


async def entry_arrives_after_a_hole(store: EtcdStore) -> None:
    await store.write(
        put(key(store, "tail", "attic"), b"5"), put(entry_key(store, THIRD), b"token {}")
    )
    valid = b'token {"seq":4,"at_ms":0,"events":[{"type":"left","member":"Cem"}]}'
    await store.write(put(entry_key(store, THIRD), valid))


@pytest.mark.parametrize("arrives", [damaged_entry_arrives, entry_arrives_after_a_hole])
async def test_a_follower_gives_up_a_damaged_log_and_the_feed_goes_on(
    store: EtcdStore, arrives: Callable[[EtcdStore], Awaitable[None]]
) -> None:
    async with store.opened(ManualClock()) as storage:
        recorder = await begin(storage.room_log, FIRST)
        await arrives(store)
        await until(lambda: recorder.is_lost)
        assert recorder.entries == [FIRST]
        cellar = RoomRecord("cellar", "cellar", "Ada", "token", None, 0)
        async with store.opened(ManualClock()) as other:
            other.room_log.create(cellar)
            await LogRecorder(other.room_log, "cellar").save(FIRST)
            await until(lambda: cellar in storage.room_log.room_records())


# Large rooms


def largest_room(room: Room, limits: RoomLimits) -> tuple[Room, AcceptedCommands]:
    """Return a room with as much in it as a server allows by default."""
    names = [f"{number:03}{'😀' * (limits.name_chars - 3)}" for number in range(1000)]
    members = {name: Member(name, node="01234567") for name in names[: limits.members]}
    line = ChatLine(10**6, names[0], "😀" * limits.chat_chars, 10**13)
    large = replace(
        room,
        members=members,
        seats=tuple(SeatHolder(n, names[n], names[n], "greedy") for n in range(limits.seats)),
        players=tuple(names[: limits.seats]),
        history="".join(f" h{number}" for number in range(limits.longest_game)),
        chat=(line,) * CHAT_TAIL,
        unrevealed=(line,) * CHAT_TAIL,
    )
    ids = range(2**53 - 2 * COMMANDS_REMEMBERED, 2**53)
    known = names[: limits.members + FORMER_MEMBERS_REMEMBERED]
    return large, AcceptedCommands({name: [(id, 10**6) for id in ids] for name in known})


async def test_the_checkpoint_of_the_largest_room_is_saved(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        begin_living_room(storage)
    async with store.opened(ManualClock()) as storage:
        (record,) = storage.room_log.room_records()
        room, _ = fold_log(await storage.room_log.read(LIVING), record)
        large, accepted = largest_room(room, RoomLimits())
        recorder = LogRecorder(storage.room_log, LIVING)
        recorder.opened.save_checkpoint(large, accepted)
    async with store.opened(ManualClock()) as storage:
        stored = await storage.room_log.read(LIVING)
        assert stored == (checkpoint(large, accepted), ())


async def test_a_checkpoint_that_is_too_large_is_left_out(
    store: EtcdStore, caplog: pytest.LogCaptureFixture
) -> None:
    async with store.opened(ManualClock()) as storage:
        begin_living_room(storage)
    async with store.opened(ManualClock()) as storage:
        (record,) = storage.room_log.room_records()
        room, _ = fold_log(await storage.room_log.read(LIVING), record)
        limits = RoomLimits(members=1000, chat_chars=5000)
        recorder = LogRecorder(storage.room_log, LIVING)
        recorder.opened.save_checkpoint(*largest_room(room, limits))
        assert "room cellar is too large for a checkpoint" in caplog.text
        await recorder.save(Entry(room.seq + 1, 0, (Joined("Bob"),)))
    async with store.opened(ManualClock()) as storage:
        stored = await storage.room_log.read(LIVING)
        assert (stored.checkpoint, len(stored.entries)) == (None, 2)


async def test_an_entry_that_is_too_large_is_refused(store: EtcdStore) -> None:
    async with store.opened(ManualClock()) as storage:
        recorder = await begin(storage.room_log, FIRST)
        large = Entry(3, 0, tuple(Left("x" * 1000) for _ in range(2000)))
        error = await recorder.outcome(recorder.append(large))
        assert "request" in str(error) or "message" in str(error)
        await recorder.save(SECOND)
        assert storage.saving.failure is None
    assert recorder.entries == [FIRST, SECOND]


# Deletion


async def test_a_room_is_deleted_whose_status_is_published_at_the_same_time(
    store: EtcdStore,
) -> None:
    """Of both in one transaction, etcd would refuse the whole."""
    async with store.opened(ManualClock()) as storage:
        await begin(storage.room_log, FIRST)
        deleting = asyncio.create_task(storage.room_log.delete("attic"))
        await asyncio.sleep(0)
        storage.peers.publish("attic", RoomStatus())
        storage.room_log.create(replace(RECORD, log="the new attic"))
        await LogRecorder(storage.room_log, "the new attic").save(FIRST)
        assert await deleting
        assert storage.saving.failure is None
    left = [pair.key.decode() for pair in await store.read() if b"attic" in pair.key]
    assert not any(it.endswith(("/room/attic", "/status/attic", "/tail/attic")) for it in left)
