"""The writer: one thread that commits, and the queue of lines and changes for its next commit.

States. *Idle*: no commit is running. *Committing*: one batch is in the thread, and the next one
collects what arrives meanwhile. *Pausing*: after the beginning of a commit of many lines, the next
one collects for a moment. *Failing*, for one of two reasons: a commit takes too long, or one
has failed. Then new lines are refused at once, and so are those that the thread hasn't got yet.
Nothing is lost: changes wait, and the batch in the thread has no outcome until that is known.
After an error it isn't known before the database has been opened and read again (an fsync that
fails says nothing about the content of the disk). After that the thread tries by itself whether
it can save again, and the failure ends when it can.
"""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, Protocol

import msgspec

from boxroom_engine.room.events import Entry
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.room_log import CannotSave
from boxroom_server.storage.sqlite.checksums import checksum_of_blob
from boxroom_server.storage.sqlite.compaction import Backlog, roll_back
from boxroom_server.storage.sqlite.schema import LOCK_TIMEOUT_S, connect
from boxroom_server.storage.storage import SavingState

logger = logging.getLogger(__name__)

COMPACT_AFTER_S = 2.0
"""Time without a commit before compaction, and from a failed compaction to the next attempt."""

SLOW_S = 2.0
"""How long a commit may take before the writer fails new lines."""

BUSY_LINES = 8
"""Number of lines in a commit that shows that the server is busy."""

PAUSE_S = 0.004
"""Time from the beginning of such a commit to the next one.

It lasts while at least `BUSY_LINES` come in this time. With 1,000 moves a second only half as many
come, and a player doesn't wait for it.
"""

RETRY_S = 1.0
"""Time from a failure to the next attempt."""

STOP_S = 10.0
"""How long a stopping server waits for the last commit."""

_INSERT = "INSERT INTO commits VALUES (?, ?, ?, ?)"

Change = tuple[str, Sequence[Any]]
"""A statement that may be executed twice, and its parameters."""


class Appender(Protocol):
    """The part of a log that has added an entry, and receives the outcome."""

    def commit_finished(self, entry: Entry, error: CannotSave | None) -> None:
        """Handle that `entry` is saved, or why it isn't; called on the event loop."""


