"""Room logs in etcd.

An entry is appended by a transaction that compares the log's tail, `tail/<log>`, with the entry's
seq. If they differ, another server was first; or this one was, and the answer to the first attempt
got lost: then the entry at this seq bears its own token.

A server watches the logs that it follows, and no others. It receives its entries from the
transaction's answer or from the watch, whichever is first, and those of others from the watch. It
passes on the next seq only, so none is passed on twice. Once the watch has begun, it asks for the
tail: what was appended before is read.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import msgspec
from aetcd import rpc

from boxroom_engine.room.accepted import AcceptedCommands, Checkpoint, checkpoint
from boxroom_engine.room.events import Entry, Played
from boxroom_engine.room.room import Room
from boxroom_engine.room.text import fold
from boxroom_server.storage.etcd.client import EtcdClient, EtcdError, until_answered
from boxroom_server.storage.etcd.feed import Feed, read_pages
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
"""Time after which a log is read again whose missing entry the watch hasn't delivered."""

KEPT = 40
"""Events before a checkpoint that stay: what a server may miss that is cut off for some seconds.

HAProxy takes its members away when it is cut off for longer.
"""

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


class EtcdTail:
    """The end of one log that is read or followed here: an `OpenLog`.

    `record` is that of a new room, until its first entry is saved.
    """

    __slots__ = (
        "_checks",
        "_goal",
        "_is_rereading",
        "_key",
        "_log",
        "_logs",
        "_pending",
        "_waiting",
        "_watch",
        "followers",
        "next_seq",
        "record",
    )

    def __init__(self, logs: "EtcdLog", log: str, record: RoomRecord | None = None) -> None:
        self._logs = logs
        self._log = log
        self._key = logs.layout.key("tail", log)
        self.record = record
        """Record to save with the first entry of a new room; None in a room that has entries."""
        self.next_seq = 1
        """Number of the next entry to be delivered."""
        self.followers: list[LogFollower] = []
        """Its followers, in the order of their calls."""
        # What to call when `next_seq` has come to a number.
        self._checks: list[tuple[int, Callable[[], None]]] = []
        self._pending: _Pending | None = None
        # Appends of several followers, until there is no pending one.
        self._waiting: list[tuple[Entry, bytes]] = []
        self._watch: int | None = None  # its id, from the first follower on
        self._goal = 1  # the log is read again until `next_seq` has come to it
        self._is_rereading = False

    # Followers

    def follow(self, follower: LogFollower) -> None:
        """Have `follower` receive all entries from now on."""
        self.followers.append(follower)
        if self._watch is None:
            self._watch = self._logs.feed.watch(self._log, self)

    def close(self, follower: LogFollower) -> None:
        if follower in self.followers:
            self.followers.remove(follower)
            self.forget_unless_followed()

    def forget_unless_followed(self) -> None:
        """Forget a log without followers, unless its first entry is under way."""
        if not self.followers:
            checks, self._checks = self._checks, []
            for _, checked in checks:
                checked()
            if self.record is None or self._pending is None:
                self._end_watch()
                self._logs.forget(self._log, self)

    def _end_watch(self) -> None:
        if self._watch is not None:
            self._logs.feed.unwatch(self._watch)
            self._watch = None

    # Appending

    def append(self, entry: Entry, text: bytes) -> None:
        failure = self._logs.writer.failure
        if self._pending is not None:
            self._waiting.append((entry, text))
        elif entry.seq != self.next_seq:
            self._report(entry, Conflict(self._log))
        elif failure is not None:
            self._report(entry, CannotSave(failure))
        else:
            self._propose(entry, text)

    def _propose(self, entry: Entry, text: bytes) -> None:
        logs, layout, log = self._logs, self._logs.layout, self._log
        self._pending = pending = _Pending(entry, next(logs.tokens))
        value = b"%b %b" % (pending.token, entry_as_json(entry, text))
        key = layout.entry(log, entry.seq)
        subjects = [f"log {log}"]
        compare = [has_value(self._key, b"%d" % entry.seq)]
        success = [put(self._key, b"%d" % (entry.last_seq + 1)), put(key, value)]
        if self.record is not None:
            code = layout.key("code", fold(self.record.code))
            subjects.append(f"code {fold(self.record.code)}")
            compare = [is_absent(self._key), is_absent(code)]
            record = layout.key("room", log)
            success += [put(record, msgspec.json.encode(self.record)), put(code, log.encode())]
        logs.writer.add(
            Proposal(
                tuple(subjects),
                rpc.TxnRequest(compare=compare, success=success, failure=[get(key)]),
                partial(self._append_answered, pending),
                partial(self._append_refused, pending),
                is_entry=True,
                is_urgent=isinstance(entry.events[0], Played),
            )
        )

    def _append_answered(
        self, pending: _Pending, succeeded: bool, responses: Sequence[Any]
    ) -> None:
        if not succeeded:
            found = responses[0].response_range.kvs
            succeeded = bool(found) and found[0].value.partition(b" ")[0] == pending.token
        if succeeded:
            self._deliver(pending.entry.seq, pending.token, pending.entry)
        elif self._pending is pending:
            if self.record is not None:
                self.fail_pending(CodeTaken(self.record.code))
            else:  # the watch delivers the entry that was first, and then the conflict
                self._logs.tasks.start(self._reread_if_stuck(self.next_seq))

    def _append_refused(self, pending: _Pending, reason: str) -> None:
        if self._pending is pending:
            self.fail_pending(CannotSave(reason))

    def fail_pending(self, error: Conflict | CannotSave) -> None:
        """Report why the pending entry isn't saved."""
        pending, self._pending = self._pending, None
        if pending is not None:
            self._report(pending.entry, error)
        waiting, self._waiting = self._waiting, []
        for entry, text in waiting:
            self.append(entry, text)
        self.forget_unless_followed()

    def _report(self, entry: Entry, error: Conflict | CannotSave) -> None:
        for follower in list(self.followers):
            follower.append_failed(entry, error)

    def check(self, checked: Callable[[], None]) -> None:

        def answered(succeeded: bool, responses: Sequence[Any]) -> None:
            next_seq = _next_seq(responses[0])
            if next_seq <= self.next_seq or not self.followers:
                checked()
            else:
                self._checks.append((next_seq, checked))
                self._logs.tasks.start(self._reread_if_stuck(self.next_seq))

        writer = self._logs.writer
        if writer.failure is not None:
            checked()
            return
        request = rpc.TxnRequest(success=[get(self._key)])
        writer.add(Proposal((f"check {self._log}",), request, answered, lambda reason: checked()))

    def save_checkpoint(self, room: Room, accepted: AcceptedCommands) -> None:
        """Save a checkpoint and delete old entries, unless the log has grown.

        The newest are kept, for servers that haven't received them yet. A checkpoint that is too
        large for etcd is left out: then the log is read from its start.
        """
        value = msgspec.json.encode(checkpoint(room, accepted))
        if len(value) > MOST_CHECKPOINT_BYTES:
            logger.warning("room %s is too large for a checkpoint: its log goes on", room.code)
            return
        layout, log = self._logs.layout, self._log
        folder, end = layout.folder("entry", log), layout.entry(log, max(1, room.seq + 1 - KEPT))
        request = rpc.TxnRequest(
            compare=[has_value(self._key, b"%d" % (room.seq + 1))],
            success=[put(layout.key("checkpoint", log), value), delete_range(folder, end)],
        )
        self._logs.writer.add(Proposal((f"log {log}",), request))

    # Receiving

    def watched(self) -> None:
        """Read the log again if it has grown before it was watched."""

        def answered(succeeded: bool, responses: Sequence[Any]) -> None:
            self._reread_until(_next_seq(responses[0]))

        request = rpc.TxnRequest(success=[get(self._key)])
        self._logs.writer.add(Proposal((f"watch {self._log}",), request, answered))

    def entry_received(self, seq: int, value: bytes) -> None:
        """Receive an entry from the watch, or of the log as it was read again."""
        pending = self._pending
        token = value.partition(b" ")[0]
        if pending is not None and token == pending.token:
            self._deliver(seq, token, pending.entry)
        elif seq >= self.next_seq and self.record is None:
            self._decode_and_deliver(seq, value)

    def _decode_and_deliver(self, seq: int, value: bytes) -> None:
        token, _, text = value.partition(b" ")
        try:
            entry = _decode_entry(text)
        except (msgspec.MsgspecError, ValueError) as error:
            self._lose(f"its entry {seq} is damaged: {error}")
        else:
            self._deliver(seq, token, entry)

    def _deliver(self, seq: int, token: bytes, entry: Entry) -> None:
        """Pass on `entry` if it is the next one, and the conflict of one that came too late."""
        if seq < self.next_seq:
            return
        if seq > self.next_seq:
            self._reread_until(seq + len(entry.events))
            return
        self.next_seq += len(entry.events)
        if self._pending is not None and token == self._pending.token:
            self._pending = None
            if self.record is not None:  # this was its first entry
                record, self.record = self.record, None
                self._logs.created(record)
        for follower in list(self.followers):
            follower.entry_saved(entry)
        if self._pending is None or self._pending.entry.seq <= seq:
            self.fail_pending(Conflict(self._log))
        done = [checked for next_seq, checked in self._checks if next_seq <= self.next_seq]
        self._checks = [each for each in self._checks if each[0] > self.next_seq]
        for checked in done:
            checked()

    async def _reread_if_stuck(self, next_seq: int) -> None:
        await asyncio.sleep(REREAD_S)
        if self.next_seq == next_seq:
            self._reread_until(next_seq + 1)

    def _reread_until(self, goal: int) -> None:
        """Deliver the entries before `goal` that are missing, by one task at a time."""
        self._goal = max(self._goal, goal)
        if self.next_seq < goal and not self._is_rereading:
            self._is_rereading = True
            self._logs.tasks.start(self._reread())

    async def _reread(self) -> None:
        """Read the log until all entries before the goal are delivered."""
        read_until = 0  # what is missing before that is deleted
        try:
            while self.followers and max(self.next_seq, read_until) < self._goal:
                goal = self._goal
                try:
                    stored, values, _ = await _read(self._logs.client, self._logs.layout, self._log)
                except EtcdError:
                    await asyncio.sleep(REREAD_S)
                else:
                    self._deliver_again(stored, values)
                    read_until = goal
        except Damaged as error:
            self._lose(str(error))
        finally:
            self._is_rereading = False

    def _deliver_again(
        self, stored: Checkpoint | None, values: Sequence[tuple[int, bytes]]
    ) -> None:
        """Deliver what is missing of a log that was read.

        Raises:
            Damaged: not all of it is there.
        """
        for seq, value in values:
            if seq > self.next_seq and self.followers:
                raise Damaged(f"it lacks the events from {self.next_seq} on")
            self.entry_received(seq, value)
        if stored is not None and stored.seen.seq >= self.next_seq:
            raise Damaged("entries are in a checkpoint that this server has missed")

    def _lose(self, reason: str) -> None:
        """Have all followers give the log up: they lack entries for good."""
        logger.warning("the log %s isn't followed any more: %s", self._log, reason)
        for follower in list(self.followers):
            follower.log_lost()


