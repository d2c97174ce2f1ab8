"""The writer: everything that this server writes to etcd, in order, in as few transactions as go.

States. *Idle*: nothing is under way. *Proposing*: one transaction is under way, and the next one
collects what arrives meanwhile. *Failing*: the transaction has no answer for too long, or etcd has
refused it. Then new entries are refused at once; the transaction is proposed again, the same one,
until it is answered. What it proposes it does once: each proposal compares what it replaces, and
finds out that it was performed already. So the outcome of an entry is never guessed.

When its space is used up, etcd may perform one more transaction and refuse it all the same. Then a
question to etcd, which needs no space, tells which entries are saved.

Urgent proposals, the moves of games, go before all others, of which a transaction has only a few: a
crowd that comes or goes, thousands of entries, holds up no game. Those with a subject in common
keep their order. None waits for ever: one that finds no room behind urgent ones begins the next
transaction.

A transaction that etcd accepts at no time is proposed again in parts, one proposal at a time, and
the proposal that is to blame is given up: it would keep all others waiting for ever.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from aetcd import rpc

from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.etcd.client import (
    EtcdClient,
    EtcdError,
    NeverAccepted,
    NoSpace,
    NotAnswered,
    attempts,
    until_answered,
)
from boxroom_server.storage.etcd.layout import Layout, put
from boxroom_server.storage.storage import SavingState

logger = logging.getLogger(__name__)

MOST_OPERATIONS = 128
"""Proposals in a transaction, and operations in the largest of them (`--max-txn-ops`)."""

MOST_OTHERS = 32
"""Proposals in a transaction that aren't urgent: all of its answers are reported in one tick."""

MOST_URGENT = MOST_OPERATIONS - MOST_OTHERS
"""Operations of urgent proposals in a transaction while others wait, too."""

MOST_BYTES = 1_000_000
"""Bytes of a transaction; etcd takes 1.5 MiB (`--max-request-bytes`)."""

SLOW_S = 5.0
"""Time without an answer after which new entries are refused; a new leader is found sooner."""

RETRY_S = 1.0
"""Time from a refusal to the next attempt."""

STOP_S = 10.0
"""How long a stopping server waits for its last transaction."""

Answered = Callable[[bool, Sequence[Any]], None]
"""Receives whether the comparisons of a proposal held, and the answers to its operations."""


def ignore(succeeded: bool, responses: Sequence[Any]) -> None:
    """Ignore the answer."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that etcd makes as a whole, if its comparisons hold."""

    subjects: tuple[str, ...]
    """Names of things that it changes. Proposals with one in common don't share a transaction.

    So none sets a key twice, or deletes and sets one, which etcd refuses.
    """
    request: Any
    """A transaction of etcd."""
    answered: Answered = ignore
    refused: Callable[[str], None] | None = None
    """Receives why it was certainly not performed, and never will be; None to try it again."""
    is_entry: bool = False
    """Whether it appends to a log, for metrics."""
    is_urgent: bool = False
    """True if it goes before those that aren't."""

    @property
    def operations(self) -> int:
        """Number of its operations, as etcd limits it."""
        request = self.request
        return max(len(request.compare), len(request.success), len(request.failure))


class _Queue:
    """Proposals that wait, in their order."""

    def __init__(self, proposals: Iterable[Proposal] = ()) -> None:
        self.proposals = deque(proposals)
        self._subjects = Counter(each for one in self.proposals for each in one.subjects)

    def __len__(self) -> int:
        return len(self.proposals)

    def append(self, proposal: Proposal) -> None:
        self.proposals.append(proposal)
        self._subjects.update(proposal.subjects)

    def popleft(self) -> Proposal:
        proposal = self.proposals.popleft()
        for subject in proposal.subjects:
            self._subjects[subject] -= 1
            if not self._subjects[subject]:
                del self._subjects[subject]
        return proposal

    def precedes(self, proposal: Proposal) -> bool:
        """Return whether one of them has a subject in common with `proposal`."""
        return any(subject in self._subjects for subject in proposal.subjects)


