"""Compaction: regroup the entries of commits by room, so that a room is cheap to read or delete.

Compaction may be interrupted at any point and repeated: a row of `entries` starts at its room's
first entry that isn't compacted, so that a repeated row replaces itself.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from boxroom_engine.room.events import Entry

ROOMS_AT_ONCE = 64
"""Rooms per transaction; commits that people wait for aren't held up for long."""

_INSERT_ENTRIES = """
    INSERT OR REPLACE INTO entries SELECT :room, :seq, :lines
    WHERE EXISTS (SELECT 1 FROM rooms WHERE id = :room)
"""


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """An encoded entry with the room that it belongs to."""

    room: int
    """Number of its log in the table `rooms`."""
    seq: int
    text: bytes
    """JSON without line breaks."""


def encode_commit(lines: Iterable[LogLine]) -> bytes:
    """Encode the lines of a commit as one blob; `decode_commit` is the inverse."""
    return b"".join([b"%d %b\n" % (line.room, line.text) for line in lines])


def decode_commit(blob: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the room and the text of each line of a commit, in order."""
    for line in blob.splitlines():
        room, _, text = line.partition(b" ")
        yield int(room), text


class PendingCommits:
    """Commits that aren't compacted yet, by room.

    Each round of compaction covers the commits that exist at its beginning, some rooms at a
    time. Later commits wait for the next round, so that a busy room needs one row for a round.
    """

    def __init__(self) -> None:
        self._next_round = _LinesByRoom()  # commits since the current round began
        self._this_round = _LinesByRoom()  # lines still to be compacted in this round

    def __bool__(self) -> bool:
        return bool(self._this_round or self._next_round)

    def add(self, commit: int, lines: Sequence[LogLine]) -> None:
        """Add the lines of the commit with that number."""
        self._next_round.add(commit, lines)

    def compact_some(self, connection: sqlite3.Connection, now_ms: int) -> bool:
        """Compact some rooms, and return whether that completed the round.

        The last transaction of a round deletes its commits.

        Raises:
            sqlite3.Error: the transaction failed and had no effect.
        """
        if not self._this_round:
            self._this_round, self._next_round = self._next_round, _LinesByRoom()
        current = self._this_round
        rooms = list(current.by_room)[:ROOMS_AT_ONCE]
        is_last = len(rooms) == len(current.by_room)
        connection.execute("BEGIN IMMEDIATE")
        try:
            for room in rooms:
                connection.execute(_INSERT_ENTRIES, _row(room, current.by_room[room]))
            if is_last:
                connection.execute("DELETE FROM commits WHERE id <= ?", (current.last_commit,))
                connection.execute("UPDATE life SET alive_ms = max(alive_ms, ?)", (now_ms,))
            connection.execute("COMMIT")
        except sqlite3.Error:
            roll_back(connection)
            raise
        for room in rooms:
            del current.by_room[room]
        if is_last:
            self._this_round = _LinesByRoom()
        return is_last


class _LinesByRoom:
    """The lines of some commits, by room."""

    def __init__(self) -> None:
        self.by_room: dict[int, list[LogLine]] = {}  # in the order of their commits
        self.last_commit = 0  # the highest number of a commit; 0 for none

    def __bool__(self) -> bool:
        return self.last_commit > 0

    def add(self, commit: int, lines: Sequence[LogLine]) -> None:
        for line in lines:
            self.by_room.setdefault(line.room, []).append(line)
        self.last_commit = commit


def _row(room: int, lines: Sequence[LogLine]) -> Mapping[str, object]:
    texts = b"".join([line.text + b"\n" for line in lines])
    return {"room": room, "seq": lines[0].seq, "lines": texts}


def roll_back(connection: sqlite3.Connection) -> None:
    """End a failed transaction, if SQLite hasn't ended it already."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


class _Numbered(msgspec.Struct):
    seq: int


def compact_all(connection: sqlite3.Connection) -> None:
    """Compact the commits that a server left when it stopped or crashed.

    Raises:
        msgspec.MsgspecError, ValueError: a commit is damaged.
    """
    seq_of = msgspec.json.Decoder(_Numbered).decode
    pending = PendingCommits()
    last_ms = 0
    commits = connection.execute("SELECT id, at_ms, lines FROM commits ORDER BY id").fetchall()
    for commit, at_ms, blob in commits:
        lines = [LogLine(room, seq_of(text).seq, text) for room, text in decode_commit(blob)]
        pending.add(commit, lines)
        last_ms = max(last_ms, at_ms)
    while pending:
        pending.compact_some(connection, last_ms)


def entries_after(connection: sqlite3.Connection, room: int, seq: int) -> Iterator[Entry]:
    """Yield the compacted entries of `room` whose events are numbered above `seq`, in order.

    Raises:
        msgspec.MsgspecError: an entry is damaged.
    """
    decode = msgspec.json.Decoder(Entry).decode
    rows = connection.execute(
        "SELECT lines FROM entries WHERE room = :room AND seq >= coalesce("
        "(SELECT max(seq) FROM entries WHERE room = :room AND seq <= :seq), 0) ORDER BY seq",
        {"room": room, "seq": seq + 1},
    )
    for (lines,) in rows:
        for text in lines.splitlines():
            entry = decode(text)
            if entry.seq > seq:
                yield entry
