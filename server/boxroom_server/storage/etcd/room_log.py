"""Room logs in etcd.

An entry is appended by a transaction that compares the log's tail, `tail/<log>`, with the entry's
seq. If they differ, another server was first; or this one was, and the answer to the first attempt
got lost: then the entry at this seq bears its own token.

A server receives its entries from the transaction's answer or from the feed, whichever is first,
and those of others from the feed. It passes on the next seq only, so none is passed on twice.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from aetcd import rpc

from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.checkpoint import Checkpoint, checkpoint
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_engine.room.text import fold
from boxroom_server.storage.etcd.client import EtcdClient, EtcdError, until_answered
from boxroom_server.storage.etcd.feed import Table, read_pages
from boxroom_server.storage.etcd.layout import (
    SEQ_DIGITS,
    Layout,
    after,
    decode,
    delete,
    delete_range,
    get,
    has_value,
    is_absent,
    put,
)
from boxroom_server.storage.etcd.writer import EtcdWriter, Proposal
from boxroom_server.storage.room_log import (
    CannotSave,
    CodeTaken,
    Conflict,
    Damaged,
    LogFollower,
    OpenLog,
    RoomRecord,
    StoredLog,
    entry_as_json,
)
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

READ_S = 5.0
"""How long a log is tried to be read."""

REREAD_S = 1.0
"""Time after which a log is read again whose missing entry the feed hasn't delivered."""

MOST_CHECKPOINT_BYTES = 1_500_000
"""Size of the largest checkpoint; with its request it is as large as etcd takes it.

By default, with texts of four bytes a character and ids of 16 digits, a room has up to 1.3 MB.
"""

_decode_entry: Callable[[bytes], Entry] = msgspec.json.Decoder(Entry).decode


async def read_log(client: EtcdClient, layout: Layout, log: str, *, revision: int = 0) -> StoredLog:
    """Return `log` as of `revision`, or as it is now.

    Raises:
        EtcdError: etcd doesn't answer.
        Damaged: it can't be read.
    """
    newest, values, next_seq = await _read(client, layout, log, revision=revision)
    return StoredLog(newest, _entries_after(newest, values, next_seq))


async def _read(
    client: EtcdClient, layout: Layout, log: str, *, revision: int = 0
) -> tuple[Checkpoint | None, list[tuple[int, bytes]], int]:
    """Return the checkpoint, the entries with their seqs, and the next seq, at one revision.

    Raises:
        EtcdError: etcd doesn't answer.
        Damaged: the checkpoint or the next seq is damaged.
    """
    values: list[tuple[int, bytes]] = []
    folder = layout.folder("entry", log)
    async for page in read_pages(client, folder, revision=revision, most_s=READ_S):
        revision = revision or page.header.revision
        values += ((int(pair.key[-SEQ_DIGITS:]), pair.value) for pair in page.kvs)
    keys = (layout.key(name, log) for name in ("checkpoint", "tail"))
    request = rpc.TxnRequest(success=[get(key, revision) for key in keys])
    answer = await until_answered(partial(client.txn, request), READ_S)
    found, tail = (response.response_range.kvs for response in answer.responses)
    try:
        newest = msgspec.json.decode(found[0].value, type=Checkpoint) if found else None
        return newest, values, int(tail[0].value) if tail else 1
    except (msgspec.MsgspecError, ValueError) as error:
        raise Damaged(f"a log can't be read: {error}") from error


class _Pending(NamedTuple):
    """An entry that this server has proposed, and has no answer to yet."""

    entry: Entry
    token: bytes
    """Its token, which no other entry has."""
    fail: Callable[[Entry, Conflict | CannotSave], None]
    """Receives the reason why it isn't saved."""


