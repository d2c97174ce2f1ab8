"""The nodes of a cluster and the rooms that they own, by leases in etcd.

Each node has a lease. Its key `node/<id>` and the keys `owner/<log>` of its rooms are on it, so all
of them disappear soon after the node does. A room without an owner is claimed by the server that
made it, or else by the one that a hash of both chooses of those that are running.
"""

import asyncio
import logging
import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from aetcd import rpc

from boxroom_server.clock import Clock
from boxroom_server.ops.logs import fields
from boxroom_server.storage.etcd.client import (
    EtcdClient,
    EtcdError,
    NotAnswered,
    end_call,
    until_answered,
)
from boxroom_server.storage.etcd.feed import Feed
from boxroom_server.storage.etcd.layout import Layout, decode, exists, is_absent, put
from boxroom_server.storage.etcd.writer import EtcdWriter, Proposal
from boxroom_server.storage.peers import PeersFollower, RoomStatus
from boxroom_server.storage.room_log import RoomRecord
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

LEASE_S = 4
"""How long a node's keys stay after its last sign of life."""

RENEW_S = 1.0
"""Time between two signs of life, and two looks at rooms without an owner."""

READ_S = 2.0
"""Time in which a room is looked for that isn't known."""

CLAIMS_AT_ONCE = 100
"""Rooms claimed in one transaction."""

_STOP_S = 2.0
"""How long a stopping node tries to give up its lease."""


