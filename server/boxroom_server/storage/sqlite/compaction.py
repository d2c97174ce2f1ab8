"""Compaction: regroup the entries of commits by room, so that a room is cheap to read or delete.

A room that is awake never reads its entries again. So compaction waits until the server is idle,
stops or starts; only when commits of more than `MAX_PIECES` pieces wait, one piece is compacted
between two commits, which bounds the time that a start takes after a crash. Meanwhile the entries
are on the disk only, not in memory.

A piece is compacted in one transaction: the rows of its rooms are inserted and its commits are
deleted, or nothing happens. A row starts at its room's first entry that wasn't compacted.
"""

import sqlite3
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

import msgspec

from boxroom_engine.room.events import Entry
from boxroom_server.storage.sqlite.checksums import check_blob, checksum_of_blob

PIECE_BYTES = 1 << 18
"""Size of the lines at which a piece is complete; a commit waits some 5 ms for its compaction."""

MAX_PIECES = 128
"""Number of complete pieces that may wait while the server is busy: 32 MB, a second at a start."""

ROWS_AT_ONCE = 64
"""Rows per statement; after each statement, the thread waits for Python's lock."""

_READ = """
    SELECT CAST(group_concat(lines, '') AS BLOB),
        group_concat(id || ' ' || at_ms || ' ' || length(lines) || ' ' || coalesce(checksum, -1))
    FROM (SELECT * FROM commits WHERE id <= ? ORDER BY id)
"""
"""Reads commits as one row, for the reason that `ROWS_AT_ONCE` has.

No commit has the checksum -1; without one it would be left out of the second list.
"""

_INSERT = """
    INSERT INTO entries SELECT column1, column2, column3, column4 FROM (VALUES {rows})
    WHERE EXISTS (SELECT 1 FROM rooms WHERE id = column1)
    AND NOT EXISTS (SELECT 1 FROM checkpoints WHERE room = column1 AND seq >= column5)
"""
"""Inserts the rows of rooms that exist, but not those that are older than the room's checkpoint."""

DELETE_OLD_ENTRIES = """
    DELETE FROM entries WHERE room = ? AND seq < (
        SELECT max(seq) FROM entries WHERE room = ? AND seq <= ? + 1
    )
"""
"""Deletes the rows whose entries are older than a checkpoint: room, room again, its seq."""


def encode_line(room: int, text: bytes) -> bytes:
    """Encode an entry, in JSON without line breaks, of the room whose log has that number.

    The lines of a commit follow one another in a blob; `decode_commit` is the inverse.
    """
    return b"%d %b\n" % (room, text)


