"""The writer and an etcd whose space is used up."""

import asyncio
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from aetcd import rpc
from tests.cluster.etcd import ctl, etcd_cluster
from tests.server.storage.etcd.proxied import client_of
from tests.server.talk import LIMIT_S, until

from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.etcd.address import parse_address
from boxroom_server.storage.etcd.feed import read_pages
from boxroom_server.storage.etcd.layout import Layout, get, is_absent, put
from boxroom_server.storage.etcd.writer import EtcdWriter, Proposal

ONE_LOOP = True

QUOTA_BYTES = 16 * 1024 * 1024
VALUE_BYTES = 100_000
WRITERS = 8

Outcome = bool | str
"""True if a value is saved, or why it was refused."""


async def save(writer: EtcdWriter, key: bytes, size: int) -> Outcome:
    """Propose to save a new value, and return the outcome."""
    outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    request = rpc.TxnRequest(
        compare=[is_absent(key)], success=[put(key, os.urandom(size))], failure=[get(key)]
    )

    def answered(held: bool, responses: Sequence[Any]) -> None:
        outcome.set_result(held or bool(responses[0].response_range.kvs))

    writer.add(Proposal((key.decode(),), request, answered, outcome.set_result))
    return await asyncio.wait_for(outcome, LIMIT_S)


async def save_until_refused(writer: EtcdWriter, layout: Layout) -> dict[bytes, Outcome]:
    """Save one value after the other, and return the outcomes by key."""
    outcomes: dict[bytes, Outcome] = {}
    for _ in range(2 * QUOTA_BYTES // VALUE_BYTES):
        key = layout.key("test", secrets.token_hex(8))
        outcomes[key] = await save(writer, key, VALUE_BYTES)
        if writer.failure is not None:
            return outcomes
    pytest.fail("etcd takes more than its quota")


async def make_room(endpoint: str) -> None:
    """Delete everything, and have etcd go on."""
    await ctl(endpoint, "del", "--from-key", "")
    (status,) = json.loads(await ctl(endpoint, "endpoint", "status", "-w", "json"))
    await ctl(endpoint, "compact", "--physical", str(status["Status"]["header"]["revision"]))
    await ctl(endpoint, "defrag")
    await ctl(endpoint, "alarm", "disarm")


async def test_what_is_refused_for_want_of_space_is_not_saved(tmp_path: Path) -> None:
    """etcd itself performs what several servers propose while its space ends, and refuses it."""
    async with (
        etcd_cluster(tmp_path, 1, f"--quota-backend-bytes={QUOTA_BYTES}") as (member,),
        client_of(parse_address(f"etcd://{member.endpoint}")) as client,
    ):
        layout = Layout("boxroom")
        writers = [EtcdWriter(client, layout, Commits()) for _ in range(WRITERS)]
        each = await asyncio.gather(*(save_until_refused(it, layout) for it in writers))
        outcomes = {key: outcome for some in each for key, outcome in some.items()}
        refused = {key for key, outcome in outcomes.items() if isinstance(outcome, str)}
        assert {outcomes[key] for key in refused} == {"etcd's space is used up"}
        saved = {
            pair.key
            async for page in read_pages(client, layout.folder("test"))
            for pair in page.kvs
        }
        assert saved == outcomes.keys() - refused
        assert "NOSPACE" in await ctl(member.endpoint, "alarm", "list")
        await make_room(member.endpoint)
        await until(lambda: all(writer.failure is None for writer in writers))
        for writer in writers:
            assert await save(writer, layout.key("test", "more"), 1)
            await writer.close()