class _Tail:
    """Append position and followers of one log."""

    __slots__ = (
        "checks",
        "followers",
        "has_gap",
        "next_seq",
        "pending",
        "received",
        "record",
        "waiting",
    )

    def __init__(self, record: RoomRecord | None = None) -> None:
        self.next_seq = 1  # of the next entry to be delivered
        self.followers: list[LogFollower] = []  # in the order of their calls
        # What to call when `next_seq` has come to a number.
        self.checks: list[tuple[int, Callable[[], None]]] = []
        # The record of a new room, until its first entry is saved.
        self.record = record
        self.pending: _Pending | None = None
        # Appends of several followers, until there is no pending one.
        self.waiting: list[Callable[[], None]] = []
        # Entries by seq while the log is read, before there is a follower; None otherwise.
        self.received: dict[int, bytes] | None = None
        # Whether `received` may lack entries, so that the log has to be read again.
        self.has_gap = False


class _OpenEtcdLog:
    """See `OpenLog`."""

    __slots__ = ("_follower", "_is_open", "_log", "_logs", "_tail")

    def __init__(self, logs: "EtcdLog", log: str, tail: _Tail, follower: LogFollower) -> None:
        self._logs = logs
        self._log = log
        self._tail = tail
        self._follower = follower
        self._is_open = True  # until `close`
        tail.followers.append(follower)

    def append(self, entry: Entry, text: bytes) -> None:
        """See `OpenLog.append`."""
        self._logs.append(self._log, self._tail, entry, text, self._fail)

    def _fail(self, entry: Entry, error: Conflict | CannotSave) -> None:
        if self._is_open:
            self._follower.append_failed(entry, error)

    def check(self, checked: Callable[[], None]) -> None:
        """See `OpenLog.check`."""
        self._logs.check(self._log, self._tail, checked)

    def save_checkpoint(self, room: Room, accepted: AcceptedCommands) -> None:
        """See `OpenLog.save_checkpoint`; it is left out if another server has gone on."""
        self._logs.save_checkpoint(self._log, room, accepted)

    def close(self) -> None:
        """See `OpenLog.close`."""
        if self._is_open:
            self._is_open = False
            self._tail.followers.remove(self._follower)
            self._logs.closed(self._log, self._tail)


