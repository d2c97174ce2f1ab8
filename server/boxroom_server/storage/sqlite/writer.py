"""The writer: one thread that commits, and what is handed to it until it comes round to it.

States. *Idle*: nothing is under way. *Committing*: one batch is in the thread, the next one
gathers what comes in the meantime. *In trouble*, for one of two reasons: a commit takes too
long, or one has failed. Then new lines are refused at once, so are those that the thread hasn't
been given, and nothing is lost: changes wait, and the batch in the thread stays unanswered
until its outcome is known. After an error that isn't known before the database has been opened
and read again (an fsync that fails says nothing about what is on the disk); after that the
thread tries by itself whether it can save again, and trouble ends when it can.
"""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any

from boxroom_server.clock import Cancellable, Clock
from boxroom_server.ops.metrics import Commits
from boxroom_server.storage.room_log import CannotSave, Kept
from boxroom_server.storage.sqlite.filing import Line, Unfiled, as_blob, roll_back
from boxroom_server.storage.sqlite.schema import connect

logger = logging.getLogger(__name__)

FILE_AFTER_S = 2.0
"""How long what was committed may stay unfiled."""

SLOW_S = 2.0
"""How long a commit may take before the rooms are told that nothing can be saved."""

RETRY_S = 1.0
"""How long after a failure the disk is tried again."""

STOP_S = 10.0
"""How long a stopping server waits for the last commit."""

Change = tuple[str, Sequence[Any]]
"""A statement that can be done twice, and its parameters."""


