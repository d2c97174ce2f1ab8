"""Opening an etcd cluster as the storage of a server."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from aetcd import rpc

from boxroom_server.clock import Clock
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.client import EtcdClient, EtcdError, until_answered
from boxroom_server.storage.etcd.feed import Feed
from boxroom_server.storage.etcd.layout import VERSION, Layout, get, is_absent, put
from boxroom_server.storage.etcd.ledger import EtcdLedger
from boxroom_server.storage.etcd.nodes import EtcdNodes
from boxroom_server.storage.etcd.room_log import EtcdLog
from boxroom_server.storage.etcd.space import Space
from boxroom_server.storage.etcd.writer import EtcdWriter, Proposal
from boxroom_server.storage.storage import Storage, StorageError
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

START_S = 10.0
"""How long a starting server tries to reach etcd."""

HEARTBEAT_S = 1.0
"""Time between two changes of the time at which a server was last here.

It also finds out that nothing can be saved when no player makes a move.
"""

MOST_AHEAD_MS = 60_000
"""Most by which a starting server's time of day may differ from that of the others.

Names and games would expire by a clock that is wrong.
"""

TABLES = ("node", "owner", "room", "status", "name", "ban")


@asynccontextmanager
async def etcd_storage(
    address: EtcdAddress, clock: Clock, commits: Commits | None = None
) -> AsyncIterator[Storage]:
    """Use the etcd cluster at `address` while the context lasts.

    Every transaction is counted in `commits`.

    Raises:
        StorageError: it doesn't answer, or its data can't be used.
    """
    client, layout, node = EtcdClient(address), Layout(address.prefix), secrets.token_hex(4)
    tasks = Tasks()
    try:
        try:
            server_id, alive_ms = await _identify(client, layout)
            feed = Feed(client, layout, TABLES)
            await feed.start(START_S)
        except EtcdError as error:
            endpoints = ", ".join(address.endpoints)
            raise StorageError(f"etcd at {endpoints} can't be used: {error}") from error
        writer = EtcdWriter(client, clock, commits or Commits())
        nodes = EtcdNodes(client, layout, writer, feed, clock=clock, node=node)
        tables = feed.tables
        room_log = EtcdLog(client, layout, writer, tables["room"], node=node, created=nodes.created)
        feed.entry_received = room_log.entry_received
        feed.gap_found = room_log.gap_found
        ledger = EtcdLedger(client, layout, writer, tables["name"], tables["ban"])
        space = Space(client)
        down_ms = _down_ms(clock.now_ms(), alive_ms, has_others=bool(tables["node"].values))
        try:
            await nodes.start(START_S)
        except EtcdError as error:
            raise StorageError(f"etcd doesn't let this server in: {error}") from error
        tasks.start(_beat(writer, layout, clock))
        tasks.start(space.watch(clock))
        logger.info("this server is node %s", node)
        try:
            yield Storage(
                room_log,
                ledger,
                server_id,
                failure=lambda: writer.failure,
                on_failure_change=writer.on_failure_change.append,
                is_nearly_full=lambda: space.is_nearly_full,
                down_ms=down_ms,
                peers=nodes,
            )
        finally:
            await tasks.cancel()
            await room_log.stop()
            await ledger.stop()
            await writer.close()
            await nodes.stop()
            await feed.stop()
    finally:
        await client.close()


async def _identify(client: EtcdClient, layout: Layout) -> tuple[str, int]:
    """Return the id of the cluster and when a server was last here, in ms, or 0.

    Raises:
        EtcdError: etcd doesn't answer.
        StorageError: another version has written the data.
    """
    version, id_key = layout.key("meta", "version"), layout.key("meta", "id")
    request = rpc.TxnRequest(
        compare=[is_absent(id_key)],
        success=[put(version, VERSION), put(id_key, secrets.token_hex(16).encode())],
    )
    await until_answered(partial(client.txn, request), START_S)
    alive = layout.key("meta", "alive")
    request = rpc.TxnRequest(success=[get(version), get(id_key), get(alive)])
    answer = await until_answered(partial(client.txn, request), START_S)
    found = [_value(response) for response in answer.responses]
    if found[0] != VERSION:
        raise StorageError(
            f"the data in etcd has version {found[0].decode()!r}: another Boxroom wrote it"
        )
    return found[1].decode(), int(found[2] or b"0")


def _value(response: Any) -> bytes:
    pairs = response.response_range.kvs
    value: bytes = pairs[0].value if pairs else b""
    return value


def _down_ms(now_ms: int, alive_ms: int, *, has_others: bool) -> int | None:
    """Return the time for which no server was running; None if others are.

    Raises:
        StorageError: other servers are running, and their time of day is another one.
    """
    if not alive_ms:
        return 0
    if not has_others:
        return now_ms - alive_ms
    if abs(now_ms - alive_ms) > MOST_AHEAD_MS:
        raise StorageError(
            f"this machine's time of day is {(now_ms - alive_ms) / 1000:.0f} s ahead of that of"
            " the other servers: set it right"
        )
    return None


async def _beat(writer: EtcdWriter, layout: Layout, clock: Clock) -> None:
    """Save the time of day again and again, until cancelled."""
    key, is_waiting = layout.key("meta", "alive"), False

    def answered(succeeded: bool, responses: object) -> None:
        nonlocal is_waiting
        is_waiting = False

    while True:
        if not is_waiting:
            is_waiting = True
            request = rpc.TxnRequest(success=[put(key, b"%d" % clock.now_ms())])
            writer.add(Proposal("alive", request, answered))
        await asyncio.sleep(HEARTBEAT_S)
