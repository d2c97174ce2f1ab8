"""The feed: what the servers of the cluster write and this one needs, by watches of etcd.

One stream has all watches of a server: of the tables, which every server has, and of each log that
is followed here. A watch has the events of its keys in their order; two watches have no order
between them.

*Tables.* At the start, and when etcd has compacted what this server hasn't received yet, the feed
reads them, all at one revision, and watches from there. When the stream has ended or fallen silent,
the next one begins at another endpoint, after the last event that was received. So an event may
come twice, but none is left out.

*Logs.* A log is watched from the time when etcd begins the watch. An entry was appended either
before, then its receiver finds it when it reads the log afterwards, or later, then it is delivered.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from itertools import count
from typing import Any, Protocol

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
"""Time between two questions for the progress of a silent watch.

None is asked if something has come in the last half of it.
"""

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


class LogReceiver(Protocol):
    """The receiver of one log's entries."""

    def watched(self) -> None:
        """Read what was appended until now; all later entries are delivered.

        It is called again when the watch has begun anew, as entries may be missing then.
        """

    def entry_received(self, seq: int, value: bytes) -> None:
        """Receive the entry whose first event has the number `seq`."""


class _TablesWatch:
    """A watch of all keys from `begin` until before `end`, the folders of some tables."""

    def __init__(
        self, layout: Layout, tables: Mapping[str, Table], begin: bytes, end: bytes
    ) -> None:
        self.revision = 0
        """Revision from which on events are new, or that of the last one."""
        self._layout = layout
        self._tables = tables
        self._begin, self._end = begin, end

    def request(self, id: int) -> Any:
        """Return the request that begins it, with that id."""
        return rpc.WatchCreateRequest(
            watch_id=id, key=self._begin, range_end=self._end, start_revision=self.revision
        )

    def begun(self) -> None:
        """Nothing is missing: it goes on from the last event."""

    def deliver(self, event: Any) -> None:
        """Deliver an event, unless a member that has lagged behind repeats what came long ago."""
        pair = event.kv
        if pair.mod_revision < self.revision:
            return
        self.revision = pair.mod_revision
        folder, key = self._layout.parts(pair.key)
        if folder in self._tables:
            self._tables[folder].change(key, None if event.type == event.DELETE else pair.value)


class _LogWatch:
    """A watch of the entries of one log, from the time when etcd begins it."""

    def __init__(self, folder: bytes, receiver: LogReceiver) -> None:
        self._folder = folder
        self._receiver = receiver

    def request(self, id: int) -> Any:
        """Return the request that begins it, with that id."""
        return rpc.WatchCreateRequest(
            watch_id=id,
            key=self._folder,
            range_end=after(self._folder),
            filters=[rpc.WatchCreateRequest.NODELETE],
        )

    def begun(self) -> None:
        """Have the receiver read what was appended before."""
        self._receiver.watched()

    def deliver(self, event: Any) -> None:
        """Deliver an entry."""
        self._receiver.entry_received(int(event.kv.key[len(self._folder) :]), event.kv.value)


class Feed:
    """The feed of the tables with these names, and of the logs that are watched."""

    def __init__(self, client: EtcdClient, layout: Layout, tables: tuple[str, ...]) -> None:
        self.tables = {name: Table() for name in tables}
        """By folder."""
        self._client = client
        self._layout = layout
        self._ids = count(1)  # of watches
        spans = layout.spans(tables)
        self._of_tables = [_TablesWatch(layout, self.tables, *span) for span in spans]
        self._watches: dict[int, _TablesWatch | _LogWatch] = {
            next(self._ids): watch for watch in self._of_tables
        }
        self._requests: asyncio.Queue[Any] = asyncio.Queue()  # of the stream, or the last one
        self._heard_s = 0.0  # when the stream was last heard of
        self._tasks = Tasks()

    async def start(self, most_s: float) -> None:
        """Fill the tables, and keep them up to date from now on.

        Raises:
            EtcdError: etcd didn't answer in `most_s`, or refuses to.
        """
        await self._load(most_s)
        self._tasks.start(self._receive_forever())

    async def stop(self) -> None:
        """End."""
        await self._tasks.cancel()

    # Logs

    def watch(self, log: str, receiver: LogReceiver) -> int:
        """Deliver the entries of `log` to `receiver` soon, and return the id of that watch."""
        id = next(self._ids)
        self._watches[id] = watch = _LogWatch(self._layout.folder("entry", log), receiver)
        self._begin(id, watch)
        return id

    def unwatch(self, id: int) -> None:
        """End the watch of a log."""
        del self._watches[id]
        cancel = rpc.WatchCancelRequest(watch_id=id)
        self._requests.put_nowait(rpc.WatchRequest(cancel_request=cancel))

    def _begin(self, id: int, watch: _TablesWatch | _LogWatch) -> None:
        self._requests.put_nowait(rpc.WatchRequest(create_request=watch.request(id)))

    # The stream

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
        for watch in self._of_tables:
            watch.revision = revision + 1
        for name, values in contents.items():
            self.tables[name].replace(values)

    async def _receive_forever(self) -> None:
        async for _ in attempts():
            try:
                await self._receive()
            except NotAnswered as error:
                logger.info("watches have ended: %s", error)
            except EtcdError as error:
                logger.error("nothing is received: %s", error)
            except Exception:
                logger.exception("watches have failed")

    async def _receive(self) -> None:
        """Deliver events until the stream ends or is silent; load what it couldn't deliver.

        Raises:
            EtcdError: it has ended.
        """
        loop = asyncio.get_running_loop()
        self._heard_s = loop.time()
        self._requests = asyncio.Queue()
        for id, watch in self._watches.items():
            self._begin(id, watch)
        endpoint = self._client.current
        reading = asyncio.create_task(self._read(endpoint, self._requests))
        try:
            while not reading.done():
                await asyncio.wait([reading], timeout=PROGRESS_S)
                silent_s = loop.time() - self._heard_s
                if silent_s > SILENT_S:
                    self._client.leave(endpoint)  # requests may have left it before
                    return
                if silent_s >= PROGRESS_S / 2:
                    progress = rpc.WatchProgressRequest()
                    self._requests.put_nowait(rpc.WatchRequest(progress_request=progress))
            is_complete = reading.result()
        finally:
            self._requests.put_nowait(None)  # the end
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        if not is_complete:
            await self._load()

    async def _read(self, endpoint: int, requests: "asyncio.Queue[Any]") -> bool:
        """Deliver events until the stream ends; return False if etcd has compacted some of them."""
        loop = asyncio.get_running_loop()
        async for response in self._client.watch(endpoint, _all_of(requests)):
            self._heard_s = loop.time()
            watch = self._watches.get(response.watch_id)
            if watch is None and response.watch_id > 0:
                continue  # it was ended here
            if response.compact_revision:
                return False
            if response.canceled:
                raise NotAnswered(f"a watch was ended: {response.cancel_reason}")
            if watch is not None:  # else the answer tells the progress of all
                _take_in(response, watch)
        return True


def _take_in(response: Any, watch: _TablesWatch | _LogWatch) -> None:
    if response.created:
        watch.begun()
    for event in response.events:
        try:
            watch.deliver(event)
        except Exception:
            logger.exception("the value of %r can't be taken in", event.kv.key)


async def _all_of(requests: "asyncio.Queue[Any]") -> AsyncIterator[Any]:
    while (request := await requests.get()) is not None:
        yield request


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