class _Batch:
    """What is committed together."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.lines: list[Line] = []
        self.kept: list[Kept] = []

    def __bool__(self) -> bool:
        return bool(self.lines or self.changes)


class Writer:
    """Commits to the database at `path`; made on the event loop, to be used there."""

    def __init__(
        self,
        path: Path,
        clock: Clock,
        commits: Commits,
        *,
        file_after_s: float = FILE_AFTER_S,
        slow_s: float = SLOW_S,
        retry_s: float = RETRY_S,
    ) -> None:
        self.trouble: str | None = None
        """Why nothing can be saved now: a part of a sentence."""
        self.on_trouble: list[Callable[[], None]] = []
        """Called when `trouble` has changed."""
        self._clock = clock
        self._slow_s = slow_s
        self._loop = asyncio.get_running_loop()
        self._gathering = _Batch()
        self._committing: _Batch | None = None
        self._is_due = False
        self._watch: Cancellable | None = None
        self._is_broken = False
        self._is_closing = False
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._thread = _Thread(
            path, clock, commits, self, file_after_s=file_after_s, retry_s=retry_s
        )
        self._thread.start()

    # Handing over

    def add(self, line: Line, kept: Kept) -> None:
        """Commit `line`, soon; `kept` is told when it is, on the event loop."""
        if self.trouble is not None:
            kept(CannotSave(self.trouble))
            return
        self._gathering.lines.append(line)
        self._gathering.kept.append(kept)
        self._hand_over_soon()

    def change(self, statement: str, *parameters: Any) -> None:
        """Have `statement` done, however long it takes, before any line that is added later."""
        self._gathering.changes.append((statement, parameters))
        self._hand_over_soon()

    def _hand_over_soon(self) -> None:
        """Let everything that happens in this turn of the event loop be one commit."""
        if not self._is_due and self._committing is None:
            self._is_due = True
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        self._is_due = False
        if self._committing is None and self._gathering and not self._is_broken:
            self._committing, self._gathering = self._gathering, _Batch()
            self._thread.tasks.put(self._committing)
            if self._watch is None:
                self._watch_over(self._committing)
        elif self._is_closing and self._committing is None and not self._is_broken:
            self._thread.tasks.put(None)

    # What came of it

    def committed(self, batch: _Batch, error: CannotSave | None) -> None:
        """The thread has come to an end with `batch`."""
        self._committing = None
        if error is not None:
            self._gathering.changes[:0] = batch.changes
        elif not self._is_broken:
            self._get_out_of_trouble()
        self._hand_over()
        _tell_all(batch.kept, error)

    def broken(self, reason: str) -> None:
        """A commit has failed: nothing can be saved until the thread says that it can."""
        self._is_broken = True
        self._get_into_trouble(reason)

    def mended(self) -> None:
        """The disk does what it should again."""
        self._is_broken = False
        self._get_out_of_trouble()
        self._hand_over()

    def _watch_over(self, batch: _Batch) -> None:
        self._watch = self._clock.call_later(self._slow_s, lambda: self._look_after(batch))

    def _look_after(self, batch: _Batch) -> None:
        self._watch = None
        if self._committing is batch:
            if not self._is_broken:  # or else an error has said more
                self._get_into_trouble("the disk is too slow")
        elif self._committing is not None:
            self._watch_over(self._committing)

    def _get_into_trouble(self, reason: str) -> None:
        if self.trouble != reason:
            logger.error("nothing can be saved: %s", reason)
            self.trouble = reason
            refused, self._gathering.kept = self._gathering.kept, []
            self._gathering.lines.clear()
            _tell_all(refused, CannotSave(reason))
            self._tell()

    def _get_out_of_trouble(self) -> None:
        if self.trouble is not None:
            logger.warning("saving again")
            self.trouble = None
            self._tell()

    def _tell(self) -> None:
        for told in self.on_trouble:
            told()

    # The end

    async def close(self) -> None:
        """Commit what waits, and end; give up a disk that does nothing."""
        self._is_closing = True
        self._hand_over()
        if self._watch is not None:
            self._watch.cancel()
        try:
            await asyncio.wait_for(asyncio.shield(self._ended), STOP_S)
        except TimeoutError:
            logger.error("the disk doesn't answer: the last commit is left to it")

    def ended(self) -> None:
        """The thread has ended."""
        if not self._ended.done():
            self._ended.set_result(None)


class _Thread(threading.Thread):
    """Owns the connection. A daemon, so that a disk that hangs can't keep the process alive."""

    def __init__(
        self,
        path: Path,
        clock: Clock,
        commits: Commits,
        writer: Writer,
        *,
        file_after_s: float,
        retry_s: float,
    ) -> None:
        super().__init__(name="writer", daemon=True)
        self.tasks: SimpleQueue[_Batch | None] = SimpleQueue()
        self._path = path
        self._clock = clock
        self._commits = commits
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._file_after_s = file_after_s
        self._retry_s = retry_s
        self._unfiled = Unfiled()
        self._filing_due_s = 0.0
        self._connection = connect(path)
        (self._last,) = self._connection.execute("SELECT max(id) FROM commits").fetchone()
        self._last = self._last or 0

    def run(self) -> None:
        """Commit and file, until told to end."""
        while True:
            try:
                batch = self.tasks.get(timeout=self._filing_due_in_s())
            except Empty:
                self._file()
                continue
            if batch is None:
                break
            self._take(batch)
            if self._filing_due_in_s() == 0:
                self._file()
        while self._unfiled and self._file():
            pass
        self._connection.close()
        self._say(self._writer.ended)

    def _take(self, batch: _Batch) -> None:
        began_s = monotonic()
        try:
            self._commit(batch)
        except sqlite3.Error as error:
            self._fail(batch, error)
        else:
            self._commits.observe(monotonic() - began_s, len(batch.lines))
            self._say(self._writer.committed, batch, None)

    def _commit(self, batch: _Batch) -> None:
        """Commit `batch` as number `self._last + 1`."""
        number, blob = self._last + 1, as_blob(batch.lines)
        row = (number, self._clock.now_ms(), blob)
        if batch.changes:
            self._commit_changes(batch.changes, row)
        else:
            self._connection.execute("INSERT INTO commits VALUES (?, ?, ?)", row)
        self._note(number, batch.lines)

    def _commit_changes(self, changes: Sequence[Change], row: tuple[int, int, bytes]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        for statement, parameters in changes:
            self._connection.execute(statement, parameters)
        self._connection.execute("INSERT INTO commits VALUES (?, ?, ?)", row)
        self._connection.execute("COMMIT")

    def _note(self, number: int, lines: Sequence[Line]) -> None:
        self._last = number
        if not self._unfiled:
            self._filing_due_s = monotonic() + self._file_after_s
        self._unfiled.add(number, lines)

    def _filing_due_in_s(self) -> float | None:
        """In how many seconds there is something to file; None if nothing was committed."""
        return max(0.0, self._filing_due_s - monotonic()) if self._unfiled else None

    def _file(self) -> bool:
        """File some rooms; whether that worked. It isn't urgent: what fails is done later."""
        try:
            has_filed_all = self._unfiled.file_some(self._connection, self._clock.now_ms())
        except sqlite3.Error as error:
            logger.warning("what was committed can't be filed yet: %s", error)
            self._filing_due_s = monotonic() + self._file_after_s
            return False
        if has_filed_all:
            self._filing_due_s = monotonic() + self._file_after_s
        return True

    # When it fails

    def _fail(self, batch: _Batch, error: sqlite3.Error) -> None:
        """Find out whether `batch` was committed, and go on when something can be again."""
        reason = _reason(error)
        self._say(self._writer.broken, reason)
        with suppress(sqlite3.Error):
            roll_back(self._connection)
        is_kept = not _is_full(error) and self._read_again()
        if is_kept:
            self._note(self._last + 1, batch.lines)
        self._say(self._writer.committed, batch, None if is_kept else CannotSave(reason))
        self._try_until_it_works()
        self._say(self._writer.mended)

    def _read_again(self) -> bool:
        """Open the database again, make sure of what is in it, and look for the last commit."""
        number = self._last + 1
        while True:
            try:
                with suppress(sqlite3.Error):
                    self._connection.close()
                self._connection = connect(self._path)
                # What was read may be in memory only: have it written, and synced, anew.
                checkpoint = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                (is_busy, _, _) = checkpoint.fetchone()
                if is_busy:
                    raise sqlite3.OperationalError("somebody else uses it")
                found = self._connection.execute("SELECT 1 FROM commits WHERE id = ?", (number,))
                return found.fetchone() is not None
            except sqlite3.Error as error:
                logger.error("the database can't be read again: %s", error)
                sleep(self._retry_s)

    def _try_until_it_works(self) -> None:
        while True:
            try:
                self._commit(_Batch())
                return
            except sqlite3.Error as error:
                logger.error("nothing can be saved yet: %s", error)
                sleep(self._retry_s)
                if self._read_again():  # so it was saved, and its number is taken
                    self._note(self._last + 1, ())

    def _say(self, what: Callable[..., None], *arguments: object) -> None:
        self._loop.call_soon_threadsafe(partial(what, *arguments))


def _tell_all(waiting: Sequence[Kept], error: CannotSave | None) -> None:
    for kept in waiting:
        try:
            kept(error)
        except Exception:
            logger.exception("what came of a commit couldn't be handed on")


def _reason(error: sqlite3.Error) -> str:
    if _is_full(error):
        return "the disk is full"
    return f"the disk fails ({error})"


def _is_full(error: sqlite3.Error) -> bool:
    """Whether there was no room for a commit, which then surely isn't there."""
    return error.sqlite_errorcode == sqlite3.SQLITE_FULL
