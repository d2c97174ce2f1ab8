"""The identity of the data in etcd, and whether this version can use it."""

import secrets
from functools import partial
from typing import Any

from aetcd import rpc

from boxroom_server.storage.contents import Identity
from boxroom_server.storage.etcd.client import EtcdClient, until_answered
from boxroom_server.storage.etcd.layout import VERSION, Layout, decode, get, is_absent, put
from boxroom_server.storage.storage import StorageError

START_S = 10.0
"""How long etcd is tried to be reached at first."""


async def make_identity(client: EtcdClient, layout: Layout) -> None:
    """Give the data an id, unless it has one, or is being copied.

    Raises:
        EtcdError: etcd doesn't answer.
    """
    id_key = layout.key("meta", "id")
    request = rpc.TxnRequest(
        compare=[is_absent(id_key), is_absent(layout.key("meta", "copy"))],
        success=[
            put(layout.key("meta", "version"), VERSION),
            put(id_key, secrets.token_hex(16).encode()),
        ],
    )
    await until_answered(partial(client.txn, request), START_S)


async def read_identity(client: EtcdClient, layout: Layout) -> tuple[Identity, int]:
    """Return the identity of the data, and the revision at which it was read.

    Raises:
        EtcdError: etcd doesn't answer.
        StorageError: there is no data, not all of it, or another version has written it.
    """
    keys = (layout.key("meta", name) for name in ("copy", "id", "version", "alive"))
    request = rpc.TxnRequest(success=[get(key) for key in keys])
    answer = await until_answered(partial(client.txn, request), START_S)
    copy, server_id, version, alive = map(value_of, answer.responses)
    if copy:
        raise StorageError(incomplete(layout))
    if not server_id:
        raise StorageError(f"no server has saved anything in etcd under {layout.prefix}/")
    if version != VERSION:
        raise StorageError(
            f"the data in etcd has version {version.decode()!r}: another Boxroom wrote it"
        )
    return Identity(server_id.decode(), time_of(alive)), answer.header.revision


def time_of(value: bytes) -> int:
    """Return the time in ms that `meta/alive` holds, or 0 if there is none."""
    return decode(value or b"0", int, "meta/alive")


def value_of(response: Any) -> bytes:
    """Return the value that `get` has read; nothing if there is no such key."""
    pairs = response.response_range.kvs
    value: bytes = pairs[0].value if pairs else b""
    return value


def incomplete(layout: Layout) -> str:
    """Return the sentence for the part of a copy."""
    return (
        f"boxroom backup has not completed its copy into etcd under {layout.prefix}/: wait until it"
        f" has; if it was killed, delete that with etcdctl del --prefix {layout.prefix}/"
    )