class EtcdLog:
    """A `boxroom_server.storage.room_log.RoomLog` in etcd."""

    def __init__(
        self,
        client: EtcdClient,
        layout: Layout,
        writer: EtcdWriter,
        feed: Feed,
        *,
        node: str,
        claim: Callable[[str], None],
    ) -> None:
        self.client = client
        """The connection to etcd."""
        self.layout = layout
        """The keys."""
        self.writer = writer
        """Writes what is appended."""
        self.feed = feed
        """Watches the logs that are followed."""
        self.tasks = Tasks()
        """Logs that are read again."""
        self.tokens = (f"{node}.{number}".encode() for number in count(1))
        """Tokens for entries, each for one."""
        self._records = feed.tables["room"]  # of all rooms, by log
        self._claim = claim  # called with each log that this server has created
        self._tails: dict[str, EtcdTail] = {}  # of the logs that are read or followed here
        self._records.listeners.append(self._record_changed)

    async def stop(self) -> None:
        """End all tasks."""
        await self.tasks.cancel()

    def create(self, room_record: RoomRecord) -> None:
        self._tails[room_record.log] = EtcdTail(self, room_record.log, room_record)

    def open(self, log: str, follower: LogFollower) -> OpenLog:
        """Open a log that was created or read before."""
        tail = self._tails.setdefault(log, EtcdTail(self, log))
        tail.follow(follower)
        return tail

    def room_records(self) -> Sequence[RoomRecord]:
        records = (
            decode(value, RoomRecord, f"room/{log}") for log, value in self._records.values.items()
        )
        return sorted(records, key=lambda record: (record.made_ms, record.log))

    # Tails

    def created(self, record: RoomRecord) -> None:
        """Take in that the first entry of a room is saved, and with it its record."""
        self._records.change(record.log, msgspec.json.encode(record))
        self._claim(record.log)

    def forget(self, log: str, tail: EtcdTail) -> None:
        """Forget `tail`, unless there is another one of the same log."""
        if self._tails.get(log) is tail:
            del self._tails[log]

    # Reading and deleting

    async def read(self, log: str) -> StoredLog:
        """Read a log; what is appended meanwhile is delivered when it is opened."""
        try:
            stored = await read_log(self.client, self.layout, log)
        except EtcdError as error:
            raise CannotSave(str(error)) from error
        self._tails[log] = tail = EtcdTail(self, log)
        tail.next_seq = stored.next_seq
        return stored

    async def delete(self, log: str, last_seq: int | None = None) -> bool:
        record = self._records.values.get(log)
        if record is None:
            self._tails.pop(log, None)
            return True  # its first entry was never saved, or it is deleted
        code = fold(decode(record, RoomRecord, f"room/{log}").code)
        folder = self.layout.folder("entry", log)
        single = [self.layout.key(name, log) for name in _FOLDERS_OF_A_ROOM]
        tail_key = self.layout.key("tail", log)
        request = rpc.TxnRequest(
            compare=[] if last_seq is None else [has_value(tail_key, b"%d" % (last_seq + 1))],
            success=[
                *map(delete, single),
                delete(self.layout.key("code", code)),
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
        self.writer.add(Proposal(subjects, request, answered))
        is_gone = await done
        self._tails.pop(log, None)
        return is_gone

    def _record_changed(self, log: str, value: bytes | None) -> None:
        """Fail the entry under way in a room that another server has closed.

        The report of a deletion may come when the log begins anew, which it doesn't concern.
        """
        tail = self._tails.get(log) if value is None else None
        if tail is not None and tail.record is None:
            tail.fail_pending(CannotSave("the room was closed"))


def _next_seq(response: Any) -> int:
    """Return the next seq of a log, of which a `get` has read the tail; 0 if there is no log."""
    found = response.response_range.kvs
    return int(found[0].value) if found else 0


def _entries_after(
    newest: Checkpoint | None, values: Sequence[tuple[int, bytes]], next_seq: int
) -> tuple[Entry, ...]:
    """Return the entries after the checkpoint, up to `next_seq`.

    Raises:
        Damaged: one of them can't be read, or is missing.
    """
    seq = newest.seen.seq if newest is not None else 0
    try:
        entries = tuple(_decode_entry(value.partition(b" ")[2]) for at, value in values if at > seq)
    except (msgspec.MsgspecError, ValueError) as error:
        raise Damaged(f"a log can't be read: {error}") from error
    for entry in entries:
        if entry.seq != seq + 1:
            break
        seq = entry.last_seq
    if seq + 1 != next_seq:
        raise Damaged(f"a log can't be read: it lacks the events from {seq + 1} on")
    return entries


_FOLDERS_OF_A_ROOM = ("room", "tail", "checkpoint", "owner", "status")
"""Folders with one key for each room, by its log."""