class _Batch:
    """The proposals of a transaction, as many as it takes."""

    def __init__(self) -> None:
        self.proposals: list[Proposal] = []
        self._subjects: set[str] = set()
        self._bytes = 0
        self._most = 0  # operations of the largest proposal

    def take_from(
        self,
        queue: _Queue,
        operations: int,
        *,
        most: int = MOST_OPERATIONS,
        after: _Queue | None = None,
    ) -> None:
        """Take the first `most` of `queue`, until one doesn't fit into so many operations.

        One that has a subject in common with one of `after` isn't taken yet, either.
        """
        most += len(self.proposals)
        while queue and len(self.proposals) < most:
            if not self._has_room_for(queue.proposals[0], operations):
                break
            if after is not None and after.precedes(queue.proposals[0]):
                break
            proposal = queue.popleft()
            self._subjects.update(proposal.subjects)
            self._bytes += proposal.request.ByteSize()
            self._most = max(self._most, proposal.operations)
            self.proposals.append(proposal)

    def _has_room_for(self, proposal: Proposal, operations: int) -> bool:
        if not self.proposals:
            return True
        most = max(self._most, proposal.operations)
        return (
            self._bytes + proposal.request.ByteSize() <= MOST_BYTES
            and len(self.proposals) + 1 + most <= operations
            and self._subjects.isdisjoint(proposal.subjects)
        )


