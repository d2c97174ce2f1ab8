"""A way to etcd that tests can cut, and what they do to etcd meanwhile."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from aetcd import rpc
from tests.client.cutting_proxy import CuttingProxy
from tests.server.stores import ANSWER_S

from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.etcd.client import EtcdClient


@asynccontextmanager
async def proxied(address: EtcdAddress) -> AsyncIterator[tuple[CuttingProxy, EtcdAddress]]:
    """Run a proxy before the etcd at `address`; yield it and the address that leads through it."""
    proxy = CuttingProxy(int(address.endpoints[0].rpartition(":")[2]))
    await proxy.start()
    try:
        yield proxy, replace(address, endpoints=(f"127.0.0.1:{proxy.address.port}",))
    finally:
        await proxy.stop()


@asynccontextmanager
async def client_of(address: EtcdAddress) -> AsyncIterator[EtcdClient]:
    """Run a client."""
    client = EtcdClient(address)
    try:
        yield client
    finally:
        await client.close()


async def compact(address: EtcdAddress) -> None:
    """Have etcd forget all that isn't current."""
    async with client_of(address) as client:
        answer = await client.range(rpc.RangeRequest(key=b"any"), ANSWER_S)
        request = rpc.CompactionRequest(revision=answer.header.revision)
        await client.call(lambda channel: rpc.KVStub(channel).Compact, request, ANSWER_S)
