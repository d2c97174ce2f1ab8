"""Opening an etcd cluster as the storage of a server."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from aetcd import rpc

from boxroom_server.clock import Clock, span_text
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.etcd import tls
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.client import EtcdClient, EtcdError, until_answered
from boxroom_server.storage.etcd.feed import Feed, Table
from boxroom_server.storage.etcd.identity import (
    START_S,
    make_identity,
    read_identity,
    time_of,
    value_of,
)
from boxroom_server.storage.etcd.layout import Layout, decode, get, put
from boxroom_server.storage.etcd.ledger import EtcdLedger
from boxroom_server.storage.etcd.nodes import EtcdNodes
from boxroom_server.storage.etcd.offers import EtcdOffers
from boxroom_server.storage.etcd.room_log import EtcdLog
from boxroom_server.storage.etcd.space import Space
from boxroom_server.storage.etcd.writer import Answered, EtcdWriter, Proposal, ignore
from boxroom_server.storage.ledger import BanRecord, NameRecord
from boxroom_server.storage.peers import RoomStatus
from boxroom_server.storage.room_log import RoomRecord
from boxroom_server.storage.storage import Storage, StorageError
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

HEARTBEAT_S = 1.0
"""Time between two changes of the time at which a server was last here.

It also finds out that nothing can be saved when no player makes a move.
"""

MOST_AHEAD_MS = 60_000
"""Most by which a starting server's time of day may differ from that of the others.

Names and games would expire by a clock that is wrong.
"""

LOOK_S = 0.1
"""Time between two looks whether servers are running that seem to have stopped."""

TYPES: Mapping[str, type] = {
    "room": RoomRecord,
    "status": RoomStatus,
    "name": NameRecord,
    "ban": BanRecord,
}
"""Types of the values in tables, by folder."""

TABLES = ("node", "owner", "offer", "offer-of", *TYPES)


@asynccontextmanager
async def etcd_storage(
    address: EtcdAddress, clock: Clock, commits: Commits | None = None, node_name: str = ""
) -> AsyncIterator[Storage]:
    """Use the etcd cluster at `address` while the context lasts.

    Every transaction is counted in `commits`. `node_name` is the name of this server for a
    balancer, which leads the members of its rooms to it; "" if none does.

    Raises:
        StorageError: it doesn't answer, or its data can't be used.
    """
    if address.tls is not None:
        tls.check_files(address.tls)
    client, layout, node = EtcdClient(address), Layout(address.prefix), secrets.token_hex(4)
    tasks = Tasks()
    async with AsyncExitStack() as stack:  # what was begun ends in the opposite order
        stack.push_async_callback(client.close)
        try:
            await make_identity(client, layout)
            identity, _ = await read_identity(client, layout)
            feed = Feed(client, layout, TABLES)
            await feed.start(START_S)
            stack.push_async_callback(feed.stop)
            _check(feed.tables)
        except EtcdError as error:
            reason = await tls.problem(address) or error
            raise StorageError(f"{address} can't be used: {reason}") from error
        writer = EtcdWriter(client, layout, commits or Commits())
        nodes = EtcdNodes(client, layout, writer, feed, clock=clock, node=node, name=node_name)
        stack.push_async_callback(nodes.stop)
        stack.push_async_callback(writer.close)
        tables = feed.tables
        room_log = EtcdLog(client, layout, writer, feed, node=node, claim=nodes.created)
        ledger = EtcdLedger(client, layout, writer, tables["name"], tables["ban"])
        offers = EtcdOffers(client, layout, tables["offer"], tables["offer-of"], node=node)
        space = Space(client)
        try:
            down_ms = await _down_ms(client, layout, clock, identity.alive_ms, tables["node"])
            await nodes.start(START_S)
        except EtcdError as error:
            raise StorageError(f"etcd doesn't let this server in: {error}") from error
        stack.callback(_save_time, writer, layout, clock)
        stack.push_async_callback(ledger.stop)
        stack.push_async_callback(room_log.stop)
        stack.push_async_callback(tasks.cancel)
        tasks.start(_beat(writer, layout, clock))
        tasks.start(space.watch(clock))
        logger.info("this server is node %s%s", node, f", {node_name}" if node_name else "")
        yield Storage(
            room_log,
            ledger,
            identity.server_id,
            saving=writer,
            space=space,
            down_ms=down_ms,
            peers=nodes,
            offers=offers,
        )


def _check(tables: Mapping[str, Table]) -> None:
    """Raise a StorageError if a value is damaged that this server needs."""
    for folder, content_type in TYPES.items():
        for key, value in tables[folder].values.items():
            decode(value, content_type, f"{folder}/{key}")


async def _down_ms(
    client: EtcdClient, layout: Layout, clock: Clock, alive_ms: int, nodes: Table
) -> int | None:
    """Return the time for which no server was running; None if others are.

    If they seem to be, by another time of day, they may have crashed together with etcd, which
    keeps their leases for a while. So this waits until a lease or the time of day has changed.

    Raises:
        StorageError: other servers are running, and their time of day is another one.
        EtcdError: etcd doesn't answer.
    """
    key, end_s = layout.key("meta", "alive"), asyncio.get_running_loop().time() + START_S
    seen_ms = alive_ms
    while nodes.values:
        ahead_ms = clock.now_ms() - seen_ms
        if abs(ahead_ms) <= MOST_AHEAD_MS:
            return None
        if seen_ms != alive_ms or asyncio.get_running_loop().time() > end_s:
            side = "ahead of" if ahead_ms > 0 else "behind"
            raise StorageError(
                f"this machine's time of day is {span_text(ahead_ms / 1000)} {side} that of the"
                " other servers: set it right"
            )
        await asyncio.sleep(LOOK_S)
        request = rpc.TxnRequest(success=[get(key)])
        answer = await until_answered(partial(client.txn, request), START_S)
        seen_ms = time_of(value_of(answer.responses[0]))
    return clock.now_ms() - alive_ms if alive_ms else 0


async def _beat(writer: EtcdWriter, layout: Layout, clock: Clock) -> None:
    """Save the time of day again and again, until cancelled."""
    is_waiting = False

    def answered(succeeded: bool, responses: object) -> None:
        nonlocal is_waiting
        is_waiting = False

    while True:
        if not is_waiting:
            is_waiting = True
            _save_time(writer, layout, clock, answered)
        await asyncio.sleep(HEARTBEAT_S)


def _save_time(
    writer: EtcdWriter, layout: Layout, clock: Clock, answered: Answered = ignore
) -> None:
    request = rpc.TxnRequest(success=[put(layout.key("meta", "alive"), b"%d" % clock.now_ms())])
    writer.add(Proposal(("alive",), request, answered))
