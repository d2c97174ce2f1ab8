"""The nodes of a cluster and the rooms that they own, by leases in etcd.

Each node has a lease. Its key `node/<id>` and the keys `owner/<log>` of its rooms are on it, so all
of them disappear soon after the node does. A room without an owner is claimed by the server that
made it, or else by the one that a hash of both chooses of those that are running. Another node can
take a room from its owner, and one that is leaving gives its rooms up.
"""

import asyncio
import logging
import zlib
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Any

import msgspec
from aetcd import rpc
from msgspec import Struct

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
from boxroom_server.storage.etcd.layout import (
    Layout,
    decode,
    delete,
    exists,
    has_value,
    is_absent,
    put,
)
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
"""How long a stopping node tries to give up its lease, and before that its rooms."""


class NodeRecord(Struct, frozen=True, omit_defaults=True):
    """Value of `node/<id>`."""

    since_ms: int
    name: str = ""
    """Name for the balancer; "" if it has none."""
    is_leaving: bool = False
    """Whether it gives its rooms up, as it is about to stop."""


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
        name: str = "",
    ) -> None:
        self.node = node
        """Id of this server."""
        self.name = name
        """Its name for the balancer; "" if it has none."""
        self._client = client
        self._layout = layout
        self._writer = writer
        self._clock = clock
        self._lease = 0  # id of the lease; 0 while there is none
        self._nodes = feed.tables["node"]
        self._owners = feed.tables["owner"]
        self._rooms = feed.tables["room"]
        self._statuses = feed.tables["status"]
        self._is_leaving = False  # for good: this server claims no room any more
        # Logs that this server should own, with the owner that it takes each one from.
        self._claimable: dict[str, bytes | None] = {}
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

    def owner(self, log: str) -> str:
        return self._owners.values.get(log, b"").decode()

    def owner_name(self, log: str) -> str:
        record = self._record(self.owner(log))
        return "" if record is None or record.is_leaving else record.name

    def _record(self, node: str) -> NodeRecord | None:
        """Return what a node says of itself; None if it isn't here."""
        value = self._nodes.values.get(node)
        if value is None:
            return None
        if value.isdigit():  # by a version without names, which saves only the time
            return NodeRecord(int(value))
        return decode(value, NodeRecord, f"node/{node}")

    def take(self, log: str) -> bool:
        if self._is_leaving or not self.name:
            return False
        self._claimable[log] = self._owners.values.get(log)
        self._claim_due.set()
        return True

    async def withdraw(self) -> bool:
        if not self.name or not self._staying - {self.node}:
            return False
        self._is_leaving = True
        try:
            await self._save_record(_STOP_S)
            await self._disown([log for log in self._owners.values if self.owns(log)])
        except EtcdError as error:
            logger.info("rooms stay here until this server has stopped: %s", error)
            return False
        return True

    async def _disown(self, logs: Sequence[str]) -> None:
        """Own the rooms of `logs` no more."""
        node = self.node.encode()
        for begin in range(0, len(logs), CLAIMS_AT_ONCE):
            places = [self._layout.key("owner", log) for log in logs[begin:][:CLAIMS_AT_ONCE]]
            await self._each_of(
                rpc.TxnRequest(compare=[has_value(place, node)], success=[delete(place)])
                for place in places
            )

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
        await self._save_record(most_s)

    async def _save_record(self, most_s: float) -> None:
        record = NodeRecord(self._clock.now_ms(), self.name, self._is_leaving)
        place, value = self._layout.key("node", self.node), msgspec.json.encode(record)
        request = rpc.TxnRequest(success=[put(place, value, self._lease)])
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
        """Claim a room that was made here, unless this server is leaving."""
        if not self._is_leaving:
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
        """Claim the rooms that this server is to own; return those it got."""
        orphans = [log for log in self._rooms.values if log not in self._owners.values]
        staying = self._staying if orphans else frozenset()
        claims: dict[str, bytes | None] = dict.fromkeys(
            log for log in orphans if _next_owner(log, staying) == self.node
        )
        claims.update(self._claimable)
        self._claimable.clear()
        logs = list(claims)
        owned: list[str] = []
        for begin in range(0, len(logs), CLAIMS_AT_ONCE):
            some = logs[begin : begin + CLAIMS_AT_ONCE]
            owned += await self._claim({log: claims[log] for log in some})
        return owned

    @property
    def _staying(self) -> Set[str]:
        """The nodes that can own rooms."""
        nodes = {*self._nodes.values, self.node}
        leaving = {node for node in nodes if (it := self._record(node)) and it.is_leaving}
        return nodes - (leaving | {self.node} if self._is_leaving else leaving)

    async def _claim(self, claims: Mapping[str, bytes | None]) -> list[str]:
        """Own those rooms of `claims` that exist and have that owner or none, and return them."""
        node = self.node.encode()
        try:
            succeeded = await self._each_of(
                rpc.TxnRequest(
                    compare=[
                        exists(self._layout.key("room", log)),
                        is_absent(place) if former is None else has_value(place, former),
                    ],
                    success=[put(place, node, self._lease)],
                )
                for log, former in claims.items()
                for place in [self._layout.key("owner", log)]
            )
        except NotAnswered as error:
            logger.info("rooms aren't claimed yet: %s", error)
        except EtcdError as error:  # the lease has run out
            logger.warning("rooms aren't claimed yet: %s", error)
        else:
            return [log for log, is_owned in zip(claims, succeeded, strict=True) if is_owned]
        return []

    async def _each_of(self, requests: Iterable[Any]) -> list[bool]:
        """Perform requests at once, each of which may fail; return which of them succeeded."""
        both = rpc.TxnRequest(success=[rpc.RequestOp(request_txn=each) for each in requests])
        answer = await until_answered(partial(self._client.txn, both), LEASE_S)
        return [outcome.response_txn.succeeded for outcome in answer.responses]


def _next_owner(log: str, nodes: Set[str]) -> str:
    """Return the node of `nodes` that is to own that room if it has no owner; "" without nodes."""
    return max(nodes, key=lambda node: zlib.crc32(f"{node} {log}".encode()), default="")


async def _first_answer(method: Any, request: Any, **options: Any) -> Any:
    """Return the first answer of a method with streams, which is sent one request."""
    stream = method(**options)
    try:
        await stream.write(request)
        return await stream.read()
    finally:
        await end_call(stream)