class EtcdWriter(SavingState):
    """Writes by `client` below the prefix of `layout`; made and used on the event loop."""

    def __init__(
        self,
        client: EtcdClient,
        layout: Layout,
        commits: Commits,
    ) -> None:
        super().__init__()
        self._client = client
        self._layout = layout
        self._commits = commits
        self._loop = asyncio.get_running_loop()
        self._urgent = _Queue()
        self._waiting = _Queue()  # those that aren't urgent, or follow one of these
        self._is_held_up = False  # whether the first of `_waiting` had no room behind urgent ones
        self._arrived = asyncio.Event()  # set while anything waits, or the writer closes
        self._slow_timer: asyncio.TimerHandle | None = None  # runs while a transaction does
        self._is_closing = False
        self._task = asyncio.create_task(self._write())

    # Input

    def add(self, proposal: Proposal) -> None:
        """Propose `proposal` soon, after all those before it that have a subject in common."""
        is_first = proposal.is_urgent and not self._waiting.precedes(proposal)
        (self._urgent if is_first else self._waiting).append(proposal)
        self._arrived.set()

    async def close(self) -> None:
        """Write everything that waits, and end; after `STOP_S` give up."""
        self._is_closing = True
        self._arrived.set()
        try:
            await asyncio.wait_for(asyncio.shield(self._task), STOP_S)
        except TimeoutError:
            logger.error("etcd doesn't answer: the last changes may be saved or not")
            self._task.cancel()
        self._stop_slow_timer()

    # Transactions

    async def _write(self) -> None:
        while self._urgent or self._waiting or not self._is_closing:
            if not self._urgent and not self._waiting:
                self._arrived.clear()
                await self._arrived.wait()
                continue
            batch = self._next_batch()
            try:
                await self._propose(batch)
            except NeverAccepted as error:
                await self._propose_apart(batch, str(error))

    async def _propose_apart(self, batch: Sequence[Proposal], reason: str) -> None:
        """Propose each of `batch` by itself, and give up those that etcd never accepts."""
        if len(batch) == 1:
            self._give_up(batch[0], reason)
            return
        for proposal in batch:
            try:
                await self._propose([proposal])
            except NeverAccepted as error:
                self._give_up(proposal, str(error))

    def _give_up(self, proposal: Proposal, reason: str) -> None:
        self._end_attempts()
        logger.error("a change of %s can't be saved: %s", proposal.subjects[0], reason)
        if proposal.refused is not None:
            _report(proposal.refused, reason)

    def _next_batch(self) -> list[Proposal]:
        """Return the proposals of the next transaction: the longest waiting, urgent ones first."""
        batch = _Batch()
        if self._is_held_up:
            batch.take_from(self._waiting, 1, after=self._urgent)
        batch.take_from(self._urgent, MOST_URGENT if self._waiting else MOST_OPERATIONS)
        before = len(self._waiting)
        batch.take_from(self._waiting, MOST_OPERATIONS, most=MOST_OTHERS, after=self._urgent)
        self._is_held_up = 0 < before == len(self._waiting)
        return batch.proposals

    async def _propose(self, batch: list[Proposal]) -> None:
        """Propose `batch` until it is answered, and report the answers.

        If etcd refuses it, and no earlier attempt can have been performed, the proposals that
        don't want to wait are taken out.

        Raises:
            NeverAccepted: etcd never accepts it; nothing of it was done.
        """
        began_s = self._loop.time()
        self._stop_slow_timer()
        self._slow_timer = self._loop.call_later(SLOW_S, self._handle_slow)
        may_be_done = False
        answer = None
        async for attempt_s in attempts():
            try:
                answer = await self._client.txn(self._transaction(batch), attempt_s)
                break
            except NotAnswered:
                may_be_done = True
            except NeverAccepted:
                raise
            except NoSpace as error:
                self._begin_failure(str(error))
                may_be_done = may_be_done or not await self._settle(batch, str(error))
                await asyncio.sleep(RETRY_S)
            except EtcdError as error:
                self._begin_failure(str(error))
                if not may_be_done:
                    batch[:] = _refuse(batch, str(error))
                await asyncio.sleep(RETRY_S)
        assert answer is not None
        self._end_attempts()
        self._commits.observe(self._loop.time() - began_s, sum(each.is_entry for each in batch))
        for proposal, response in zip(batch, answer.responses, strict=True):
            outcome = response.response_txn
            _report(proposal.answered, outcome.succeeded, outcome.responses)

    def _transaction(self, batch: Iterable[Proposal]) -> Any:
        """Return the transaction with the proposals of `batch`.

        etcd leaves out what is nested when it compares a transaction with its space. So there is
        a put that isn't, for the case that a comparison fails, and no comparison.
        """
        success = [rpc.RequestOp(request_txn=each.request) for each in batch]
        return rpc.TxnRequest(success=success, failure=[put(self._layout.key("meta", "none"), b"")])

    async def _settle(self, batch: list[Proposal], reason: str) -> bool:
        """Take out the proposals that don't want to wait; return False if that is impossible.

        They are refused or, if what they compare is different now, answered.
        """
        try:
            answer = await until_answered(partial(self._client.txn, _question(batch)), SLOW_S)
        except EtcdError:
            return False
        kept = []
        for proposal, response in zip(batch, answer.responses, strict=True):
            outcome = response.response_txn
            if proposal.refused is None:
                kept.append(proposal)
            elif outcome.succeeded:
                _report(proposal.refused, reason)
            else:
                _report(proposal.answered, False, outcome.responses)
        batch[:] = kept
        return True

    def _end_attempts(self) -> None:
        """Note that etcd has answered."""
        self._stop_slow_timer()
        self._end_failure()

    # Failures

    def _handle_slow(self) -> None:
        self._slow_timer = None
        self._begin_failure("etcd doesn't answer")

    def _stop_slow_timer(self) -> None:
        if self._slow_timer is not None:
            self._slow_timer.cancel()
            self._slow_timer = None

    def _begin_failure(self, reason: str) -> None:
        if self.failure != reason:
            logger.error("nothing can be saved: %s", reason)
            self.failure = reason
            self._urgent = _Queue(_refuse(self._urgent.proposals, reason))
            self._waiting = _Queue(_refuse(self._waiting.proposals, reason))
            self._notify_listeners()

    def _end_failure(self) -> None:
        if self.failure is not None:
            logger.warning("saving again")
            self.failure = None
            self._notify_listeners()

    def _notify_listeners(self) -> None:
        for listener in self.on_failure_change:
            _report(listener)


def _question(batch: Iterable[Proposal]) -> Any:
    """Return the transaction that compares what `batch` does, and changes nothing."""
    requests = (
        rpc.TxnRequest(compare=each.request.compare, failure=each.request.failure) for each in batch
    )
    return rpc.TxnRequest(success=[rpc.RequestOp(request_txn=each) for each in requests])


def _refuse(proposals: Iterable[Proposal], reason: str) -> list[Proposal]:
    """Refuse the proposals that don't want to wait, and return the others."""
    kept = []
    for proposal in proposals:
        if proposal.refused is None:
            kept.append(proposal)
        else:
            _report(proposal.refused, reason)
    return kept


def _report(receive: Callable[..., None], *outcome: Any) -> None:
    """Report an outcome; the next one is reported also if `receive` raises."""
    try:
        receive(*outcome)
    except Exception:
        logger.exception("an answer of etcd couldn't be handed on")