class _Batch:
    """The changes and lines of one commit."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        """Changes in order; they come before the lines."""
        self.lines: list[bytes] = []
        """Entries, each as `encode_line` writes it."""
        self.waiting: list[tuple[Appender, Entry]] = []
        """The appender and the entry of each line."""

    def __bool__(self) -> bool:
        return bool(self.lines or self.changes)


class Writer(SavingState):
    """Commits to the database at `path`; made and used on the event loop."""

    def __init__(
        self,
        path: Path,
        clock: Clock,
        commits: Commits,
        *,
        compact_after_s: float = COMPACT_AFTER_S,
        slow_s: float = SLOW_S,
        retry_s: float = RETRY_S,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._slow_s = slow_s
        self._loop = asyncio.get_running_loop()
        self._next_batch = _Batch()  # collects until the thread is free
        self._committing: _Batch | None = None  # in the thread
        self._is_start_scheduled = False  # `_start_commit` runs in the next turn of the loop
        self._pause: Cancellable | None = None  # runs until the next commit may begin, under load
        self._slow_timer: Cancellable | None = None  # runs while commits do
        self._is_broken = False  # from a failed commit until the thread has recovered
        self._is_closing = False
        self._thread_ended: asyncio.Future[None] = self._loop.create_future()
        self._thread = _CommitThread(
            path, clock, commits, self, compact_after_s=compact_after_s, retry_s=retry_s
        )
        self._thread.start()

    # Input

    def add(self, line: bytes, appender: Appender, entry: Entry) -> None:
        """Commit `line` soon, which is `entry` encoded, and tell `appender` the outcome."""
        if self.failure is not None:
            appender.commit_finished(entry, CannotSave(self.failure))
            return
        self._next_batch.lines.append(line)
        self._next_batch.waiting.append((appender, entry))
        self._start_commit_soon()

    def change(self, statement: str, *parameters: Any) -> None:
        """Execute `statement`, however long that takes, before any line that is added later."""
        self._next_batch.changes.append((statement, parameters))
        self._start_commit_soon()

    def _start_commit_soon(self) -> None:
        """Schedule a commit of everything that arrives in this turn of the event loop."""
        if not self._is_start_scheduled and self._committing is None and self._pause is None:
            self._is_start_scheduled = True
            self._loop.call_soon(self._start_commit)

    def _start_commit(self) -> None:
        self._is_start_scheduled = False
        if self._committing is not None or self._pause is not None or self._is_broken:
            return
        if self._next_batch:
            self._committing, self._next_batch = self._next_batch, _Batch()
            self._thread.batches.put(self._committing)
            if len(self._committing.lines) >= BUSY_LINES:
                self._pause = self._clock.call_later(PAUSE_S, self._end_pause)
            if self._slow_timer is None:
                self._start_slow_timer(self._committing)
        elif self._is_closing:
            self._thread.batches.put(None)

    def _end_pause(self) -> None:
        self._pause = None
        self._start_commit()

    # Outcome, as reported by the thread

    def batch_finished(self, batch: _Batch, error: CannotSave | None) -> None:
        """Report the outcome of `batch`, entry by entry, and start the next commit."""
        self._committing = None
        if error is not None:
            self._next_batch.changes[:0] = batch.changes
        elif not self._is_broken:
            self._end_failure()
        self._start_commit()
        _report(batch.waiting, error)

    def commit_failed(self, reason: str) -> None:
        """Refuse everything until `recovered` is called."""
        self._is_broken = True
        self._begin_failure(reason)

    def recovered(self) -> None:
        """Go on after a commit failed and another one succeeded."""
        self._is_broken = False
        self._end_failure()
        self._start_commit()

    def _start_slow_timer(self, batch: _Batch) -> None:
        self._slow_timer = self._clock.call_later(self._slow_s, lambda: self._check_slow(batch))

    def _check_slow(self, batch: _Batch) -> None:
        self._slow_timer = None
        if self._committing is batch:
            if not self._is_broken:  # otherwise there is a more precise reason already
                self._begin_failure("the disk is too slow")
        elif self._committing is not None:
            self._start_slow_timer(self._committing)

    def _begin_failure(self, reason: str) -> None:
        if self.failure != reason:
            logger.error("nothing can be saved: %s", reason)
            self.failure = reason
            refused, self._next_batch.waiting = self._next_batch.waiting, []
            self._next_batch.lines.clear()
            _report(refused, CannotSave(reason))
            self._notify_listeners()

    def _end_failure(self) -> None:
        if self.failure is not None:
            logger.warning("saving again")
            self.failure = None
            self._notify_listeners()

    def _notify_listeners(self) -> None:
        for listener in self.on_failure_change:
            listener()

    # The end

    async def close(self) -> None:
        """Commit everything that waits, and end; after `STOP_S` give up on the disk."""
        self._is_closing = True
        if self._pause is not None:
            self._pause.cancel()
        self._end_pause()
        if self._slow_timer is not None:
            self._slow_timer.cancel()
        try:
            await asyncio.wait_for(asyncio.shield(self._thread_ended), STOP_S)
        except TimeoutError:
            logger.error("the disk doesn't answer: the last commit is left to it")

    def thread_ended(self) -> None:
        """Let `close` return."""
        if not self._thread_ended.done():
            self._thread_ended.set_result(None)


class _CommitThread(threading.Thread):
    """Owns the connection. A daemon, so that a disk that hangs can't keep the process alive."""

    def __init__(
        self,
        path: Path,
        clock: Clock,
        commits: Commits,
        writer: Writer,
        *,
        compact_after_s: float,
        retry_s: float,
    ) -> None:
        super().__init__(name="writer", daemon=True)
        self.batches: SimpleQueue[_Batch | None] = SimpleQueue()
        """Batches for the thread, which None ends."""
        self._path = path
        self._clock = clock
        self._commits = commits
        self._writer = writer
        self._loop = asyncio.get_running_loop()  # of the writer
        self._compact_after_s = compact_after_s
        self._retry_s = retry_s
        self._backlog = Backlog()
        self._no_compaction_until_s = 0.0  # in `monotonic()`; after a failed one
        self._connection = connect(path)
        (self._last,) = self._connection.execute("SELECT max(id) FROM commits").fetchone()
        self._last = self._last or 0  # number of the last commit

    def run(self) -> None:
        """Commit and compact, until None arrives."""
        while (batch := self._next_batch()) is not None:
            self._commit_and_report(batch)
            if self._backlog.is_too_long and monotonic() >= self._no_compaction_until_s:
                self._compact()
        while self._backlog and self._compact():
            pass
        self._connection.close()
        self._call_on_loop(self._writer.thread_ended)

    def _next_batch(self) -> _Batch | None:
        """Wait for the next batch, and compact if it takes long to come."""
        wait_s = self._compact_after_s
        while True:
            try:
                return self.batches.get(timeout=wait_s if self._backlog.has_lines else None)
            except Empty:
                wait_s = 0.0 if self._compact() else self._compact_after_s
                if not self._backlog.has_lines:
                    self._empty_log()

    def _commit_and_report(self, batch: _Batch) -> None:
        began_s = monotonic()
        try:
            self._commit(batch)
        except sqlite3.Error as error:
            self._handle_failure(batch, error)
        else:
            self._call_on_loop(self._writer.batch_finished, batch, None)
            self._commits.observe(monotonic() - began_s, len(batch.lines))

    def _commit(self, batch: _Batch) -> None:
        """Commit `batch` as number `self._last + 1`."""
        blob = b"".join(batch.lines)
        number, now_ms = self._last + 1, self._clock.now_ms()
        row = (number, now_ms, blob, checksum_of_blob(number, now_ms, blob))
        if batch.changes:
            self._commit_with_changes(batch.changes, row)
        else:
            self._connection.execute(_INSERT, row)
        self._count(len(blob))

    def _commit_with_changes(
        self, changes: Sequence[Change], row: tuple[int, int, bytes, int]
    ) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        for statement, parameters in changes:
            self._connection.execute(statement, parameters)
        self._connection.execute(_INSERT, row)
        self._connection.execute("COMMIT")

    def _count(self, size_bytes: int) -> None:
        """Count a commit, whose lines have that size."""
        self._last += 1
        self._backlog.add(self._last, size_bytes)

    def _compact(self) -> bool:
        """Compact a piece, and return whether that worked; if not, it is tried later."""
        try:
            self._backlog.compact_some(self._connection)
        except (sqlite3.Error, msgspec.MsgspecError, ValueError) as error:
            logger.warning("the last commits can't be compacted yet: %s", error)
            self._no_compaction_until_s = monotonic() + self._compact_after_s
            return False
        return True

    def _empty_log(self) -> None:
        """Move all commits from the write-ahead log into the database, unless others read it.

        What is in the log is lost from the first bit on that the disk changes.
        """
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA busy_timeout = 0")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with suppress(sqlite3.Error):
            self._connection.execute(f"PRAGMA busy_timeout = {round(LOCK_TIMEOUT_S * 1000)}")

    # Failures

    def _handle_failure(self, batch: _Batch, error: sqlite3.Error) -> None:
        """Find out whether `batch` was committed, and return when commits succeed again."""
        reason = _reason(error)
        self._call_on_loop(self._writer.commit_failed, reason)
        with suppress(sqlite3.Error):
            roll_back(self._connection)
        is_committed = not _is_full(error) and self._reopen_and_find_commit()
        if is_committed:
            self._count(sum(map(len, batch.lines)))
        outcome = None if is_committed else CannotSave(reason)
        self._call_on_loop(self._writer.batch_finished, batch, outcome)
        self._retry_until_committed()
        self._call_on_loop(self._writer.recovered)

    def _reopen_and_find_commit(self) -> bool:
        """Reopen the database, sync its content, and return whether the last commit is in it."""
        number = self._last + 1
        while True:
            try:
                with suppress(sqlite3.Error):
                    self._connection.close()
                self._connection = connect(self._path)
                # The pages that are read may be in memory only: write and sync them once more.
                checkpoint = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                (is_busy, _, _) = checkpoint.fetchone()
                if is_busy:
                    raise sqlite3.OperationalError("another process uses it")
                found = self._connection.execute("SELECT 1 FROM commits WHERE id = ?", (number,))
                return found.fetchone() is not None
            except sqlite3.Error as error:
                logger.error("the database can't be read again: %s", error)
                sleep(self._retry_s)

    def _retry_until_committed(self) -> None:
        while True:
            try:
                self._commit(_Batch())
                return
            except sqlite3.Error as error:
                logger.error("nothing can be saved yet: %s", error)
                sleep(self._retry_s)
                if self._reopen_and_find_commit():  # the attempt was saved: its number is taken
                    self._count(0)

    def _call_on_loop(self, function: Callable[..., None], *arguments: Any) -> None:
        self._loop.call_soon_threadsafe(function, *arguments)


def _report(waiting: Sequence[tuple[Appender, Entry]], error: CannotSave | None) -> None:
    """Report an outcome to all that wait for it, also if some of them raise."""
    for appender, entry in waiting:
        try:
            appender.commit_finished(entry, error)
        except Exception:
            logger.exception("the outcome of a commit couldn't be handed on")


def _reason(error: sqlite3.Error) -> str:
    if _is_full(error):
        return "the disk is full"
    return f"the disk fails ({error})"


def _is_full(error: sqlite3.Error) -> bool:
    """Return whether a commit failed for lack of space; then it certainly isn't on the disk."""
    return error.sqlite_errorcode == sqlite3.SQLITE_FULL
