"""The writer of etcd: batches, and what etcd refuses."""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aetcd import rpc
from tests.server.storage.etcd.proxied import client_of
from tests.server.stores import EtcdStore, Store
from tests.server.talk import LIMIT_S

from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.etcd.layout import Layout, delete_range, put
from boxroom_server.storage.etcd.writer import (
    MOST_BYTES,
    MOST_OPERATIONS,
    MOST_OTHERS,
    MOST_URGENT,
    EtcdWriter,
    Proposal,
)

ONE_LOOP = True

pytestmark = pytest.mark.parametrize("store", ["etcd"], indirect=True)


class Proposed:
    """Proposals with their outcomes."""

    def __init__(self, store: EtcdStore, writer: EtcdWriter) -> None:
        self.outcomes: list[tuple[str, bool | str]] = []
        """Names of proposals, and whether their comparisons held, or why they were refused."""
        self._layout = Layout(store.address.prefix)
        self._writer = writer
        self._left = 0  # proposals without an outcome
        self._all_known = asyncio.Event()

    def add(
        self,
        name: str,
        *subjects: str,
        operations: Sequence[Any] | None = None,
        size: int = 1,
        is_urgent: bool = False,
    ) -> None:
        """Propose to set the key `name`, or other operations."""

        def know(outcome: bool | str) -> None:
            self.outcomes.append((name, outcome))
            self._left -= 1
            if not self._left:
                self._all_known.set()

        request = rpc.TxnRequest(success=operations or [self.put(name, b"x" * size)])
        self._left += 1
        self._writer.add(
            Proposal(
                subjects or (name,),
                request,
                lambda held, _: know(held),
                refused=know,
                is_urgent=is_urgent,
            )
        )

    def put(self, name: str, value: bytes = b"x") -> Any:
        return put(self._layout.key("test", name), value)

    async def known(self) -> None:
        """Wait for all outcomes."""
        async with asyncio.timeout(LIMIT_S):
            await self._all_known.wait()


@asynccontextmanager
async def proposing(store: Store) -> AsyncIterator[tuple[Proposed, EtcdWriter]]:
    assert isinstance(store, EtcdStore)
    async with client_of(store.address) as client:
        writer = EtcdWriter(client, Layout(store.address.prefix), Commits())
        try:
            yield Proposed(store, writer), writer
        finally:
            await writer.close()


async def transactions(store: Store) -> list[list[str]]:
    """Return the names of the keys that exist, by the transactions that have set them."""
    assert isinstance(store, EtcdStore)
    by_revision: dict[int, list[str]] = {}
    for pair in sorted(await store.read("test"), key=lambda pair: pair.mod_revision):
        by_revision.setdefault(pair.mod_revision, []).append(pair.key.decode().rpartition("/")[2])
    return list(by_revision.values())


@pytest.mark.parametrize(("is_urgent", "most"), [(True, MOST_OPERATIONS - 1), (False, MOST_OTHERS)])
async def test_what_arrives_together_shares_transactions(
    is_urgent: bool, most: int, store: Store
) -> None:
    names = [f"{number:03}" for number in range(2 * most + 1)]
    async with proposing(store) as (proposed, _):
        for name in names:
            proposed.add(name, is_urgent=is_urgent)
        await proposed.known()
    assert proposed.outcomes == [(name, True) for name in names]
    assert [len(it) for it in await transactions(store)] == [most, most, 1]


async def test_urgent_proposals_go_first_and_leave_room_for_others(store: Store) -> None:
    many = range(2 * MOST_OPERATIONS)
    async with proposing(store) as (proposed, _):
        for number in many:
            proposed.add(f"other {number}")
        for number in many:
            proposed.add(f"urgent {number}", is_urgent=True)
        await proposed.known()
    first, second, *_ = await transactions(store)
    for names in (first, second):
        kinds = Counter(name.split()[0] for name in names)
        assert kinds == {"urgent": MOST_URGENT - 1, "other": MOST_OTHERS}
    for kind in ("other", "urgent"):
        assert [name for name, _ in proposed.outcomes if name.startswith(kind)] == [
            f"{kind} {number}" for number in many
        ]


