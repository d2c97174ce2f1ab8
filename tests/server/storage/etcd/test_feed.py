"""The feed: what it delivers after it was cut off, and what it goes on after."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from aetcd import rpc
from tests.cluster.shared import new_address
from tests.server.storage.etcd.proxied import client_of, compact, proxied
from tests.server.stores import EtcdStore
from tests.server.talk import LIMIT_S, until

from boxroom_server.storage.etcd import feed as feeds
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.client import ATTEMPT_S, EtcdClient, until_answered
from boxroom_server.storage.etcd.feed import Feed, Table
from boxroom_server.storage.etcd.layout import Layout, delete, put

ONE_LOOP = True


@pytest.fixture
def store() -> EtcdStore:
    return EtcdStore(new_address())


def key(store: EtcdStore, name: str) -> bytes:
    return Layout(store.address.prefix).key("name", name)


@asynccontextmanager
async def feeding(address: EtcdAddress) -> AsyncIterator[tuple[Feed, Table]]:
    """Run a feed; yield it and its table of names."""
    async with client_of(address) as client:
        feed = Feed(client, Layout(address.prefix), ("name",))
        await feed.start(5.0)
        try:
            yield feed, feed.tables["name"]
        finally:
            await feed.stop()


@pytest.mark.parametrize("is_compacted", [False, True])
async def test_what_changed_while_it_was_cut_off_is_delivered(
    store: EtcdStore, is_compacted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "PAGE", 2)
    await store.write(*(put(key(store, name), b"old") for name in ("ada", "bob", "cem")))
    async with (
        proxied(store.address) as (proxy, address),
        feeding(address) as (_, table),
    ):
        changes: list[tuple[str, bytes | None]] = []
        table.listeners.append(lambda name, value: changes.append((name, value)))
        proxy.close()
        await store.write(
            put(key(store, "ada"), b"new"),
            delete(key(store, "bob")),
            put(key(store, "dan"), b"new"),
        )
        if is_compacted:
            await compact(store.address)
        proxy.open()
        expected = {"ada": b"new", "cem": b"old", "dan": b"new"}
        await until(lambda: table.values == expected)
        assert sorted(changes, key=str) == [("ada", b"new"), ("bob", None), ("dan", b"new")]
        await store.write(put(key(store, "eve"), b"later"))
        await until(lambda: "eve" in table.values)


async def test_a_watch_leaves_a_silent_endpoint_that_requests_have_left_before(
    store: EtcdStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting, value in (("PROGRESS_S", 0.1), ("SILENT_S", 2 * ATTEMPT_S[0])):
        monkeypatch.setattr(feeds, setting, value)
    async with proxied(store.address) as (proxy, address):
        both = replace(address, endpoints=(*address.endpoints, *store.address.endpoints))
        async with feeding(both) as (feed, table):
            proxy.mute()
            await store.write(put(key(store, "ada"), b"new"))
            async with asyncio.timeout(LIMIT_S):
                while "ada" not in table.values:
                    request = rpc.RangeRequest(key=key(store, "ada"))
                    await until_answered(partial(feed._client.range, request))


async def test_a_compaction_is_made_good_however_long_that_takes(
    store: EtcdStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting, value in (("PAGE", 1), ("PROGRESS_S", 0.05), ("SILENT_S", 0.2)):
        monkeypatch.setattr(feeds, setting, value)
    async with proxied(store.address) as (proxy, address), feeding(address) as (_, table):
        proxy.close()
        names = [f"{number:03}" for number in range(50)]
        await store.write(*(put(key(store, name), b"1") for name in names))
        await compact(store.address)
        monkeypatch.setattr(proxy, "_late_s", lambda: 0.005)
        proxy.open()
        await until(lambda: sorted(table.values) == names)


async def test_nothing_of_the_start_is_delivered_again(store: EtcdStore) -> None:
    """The events of the last transaction before the start would undo what has come since."""
    await store.write(put(key(store, "ada"), b"1"), delete(key(store, "ada")))
    async with feeding(store.address) as (_, table):
        table.change("ada", b"2")  # an own change, known by its answer
        await store.write(put(key(store, "bob"), b"1"))
        await until(lambda: "bob" in table.values)
        assert table.values["ada"] == b"2"


async def test_a_listener_that_raises_ends_nothing(
    store: EtcdStore, caplog: pytest.LogCaptureFixture
) -> None:
    async with feeding(store.address) as (_, table):
        heard: list[str] = []

        def fail(name: str, value: bytes | None) -> None:
            raise ValueError("a defect")

        table.listeners += [fail, lambda name, value: heard.append(name)]
        for name in ("ada", "bob"):
            await store.write(put(key(store, name), b"1"))
        await until(lambda: heard == ["ada", "bob"])
    errors = [it.getMessage() for it in caplog.records if it.name == feeds.__name__]
    assert errors == ["a change of ada isn't taken in", "a change of bob isn't taken in"]


# Logs


class Recorder:
    """A receiver of one log's entries."""

    def __init__(self) -> None:
        self.begun = 0
        """Number of times that the watch has begun."""
        self.entries: list[tuple[int, bytes]] = []
        """The delivered ones."""

    def watched(self) -> None:
        self.begun += 1

    def entry_received(self, seq: int, value: bytes) -> None:
        self.entries.append((seq, value))