def decode_commit(blob: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the room and the text of each line of a commit, in order."""
    for line in blob.splitlines():
        room, _, text = line.partition(b" ")
        yield int(room), text


class Backlog:
    """The commits that aren't compacted yet, divided into pieces: their numbers and sizes."""

    def __init__(self) -> None:
        self._ends: deque[int] = deque()  # last commit of each complete piece
        self._last = 0  # last commit of the incomplete piece; 0 for none
        self._size_bytes = 0  # of the lines of the incomplete piece

    def __bool__(self) -> bool:
        return bool(self._ends or self._last)

    @property
    def has_lines(self) -> bool:
        """Whether there is more than commits of changes, which can wait for ever."""
        return bool(self._ends or self._size_bytes)

    @property
    def is_too_long(self) -> bool:
        """Whether a piece should be compacted although the server is busy."""
        return len(self._ends) > MAX_PIECES

    def add(self, commit: int, size_bytes: int) -> None:
        """Add the next commit; its lines have that size."""
        self._last = commit
        self._size_bytes += size_bytes
        if self._size_bytes >= PIECE_BYTES:
            self._ends.append(commit)
            self._last = self._size_bytes = 0

    def compact_some(self, connection: sqlite3.Connection) -> None:
        """Compact the oldest piece.

        Raises:
            sqlite3.Error: the transaction failed and had no effect.
            msgspec.MsgspecError, ValueError: a commit is damaged; nothing was done.
        """
        _compact(connection, self._ends[0] if self._ends else self._last)
        if self._ends:
            self._ends.popleft()
        else:
            self._last = self._size_bytes = 0


def _compact(connection: sqlite3.Connection, last: int) -> None:
    """Compact the commits up to `last` in one transaction."""
    last_ms, blob = _read(connection, last)
    rows = _rows(blob)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for first in range(0, len(rows), ROWS_AT_ONCE):
            _insert(connection, rows[first : first + ROWS_AT_ONCE])
        connection.execute("DELETE FROM commits WHERE id <= ?", (last,))
        connection.execute("UPDATE life SET alive_ms = max(alive_ms, ?)", (last_ms,))
        connection.execute("COMMIT")
    except sqlite3.Error:
        roll_back(connection)
        raise


def _read(connection: sqlite3.Connection, last: int) -> tuple[int, bytes]:
    """Return the time and the lines of the commits up to `last`.

    Raises:
        sqlite3.Error: they can't be read.
        msgspec.MsgspecError, ValueError: one of them is damaged.
    """
    blob, commits = connection.execute(_READ, (last,)).fetchone()
    times_ms, end = [], 0
    for commit in commits.split(","):
        number, at_ms, size, checksum = map(int, commit.split())
        lines = blob[end : end + size]
        check_blob(f"commit {number}", number, at_ms, lines, checksum)
        times_ms.append(at_ms)
        end += size
    return max(times_ms), blob


_Row = tuple[int, int, bytes, int, int]
"""A row of `entries`: room, first seq, lines, checksum; and the seq of the last line's entry."""


def _rows(blob: bytes) -> list[_Row]:
    """Return the rows with the lines of `blob`."""
    texts: defaultdict[int, list[bytes]] = defaultdict(list)
    for room, text in decode_commit(blob):
        texts[room].append(text)
    return [_row(room, its) for room, its in texts.items()]


def _row(room: int, texts: Sequence[bytes]) -> _Row:
    seq, lines = _seq(texts[0]), b"\n".join([*texts, b""])
    return room, seq, lines, checksum_of_blob(room, seq, lines), _seq(texts[-1])


class _Numbered(msgspec.Struct):
    seq: int


_decode_numbered = msgspec.json.Decoder(_Numbered).decode


def _seq(text: bytes) -> int:
    return _decode_numbered(text).seq


def _insert(connection: sqlite3.Connection, rows: Sequence[_Row]) -> None:
    statement = _INSERT.format(rows=",".join(["(?,?,?,?,?)"] * len(rows)))
    connection.execute(statement, [value for row in rows for value in row])


def insert_entries(connection: sqlite3.Connection, room: int, texts: Sequence[bytes]) -> None:
    """Insert the first entries of `room`, or those after its checkpoint, as if compacted."""
    _insert(connection, [_row(room, texts)])


def roll_back(connection: sqlite3.Connection) -> None:
    """End a failed transaction, if SQLite hasn't ended it already."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def check_commits(connection: sqlite3.Connection) -> None:
    """Check all commits.

    Raises:
        sqlite3.Error: they can't be read.
        ValueError: one of them is damaged.
    """
    for number, at_ms, lines, checksum in connection.execute("SELECT * FROM commits"):
        check_blob(f"commit {number}", number, at_ms, lines, checksum)


def compact_all(connection: sqlite3.Connection) -> None:
    """Compact the commits that a server left when it stopped or crashed.

    Raises:
        sqlite3.Error, msgspec.MsgspecError, ValueError: see `Backlog.compact_some`.
    """
    backlog = Backlog()
    for commit, size_bytes in connection.execute(
        "SELECT id, length(lines) FROM commits ORDER BY id"
    ).fetchall():
        backlog.add(commit, size_bytes)
    while backlog:
        backlog.compact_some(connection)


def entries_after(connection: sqlite3.Connection, room: int, seq: int) -> Iterator[Entry]:
    """Yield the compacted entries of `room` whose events are numbered above `seq`, in order.

    Raises:
        msgspec.MsgspecError, ValueError: an entry is damaged.
    """
    decode = msgspec.json.Decoder(Entry).decode
    rows = connection.execute(
        "SELECT seq, lines, checksum FROM entries WHERE room = :room AND seq >= coalesce("
        "(SELECT max(seq) FROM entries WHERE room = :room AND seq <= :seq), 0) ORDER BY seq",
        {"room": room, "seq": seq + 1},
    )
    for first_seq, lines, checksum in rows:
        check_blob(f"the events from {first_seq} on", room, first_seq, lines, checksum)
        for text in lines.splitlines():
            entry = decode(text)
            if entry.seq > seq:
                yield entry