async def test_proposals_with_a_subject_in_common_keep_their_order(store: Store) -> None:
    rng = random.Random(0)
    async with proposing(store) as (proposed, _):
        for number in range(400):
            subject = rng.choice("abcdefghij")
            proposed.add(f"{subject}{number}", subject, is_urgent=rng.random() < 0.5)
        await proposed.known()
    for subject in "abcdefghij":
        numbers = [int(name[1:]) for name, _ in proposed.outcomes if name[0] == subject]
        assert numbers == sorted(numbers)


async def test_a_proposal_goes_after_an_urgent_one_with_its_subject(store: Store) -> None:
    async with proposing(store) as (proposed, _):
        for number in range(MOST_OPERATIONS):
            proposed.add(f"urgent {number}", is_urgent=True)
        proposed.add("late move", "log attic", is_urgent=True)
        proposed.add("late word", "log attic")
        await proposed.known()
    names = [name for name, _ in proposed.outcomes]
    assert names.index("late move") < names.index("late word")


@pytest.mark.parametrize(("size", "puts"), [(MOST_BYTES + 1, 1), (1, MOST_OPERATIONS - 1)])
async def test_urgent_ones_without_an_end_hold_no_other_up(
    store: Store, size: int, puts: int
) -> None:
    async with proposing(store) as (proposed, writer):
        left = 100

        def go_on(*_: object) -> None:
            nonlocal left
            left -= 1
            if left and len(proposed.outcomes) < 2:
                writer.add(Proposal(("move",), rpc.TxnRequest(), go_on, is_urgent=True))

        go_on()
        operations = [proposed.put(f"large {number}", b"x" * size) for number in range(puts)]
        proposed.add("large", operations=operations)
        proposed.add("small")
        await proposed.known()
    assert left > 90


async def test_a_large_proposal_leaves_room_for_fewer(store: Store) -> None:
    async with proposing(store) as (proposed, _):
        proposed.add("first")
        many = [proposed.put(f"many {number}") for number in range(100)]
        proposed.add("many", operations=many)
        for number in range(40):
            proposed.add(f"later {number}")
        await proposed.known()
    assert [len(it) for it in await transactions(store)] == [1 + 100 + 26, 14]


async def test_a_transaction_has_a_largest_size(store: Store) -> None:
    async with proposing(store) as (proposed, _):
        for name in "abcde":
            proposed.add(name, size=400_000)
        await proposed.known()
    assert await transactions(store) == [["a", "b"], ["c", "d"], ["e"]]


async def test_proposals_with_a_subject_in_common_are_apart_and_in_order(store: Store) -> None:
    async with proposing(store) as (proposed, _):
        proposed.add("a", "room", "code")
        proposed.add("b", "other")
        proposed.add("c", "code")
        proposed.add("d", "room")
        await proposed.known()
    assert await transactions(store) == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize("size", [1_600_000, 3_000_000])
async def test_what_is_too_large_is_refused_and_keeps_nothing_waiting(
    store: Store, caplog: pytest.LogCaptureFixture, size: int
) -> None:
    async with proposing(store) as (proposed, writer):
        proposed.add("before")
        proposed.add("large", size=size)
        proposed.add("after")
        await proposed.known()
        assert writer.failure is None
    (_, outcome) = proposed.outcomes.pop(1)
    assert "larger" in str(outcome) or "too large" in str(outcome)
    assert proposed.outcomes == [("before", True), ("after", True)]
    assert await transactions(store) == [["before"], ["after"]]
    (record,) = (it for it in caplog.records if it.levelno == logging.ERROR)
    assert record.getMessage().startswith("a change of large can't be saved: ")


async def test_proposals_that_etcd_does_not_take_together_are_made_one_by_one(
    store: Store,
) -> None:
    async with proposing(store) as (proposed, writer):
        layout = Layout(store.address.prefix) if isinstance(store, EtcdStore) else Layout("")
        folder = layout.folder("test")
        proposed.add("old")
        proposed.add("gone", operations=[delete_range(folder, folder[:-1] + b"0")])
        proposed.add("new")
        await proposed.known()
        assert writer.failure is None
    assert {outcome for _, outcome in proposed.outcomes} == {True}
    assert await transactions(store) == [["new"]]