class CountingClient(EtcdClient):
    """A client that keeps the keys of all events that it has received."""

    def __init__(self, address: EtcdAddress) -> None:
        super().__init__(address)
        self.keys: list[str] = []
        """Without the prefix."""
        self._prefix = Layout(address.prefix).all

    async def watch(self, endpoint: int, requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for response in super().watch(endpoint, requests):
            self.keys += (
                event.kv.key.removeprefix(self._prefix).decode() for event in response.events
            )
            yield response


def entry(store: EtcdStore, log: str, seq: int) -> bytes:
    return Layout(store.address.prefix).entry(log, seq)


async def watched(feed: Feed, log: str) -> tuple[int, Recorder]:
    """Watch a log; return the id of the watch, and its receiver, once it has begun."""
    recorder = Recorder()
    id = feed.watch(log, recorder)
    await until(lambda: recorder.begun == 1)
    return id, recorder


async def test_only_entries_of_watched_logs_and_tables_are_sent_to_a_server(
    store: EtcdStore,
) -> None:
    client, layout = CountingClient(store.address), Layout(store.address.prefix)
    feed = Feed(client, layout, ("name", "ban"))
    await feed.start(5.0)
    try:
        _, attic = await watched(feed, "attic")
        ended, cellar = await watched(feed, "cellar")
        feed.unwatch(ended)
        await store.write(
            put(entry(store, "attic", 1), b"a"),
            put(layout.key("tail", "attic"), b"2"),
            put(layout.key("meta", "alive"), b"0"),
            put(layout.key("checkpoint", "attic"), b"{}"),
            put(entry(store, "other", 1), b"b"),
            delete(entry(store, "attic", 1)),
            put(layout.key("ban", "name/eve"), b"{}"),
            put(layout.key("name", "ada"), b"{}"),
        )
        _, cellar_again = await watched(feed, "cellar")
        await store.write(put(entry(store, "cellar", 5), b"c"))
        keys = [layout.entry("attic", 1), layout.entry("cellar", 5)]
        names = [it.removeprefix(layout.all).decode() for it in keys]
        expected = sorted(["ban/name/eve", "name/ada", *names])
        await until(lambda: sorted(client.keys) == expected)  # four watches have no order
        assert (attic.entries, cellar_again.entries) == ([(1, b"a")], [(5, b"c")])
        assert cellar.entries == []
    finally:
        await feed.stop()
        await client.close()


@pytest.mark.parametrize("is_compacted", [False, True])
async def test_a_watch_of_a_log_begins_anew_after_a_cut(
    store: EtcdStore, is_compacted: bool
) -> None:
    async with proxied(store.address) as (proxy, address), feeding(address) as (feed, table):
        _, attic = await watched(feed, "attic")
        begun: list[int] = []  # when the table is up to date
        table.listeners.append(lambda name, value: begun.append(attic.begun))
        proxy.close()
        cellar = Recorder()
        feed.watch("cellar", cellar)
        await store.write(put(entry(store, "attic", 1), b"missed"), put(key(store, "ada"), b"1"))
        if is_compacted:
            await compact(store.address)
        proxy.open()
        await until(lambda: bool(begun))
        # After a compaction the stream begins once more.
        await until(lambda: attic.begun > (begun[0] if is_compacted else 1))
        await until(lambda: cellar.begun == attic.begun - 1)
        await store.write(put(entry(store, "attic", 2), b"a"), put(entry(store, "cellar", 1), b"b"))
        await until(lambda: (attic.entries, cellar.entries) == ([(2, b"a")], [(1, b"b")]))


async def test_an_entry_that_can_not_be_handed_on_is_left_out(
    store: EtcdStore, caplog: pytest.LogCaptureFixture
) -> None:
    async with feeding(store.address) as (feed, _):
        _, attic = await watched(feed, "attic")
        layout = Layout(store.address.prefix)
        await store.write(put(layout.key("entry", "attic", "no number"), b"1"))
        await store.write(put(entry(store, "attic", 1), b"1"))
        await until(lambda: attic.entries == [(1, b"1")])
    assert "no number' can't be taken in" in caplog.text
