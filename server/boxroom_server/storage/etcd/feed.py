"""The feed: all that servers of the cluster write, in order, by one watch from a known revision.

At the start, and when etcd has compacted what this server hasn't received yet, the feed reads
everything but logs, all at one revision, and watches from there. A watch that ends or falls silent
is begun again at another endpoint, from the last revision that was received. So an event may come
twice, but none is left out.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any

from aetcd import rpc

from boxroom_server.storage.etcd.client import (
    EtcdClient,
    EtcdError,
    NotAnswered,
    attempts,
    until_answered,
)
from boxroom_server.storage.etcd.layout import Layout, after, range_of
from boxroom_server.storage.storage import StorageError
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

PROGRESS_S = 1.0
"""Time between two questions for the progress of a watch, which keep it from being silent."""

SILENT_S = 2.5
"""Time without an answer after which an endpoint is left."""

PAGE = 1_000
"""Keys read at once."""


class Table:
    """The keys of one folder with their values, as of what the feed has delivered."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        """Values by the rest of the key behind the folder."""
        self.listeners: list[Callable[[str, bytes | None], None]] = []
        """Called with each key that was changed, and its value; None if it was deleted."""

    def change(self, key: str, value: bytes | None) -> None:
        """Change a value, and call the listeners if it is another one now.

        One that raises, perhaps because the value is damaged, keeps no other from it.
        """
        if self.values.get(key) == value:
            return
        if value is None:
            del self.values[key]
        else:
            self.values[key] = value
        for listener in self.listeners:
            try:
                listener(key, value)
            except StorageError as error:
                logger.error("a change isn't taken in: %s", error)
            except Exception:
                logger.exception("a change of %s isn't taken in", key)

    def replace(self, values: Mapping[str, bytes]) -> None:
        """Take over all values of the folder."""
        for key in self.values.keys() - values.keys():
            self.change(key, None)
        for key, value in values.items():
            self.change(key, value)


class Feed:
    """The feed of all keys of `layout`, of which it keeps the tables with these names."""

    def __init__(self, client: EtcdClient, layout: Layout, tables: tuple[str, ...]) -> None:
        self.tables = {name: Table() for name in tables}
        """By folder."""
        self.entry_received: Callable[[str, int, bytes], None] = lambda log, seq, value: None
        """Called with each entry of any log: its log, its seq, and its value."""
        self.gap_found: Callable[[], None] = lambda: None
        """Called when entries may be missing: they have to be read."""
        self._client = client
        self._layout = layout
        self._revision = 0  # from which on events are new, or that of the last one
        self._heard_s = 0.0  # when the watch was last heard of
        self._tasks = Tasks()

    async def start(self, most_s: float) -> None:
        """Fill the tables, and keep them up to date from now on.

        Raises:
            EtcdError: etcd didn't answer in `most_s`, or refuses to.
        """
        await self._load(most_s)
        self._tasks.start(self._watch_forever())

    async def stop(self) -> None:
        """End."""
        await self._tasks.cancel()

    async def _load(self, most_s: float = float("inf")) -> None:
        """Fill all tables as of one revision."""
        revision = 0
        contents: dict[str, dict[str, bytes]] = {}
        for name in self.tables:
            folder = self._layout.folder(name)
            contents[name] = {}
            async for page in read_pages(self._client, folder, revision=revision, most_s=most_s):
                revision = revision or page.header.revision
                for pair in page.kvs:
                    contents[name][pair.key[len(folder) :].decode()] = pair.value
        self._revision = revision + 1
        for name, values in contents.items():
            self.tables[name].replace(values)

    async def _watch_forever(self) -> None:
        async for _ in attempts():
            try:
                await self._watch()
            except NotAnswered as error:
                logger.info("a watch has ended: %s", error)
            except EtcdError as error:
                logger.error("nothing is received: %s", error)
            except Exception:
                logger.exception("a watch has failed")

    async def _watch(self) -> None:
        """Deliver events until the watch ends or is silent, and read what it couldn't deliver.

        Raises:
            EtcdError: it has ended.
        """
        loop = asyncio.get_running_loop()
        self._heard_s = loop.time()
        requests: asyncio.Queue[Any] = asyncio.Queue()
        begin = rpc.WatchCreateRequest(
            key=self._layout.all, range_end=after(self._layout.all), start_revision=self._revision
        )
        requests.put_nowait(rpc.WatchRequest(create_request=begin))
        endpoint = self._client.current
        reading = asyncio.create_task(self._read(endpoint, requests))
        try:
            while not reading.done():
                await asyncio.wait([reading], timeout=PROGRESS_S)
                if loop.time() - self._heard_s > SILENT_S:
                    self._client.leave(endpoint)  # requests may have left it before
                    return
                progress = rpc.WatchProgressRequest()
                requests.put_nowait(rpc.WatchRequest(progress_request=progress))
            is_complete = reading.result()
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        if not is_complete:
            await self._load()
            self.gap_found()

    async def _read(self, endpoint: int, requests: "asyncio.Queue[Any]") -> bool:
        """Deliver events until the watch ends; return False if etcd has compacted some of them."""
        loop = asyncio.get_running_loop()
        async for response in self._client.watch(endpoint, _all_of(requests)):
            self._heard_s = loop.time()
            if response.compact_revision:
                return False
            if response.canceled:
                raise NotAnswered(f"a watch was ended: {response.cancel_reason}")
            for event in response.events:
                try:
                    self._deliver(event)
                except Exception:
                    logger.exception("the value of %r can't be taken in", event.kv.key)
        return True

    def _deliver(self, event: Any) -> None:
        pair = event.kv
        if pair.mod_revision < self._revision:
            return  # a member that has lagged behind may repeat what came long ago
        self._revision = pair.mod_revision
        folder, key = self._layout.parts(pair.key)
        is_deleted = event.type == event.DELETE
        if folder == "entry":
            if not is_deleted:
                log, _, seq = key.partition("/")
                self.entry_received(log, int(seq), pair.value)
        elif folder in self.tables:
            self.tables[folder].change(key, None if is_deleted else pair.value)


async def _all_of(requests: "asyncio.Queue[Any]") -> AsyncIterator[Any]:
    while True:
        yield await requests.get()


async def read_pages(
    client: EtcdClient,
    folder: bytes,
    *,
    revision: int = 0,
    keys_only: bool = False,
    most_s: float = float("inf"),
) -> AsyncIterator[Any]:
    """Yield the content of `folder` in pages, all as of one revision; at least one page.

    With `keys_only` values are empty.

    Raises:
        EtcdError: etcd didn't answer in `most_s`, or refuses to.
    """
    begin, end = folder, after(folder)
    while True:
        request = range_of(begin, end, limit=PAGE, revision=revision)
        request.keys_only = keys_only
        page = await until_answered(partial(client.range, request), most_s)
        revision = revision or page.header.revision
        yield page
        if not page.more:
            return
        begin = page.kvs[-1].key + b"\0"