class EtcdLog:
    """A `boxroom_server.storage.room_log.RoomLog` in etcd."""

    def __init__(
        self,
        client: EtcdClient,
        layout: Layout,
        writer: EtcdWriter,
        records: Table,
        *,
        node: str,
        created: Callable[[str], None],
    ) -> None:
        self._client = client
        self._layout = layout
        self._writer = writer
        self._records = records  # of all rooms, by log
        self._node = node
        self._created = created  # called with each log that this server has created
        self._tails: dict[str, _Tail] = {}  # of the logs that are read or followed here
        self._appended = 0  # entries so far, for tokens
        self._tasks = Tasks()  # logs that are read again
        records.listeners.append(self._record_changed)

    async def stop(self) -> None:
        """End all tasks."""
        await self._tasks.cancel()

    def create(self, room_record: RoomRecord) -> None:
        """See `RoomLog.create`."""
        self._tails[room_record.log] = _Tail(room_record)

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        """See `RoomLog.open`; the log was created or read before."""
        tail = self._tails.setdefault(log, _Tail())
        opened = _OpenEtcdLog(self, log, tail, follower)
        if tail.received is not None:
            asyncio.get_running_loop().call_soon(self._deliver_received, log, tail)
        return opened

    def room_records(self) -> Sequence[RoomRecord]:
        """See `RoomLog.room_records`."""
        records = (
            decode(value, RoomRecord, f"room/{log}") for log, value in self._records.values.items()
        )
        return sorted(records, key=lambda record: (record.made_ms, record.log))

    def closed(self, log: str, tail: _Tail) -> None:
        """Forget a log without followers, unless its first entry is under way."""
        if not tail.followers:
            checks, tail.checks = tail.checks, []
            for _, checked in checks:
                checked()
            if tail.record is None:
                self._forget(log, tail)

    # Appending

    def append(
        self,
        log: str,
        tail: _Tail,
        entry: Entry,
        text: bytes,
        fail: Callable[[Entry, Conflict | CannotSave], None],
    ) -> None:
        """Propose `entry` as the next one of `log`; see `OpenLog.append`."""
        if tail.pending is not None:
            tail.waiting.append(partial(self.append, log, tail, entry, text, fail))
            return
        if entry.seq != tail.next_seq:
            fail(entry, Conflict(log))
            return
        if self._writer.failure is not None:
            fail(entry, CannotSave(self._writer.failure))
            return
        self._appended += 1
        pending = _Pending(entry, f"{self._node}.{self._appended}".encode(), fail)
        tail.pending = pending
        value = b"%b %b" % (pending.token, entry_as_json(entry, text))
        key, tail_key = self._layout.entry(log, entry.seq), self._layout.key("tail", log)
        subjects = [f"log {log}"]
        compare = [has_value(tail_key, b"%d" % entry.seq)]
        success = [put(tail_key, b"%d" % (entry.last_seq + 1)), put(key, value)]
        if tail.record is not None:
            code = self._layout.key("code", fold(tail.record.code))
            subjects.append(f"code {fold(tail.record.code)}")
            compare = [is_absent(tail_key), is_absent(code)]
            record = self._layout.key("room", log)
            success += [put(record, msgspec.json.encode(tail.record)), put(code, log.encode())]
        self._writer.add(
            Proposal(
                tuple(subjects),
                rpc.TxnRequest(compare=compare, success=success, failure=[get(key)]),
                partial(self._append_answered, log, tail, pending),
                partial(self._append_refused, tail, pending),
                is_entry=True,
            )
        )

    def _append_answered(
        self, log: str, tail: _Tail, pending: _Pending, succeeded: bool, responses: Sequence[Any]
    ) -> None:
        if not succeeded:
            found = responses[0].response_range.kvs
            succeeded = bool(found) and found[0].value.partition(b" ")[0] == pending.token
        if succeeded:
            self._deliver(log, tail, pending.entry.seq, pending.token, pending.entry)
        elif tail.pending is pending:
            if tail.record is not None:
                self._fail_pending(tail, CodeTaken(tail.record.code))
            else:  # the feed delivers the entry that was first, and then the conflict
                self._tasks.start(self._reread_if_stuck(log, tail, tail.next_seq))

    def _append_refused(self, tail: _Tail, pending: _Pending, reason: str) -> None:
        if tail.pending is pending:
            self._fail_pending(tail, CannotSave(reason))

    def _fail_pending(self, tail: _Tail, error: Conflict | CannotSave) -> None:
        """Report why the pending entry isn't saved."""
        pending, tail.pending = tail.pending, None
        if pending is not None:
            pending.fail(pending.entry, error)
        waiting, tail.waiting = tail.waiting, []
        for append in waiting:
            append()

    def check(self, log: str, tail: _Tail, checked: Callable[[], None]) -> None:
        """Call `checked` when all entries are delivered that were appended before this."""

        def answered(succeeded: bool, responses: Sequence[Any]) -> None:
            found = responses[0].response_range.kvs
            next_seq = int(found[0].value) if found else 0
            if next_seq <= tail.next_seq or not tail.followers:
                checked()
            else:
                tail.checks.append((next_seq, checked))
                self._tasks.start(self._reread_if_stuck(log, tail, tail.next_seq))

        if self._writer.failure is not None:
            checked()
            return
        request = rpc.TxnRequest(success=[get(self._layout.key("tail", log))])
        self._writer.add(Proposal((f"check {log}",), request, answered, lambda reason: checked()))

    def save_checkpoint(self, log: str, room: Room, accepted: AcceptedCommands) -> None:
        """Save a checkpoint and delete the entries before it, unless the log has grown.

        One that is too large for etcd is left out: then the log is read from its start.
        """
        tail_key = self._layout.key("tail", log)
        value = msgspec.json.encode(checkpoint(room, accepted))
        if len(value) > MOST_CHECKPOINT_BYTES:
            logger.warning("room %s is too large for a checkpoint: its log goes on", room.code)
            return
        folder, end = self._layout.folder("entry", log), self._layout.entry(log, room.seq + 1)
        request = rpc.TxnRequest(
            compare=[has_value(tail_key, b"%d" % (room.seq + 1))],
            success=[put(self._layout.key("checkpoint", log), value), delete_range(folder, end)],
        )
        self._writer.add(Proposal((f"log {log}",), request))

    # Receiving

    def entry_received(self, log: str, seq: int, value: bytes) -> None:
        """Receive an entry of any log from the feed."""
        tail = self._tails.get(log)
        if tail is None:
            return
        if tail.received is not None:
            tail.received[seq] = value
        elif tail.followers:
            token = value.partition(b" ")[0]
            if tail.pending is not None and token == tail.pending.token:
                self._deliver(log, tail, seq, token, tail.pending.entry)
            elif seq >= tail.next_seq and tail.record is None:
                self._decode_and_deliver(log, tail, seq, value)
        elif tail.record is None:
            del self._tails[log]  # its host sleeps

    def _decode_and_deliver(self, log: str, tail: _Tail, seq: int, value: bytes) -> None:
        token, _, text = value.partition(b" ")
        try:
            entry = _decode_entry(text)
        except (msgspec.MsgspecError, ValueError) as error:
            self._lose(log, tail, f"its entry {seq} is damaged: {error}")
        else:
            self._deliver(log, tail, seq, token, entry)

    def _deliver_received(self, log: str, tail: _Tail) -> None:
        """Deliver what was received while the log was read and folded."""
        received, tail.received = tail.received or {}, None
        for seq in sorted(received):
            self.entry_received(log, seq, received[seq])
        if tail.has_gap:
            self._tasks.start(self._reread(log, tail))

    def _deliver(self, log: str, tail: _Tail, seq: int, token: bytes, entry: Entry) -> None:
        """Pass on `entry` if it is the next one, and the conflict of one that came too late."""
        if seq < tail.next_seq:
            return
        if seq > tail.next_seq:
            self._tasks.start(self._reread(log, tail))
            return
        tail.next_seq += len(entry.events)
        if tail.pending is not None and token == tail.pending.token:
            tail.pending = None
            if tail.record is not None:  # this was its first entry
                record, tail.record = tail.record, None
                self._records.change(log, msgspec.json.encode(record))
                self._created(log)
        for follower in list(tail.followers):
            follower.entry_saved(entry)
        if tail.pending is None or tail.pending.entry.seq <= seq:
            self._fail_pending(tail, Conflict(log))
        done = [checked for next_seq, checked in tail.checks if next_seq <= tail.next_seq]
        tail.checks = [each for each in tail.checks if each[0] > tail.next_seq]
        for checked in done:
            checked()

    def gap_found(self) -> None:
        """Read all logs again that are read or followed: entries may be missing."""
        for log, tail in self._tails.items():
            if tail.received is not None:
                tail.has_gap = True
            elif tail.followers:
                self._tasks.start(self._reread(log, tail))

    async def _reread_if_stuck(self, log: str, tail: _Tail, next_seq: int) -> None:
        await asyncio.sleep(REREAD_S)
        if tail.next_seq == next_seq:
            await self._reread(log, tail)

    async def _reread(self, log: str, tail: _Tail) -> None:
        """Deliver the entries of `log` that are missing."""
        while tail.followers:
            try:
                stored, values, _ = await _read(self._client, self._layout, log)
                break
            except EtcdError:
                await asyncio.sleep(REREAD_S)
            except Damaged as error:
                self._lose(log, tail, str(error))
                return
        else:
            return
        if stored is not None and stored.seen.seq >= tail.next_seq:
            self._lose(log, tail, "entries are in a checkpoint that this server has missed")
            return
        for seq, value in values:
            if seq > tail.next_seq and tail.followers:
                self._lose(log, tail, f"it lacks the events from {tail.next_seq} on")
                return
            self.entry_received(log, seq, value)

    def _lose(self, log: str, tail: _Tail, reason: str) -> None:
        """Have all followers give the log up: they lack entries for good."""
        logger.warning("the log %s isn't followed any more: %s", log, reason)
        for follower in list(tail.followers):
            follower.log_lost()

    # Reading and deleting

    async def read(self, log: str) -> StoredLog:
        """See `RoomLog.read`; what is appended meanwhile is delivered when the log is opened."""
        tail = self._tails[log] = _Tail()
        tail.received = {}
        try:
            stored = await read_log(self._client, self._layout, log)
        except BaseException as error:  # also a cancellation, or it would collect entries for ever
            self._forget(log, tail)
            if isinstance(error, EtcdError):
                raise CannotSave(str(error)) from error
            raise
        tail.next_seq = stored.next_seq
        return stored

    def _forget(self, log: str, tail: _Tail) -> None:
        if self._tails.get(log) is tail:
            del self._tails[log]

    async def delete(self, log: str, last_seq: int | None = None) -> bool:
        """See `RoomLog.delete`."""
        record = self._records.values.get(log)
        if record is None:
            self._tails.pop(log, None)
            return True  # its first entry was never saved, or it is deleted
        code = fold(decode(record, RoomRecord, f"room/{log}").code)
        folder = self._layout.folder("entry", log)
        single = [self._layout.key(name, log) for name in _FOLDERS_OF_A_ROOM]
        tail_key = self._layout.key("tail", log)
        request = rpc.TxnRequest(
            compare=[] if last_seq is None else [has_value(tail_key, b"%d" % (last_seq + 1))],
            success=[
                *map(delete, single),
                delete(self._layout.key("code", code)),
                delete_range(folder, after(folder)),
            ],
            failure=[get(tail_key)],
        )
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def answered(succeeded: bool, responses: Sequence[Any]) -> None:
            is_gone = succeeded or not responses[0].response_range.kvs
            if not done.done():
                done.set_result(is_gone)

        subjects = (f"log {log}", f"status {log}", f"code {code}")
        self._writer.add(Proposal(subjects, request, answered))
        is_gone = await done
        self._tails.pop(log, None)
        return is_gone

    def _record_changed(self, log: str, value: bytes | None) -> None:
        """Fail the entry under way in a room that another server has closed.

        The report of a deletion may come when the log begins anew, which it doesn't concern.
        """
        tail = self._tails.get(log) if value is None else None
        if tail is not None and tail.record is None:
            self._fail_pending(tail, CannotSave("the room was closed"))
            self.closed(log, tail)


def _entries_after(
    newest: Checkpoint | None, values: Sequence[tuple[int, bytes]], next_seq: int
) -> tuple[Entry, ...]:
    """Return the entries after the checkpoint, up to `next_seq`.

    Raises:
        Damaged: one of them can't be read, or is missing.
    """
    seq = newest.seen.seq if newest is not None else 0
    try:
        all_entries = [_decode_entry(value.partition(b" ")[2]) for _, value in values]
    except (msgspec.MsgspecError, ValueError) as error:
        raise Damaged(f"a log can't be read: {error}") from error
    entries = tuple(entry for entry in all_entries if entry.seq > seq)
    for entry in entries:
        if entry.seq != seq + 1:
            break
        seq = entry.last_seq
    if seq + 1 != next_seq:
        raise Damaged(f"a log can't be read: it lacks the events from {seq + 1} on")
    return entries


_FOLDERS_OF_A_ROOM = ("room", "tail", "checkpoint", "owner", "status")
"""Folders with one key for each room, by its log."""