class EtcdNodes:
    """The `Peers` of the server `node`."""

    def __init__(
        self,
        client: EtcdClient,
        layout: Layout,
        writer: EtcdWriter,
        feed: Feed,
        *,
        clock: Clock,
        node: str,
    ) -> None:
        self.node = node
        """Id of this server."""
        self._client = client
        self._layout = layout
        self._writer = writer
        self._clock = clock
        self._lease = 0  # id of the lease; 0 while there is none
        self._nodes = feed.tables["node"]
        self._owners = feed.tables["owner"]
        self._rooms = feed.tables["room"]
        self._statuses = feed.tables["status"]
        self._claimable: dict[str, None] = {}  # logs that this server should own
        self._claim_due = asyncio.Event()  # set when `_claimable` may have grown
        self._tasks = Tasks()

    async def start(self, most_s: float) -> None:
        """Announce this server, claim the rooms that have no owner, and go on claiming them.

        Raises:
            EtcdError: etcd didn't answer in `most_s`.
        """
        await self._announce(most_s)
        self._owners.listeners.append(self._owner_changed)
        self._nodes.listeners.append(self._node_changed)
        self._tasks.start(self._renew_forever())
        for log in await self._claim_orphans():
            self._owners.change(log, self.node.encode())
        self._tasks.start(self._claim_forever())

    async def stop(self) -> None:
        """Give up the lease, so that other servers take over at once."""
        await self._tasks.cancel()
        if not self._lease:
            return
        revoke = rpc.LeaseRevokeRequest(ID=self._lease)
        call = partial(
            self._client.call, lambda channel: rpc.LeaseStub(channel).LeaseRevoke, revoke
        )
        try:
            await until_answered(call, _STOP_S)
        except EtcdError as error:
            logger.info("the lease runs out by itself: %s", error)

    # Peers

    def owns(self, log: str) -> bool:
        return self._owners.values.get(log) == self.node.encode()

    def is_here(self, node: str) -> bool:
        return node == self.node or node in self._nodes.values

    def publish(self, log: str, status: RoomStatus) -> None:
        value, room = msgspec.json.encode(status), self._layout.key("room", log)
        place = self._layout.key("status", log)
        request = rpc.TxnRequest(compare=[exists(room)], success=[put(place, value)])
        self._writer.add(Proposal((f"status {log}",), request))

    def statuses(self) -> Mapping[str, RoomStatus]:
        return {
            log: decode(value, RoomStatus, f"status/{log}")
            for log, value in self._statuses.values.items()
        }

    async def find_room(self, code: str) -> RoomRecord | None:
        log = await self._read("code", code)
        record = None if log is None else await self._read("room", log.decode())
        return None if record is None else decode(record, RoomRecord, f"code/{code}")

    async def _read(self, *parts: str) -> bytes | None:
        """Return the value of a key; None if it doesn't exist, or etcd doesn't answer."""
        request = rpc.RangeRequest(key=self._layout.key(*parts))
        try:
            found = await until_answered(partial(self._client.range, request), READ_S)
        except EtcdError:
            return None
        return found.kvs[0].value if found.kvs else None

    def follow(self, follower: PeersFollower) -> None:
        def room_changed(log: str, value: bytes | None) -> None:
            if value is None:
                follower.room_removed(log)
            else:
                follower.room_added(decode(value, RoomRecord, f"room/{log}"))

        def status_changed(log: str, value: bytes | None) -> None:
            status = None if value is None else decode(value, RoomStatus, f"status/{log}")
            follower.status_changed(log, status)

        def node_changed(node: str, value: bytes | None) -> None:
            if value is None and node != self.node:
                follower.node_lost(node)

        self._rooms.listeners.append(room_changed)
        self._statuses.listeners.append(status_changed)
        self._owners.listeners.append(lambda log, value: follower.owner_changed(log))
        self._nodes.listeners.append(node_changed)

    # The lease

    async def _announce(self, most_s: float = float("inf")) -> None:
        """Get a lease, and put this server's key on it."""
        grant = rpc.LeaseGrantRequest(TTL=LEASE_S)
        granted = await until_answered(
            partial(self._client.call, lambda channel: rpc.LeaseStub(channel).LeaseGrant, grant),
            most_s,
        )
        self._lease = granted.ID
        since = b"%d" % self._clock.now_ms()
        request = rpc.TxnRequest(
            success=[put(self._layout.key("node", self.node), since, self._lease)]
        )
        await until_answered(partial(self._client.txn, request), most_s)

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                if not await self._renew():
                    logger.warning("the lease of this server has run out: it gets another one")
                    await self._announce()
            except EtcdError as error:
                logger.info("the lease isn't renewed: %s", error)
            except Exception:
                logger.exception("the lease isn't renewed")
            self._claim_due.set()

    async def _renew(self) -> bool:
        """Renew the lease once; return False if it has run out."""

        def keep_alive(channel: Any) -> Any:
            return partial(_first_answer, rpc.LeaseStub(channel).LeaseKeepAlive)

        request = rpc.LeaseKeepAliveRequest(ID=self._lease)
        answer = await until_answered(partial(self._client.call, keep_alive, request), LEASE_S)
        ttl: int = getattr(answer, "TTL", 0)
        return ttl > 0

    # Owners

    def created(self, log: str) -> None:
        """Claim a room that was made here."""
        self._claimable[log] = None
        self._claim_due.set()

    def _owner_changed(self, log: str, owner: bytes | None) -> None:
        if owner is None:
            self._claim_due.set()

    def _node_changed(self, node: str, value: bytes | None) -> None:
        if value is None:
            logger.info("a node is gone", extra=fields(node=node))
            self._claim_due.set()

    async def _claim_forever(self) -> None:
        while True:
            await self._claim_due.wait()
            self._claim_due.clear()
            try:
                await self._claim_orphans()
            except Exception:
                logger.exception("rooms aren't claimed yet")

    async def _claim_orphans(self) -> list[str]:
        """Claim the rooms without an owner that this server is to own; return those it got."""
        orphans = [log for log in self._rooms.values if log not in self._owners.values]
        claims = dict.fromkeys(log for log in orphans if self._is_next_owner(log))
        claims.update((log, None) for log in self._claimable if log not in self._owners.values)
        self._claimable.clear()
        logs = list(claims)
        owned: list[str] = []
        for begin in range(0, len(logs), CLAIMS_AT_ONCE):
            owned += await self._claim(logs[begin : begin + CLAIMS_AT_ONCE])
        return owned

    def _is_next_owner(self, log: str) -> bool:
        """Return whether this server is to own that room if it has no owner."""
        nodes = {*self._nodes.values, self.node}
        return max(nodes, key=lambda node: zlib.crc32(f"{node} {log}".encode())) == self.node

    async def _claim(self, logs: Sequence[str]) -> list[str]:
        """Own the rooms of `logs` that exist and have no owner, and return them."""
        node, requests = self.node.encode(), []
        for log in logs:
            place, room = self._layout.key("owner", log), self._layout.key("room", log)
            requests.append(
                rpc.TxnRequest(
                    compare=[exists(room), is_absent(place)],
                    success=[put(place, node, self._lease)],
                )
            )
        both = rpc.TxnRequest(success=[rpc.RequestOp(request_txn=each) for each in requests])
        try:
            answer = await until_answered(partial(self._client.txn, both), LEASE_S)
        except NotAnswered as error:
            logger.info("rooms aren't claimed yet: %s", error)
        except EtcdError as error:  # the lease has run out
            logger.warning("rooms aren't claimed yet: %s", error)
        else:
            outcomes = zip(logs, answer.responses, strict=True)
            return [log for log, outcome in outcomes if outcome.response_txn.succeeded]
        return []


async def _first_answer(method: Any, request: Any, **options: Any) -> Any:
    """Return the first answer of a method with streams, which is sent one request."""
    stream = method(**options)
    try:
        await stream.write(request)
        return await stream.read()
    finally:
        await end_call(stream)
