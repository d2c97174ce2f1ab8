"""Filing what was committed by room, so that reading or deleting one room stays cheap.

Filing may be broken off at any point and done again: a row of `entries` begins where its
room's unfiled lines begin, so what is filed twice replaces itself.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from boxroom_engine.room.events import Entry

ROOMS_AT_ONCE = 64
"""Rooms that are filed in one commit: what people wait for doesn't wait long behind it."""

_FILE = """
    INSERT OR REPLACE INTO entries SELECT :room, :seq, :lines
    WHERE EXISTS (SELECT 1 FROM rooms WHERE id = :room)
"""


class Line(msgspec.Struct, frozen=True, gc=False):
    """An entry on its way to the disk."""

    room: int
    """The number of its log in the table of rooms."""
    seq: int
    text: bytes
    """JSON; it has no line breaks."""


def as_blob(lines: Iterable[Line]) -> bytes:
    """What a commit is written as; `lines_of` is the inverse."""
    return b"".join([b"%d %b\n" % (line.room, line.text) for line in lines])


def lines_of(blob: bytes) -> Iterator[tuple[int, bytes]]:
    """The rooms and texts in a commit, in order."""
    for line in blob.splitlines():
        room, _, text = line.partition(b" ")
        yield int(room), text


class Unfiled:
    """What was committed and isn't filed yet, by room.

    All that there is when filing begins is filed, some rooms at a time; what is committed
    meanwhile is for the next time, so that a busy room isn't filed line by line.
    """

    def __init__(self) -> None:
        self._next = _Pile()
        self._being_filed = _Pile()

    def __bool__(self) -> bool:
        return bool(self._being_filed or self._next)

    def add(self, commit: int, lines: Sequence[Line]) -> None:
        """There are `lines` more, of the commit with that number."""
        self._next.add(commit, lines)

    def file_some(self, connection: sqlite3.Connection, now_ms: int) -> bool:
        """File some rooms; whether that is all for this time. With the last, the commits go.

        Raises:
            sqlite3.Error: it can't be done now; nothing was.
        """
        if not self._being_filed:
            self._being_filed, self._next = self._next, _Pile()
        pile = self._being_filed
        rooms = list(pile.by_room)[:ROOMS_AT_ONCE]
        is_last = len(rooms) == len(pile.by_room)
        connection.execute("BEGIN IMMEDIATE")
        try:
            for room in rooms:
                connection.execute(_FILE, _row(room, pile.by_room[room]))
            if is_last:
                connection.execute("DELETE FROM commits WHERE id <= ?", (pile.last_commit,))
                connection.execute("UPDATE life SET alive_ms = max(alive_ms, ?)", (now_ms,))
            connection.execute("COMMIT")
        except sqlite3.Error:
            roll_back(connection)
            raise
        for room in rooms:
            del pile.by_room[room]
        if is_last:
            self._being_filed = _Pile()
        return is_last


class _Pile:
    """Lines of some commits, by room."""

    def __init__(self) -> None:
        self.by_room: dict[int, list[Line]] = {}
        self.last_commit = 0

    def __bool__(self) -> bool:
        return self.last_commit > 0

    def add(self, commit: int, lines: Sequence[Line]) -> None:
        for line in lines:
            self.by_room.setdefault(line.room, []).append(line)
        self.last_commit = commit


def _row(room: int, lines: Sequence[Line]) -> Mapping[str, object]:
    texts = b"".join([line.text + b"\n" for line in lines])
    return {"room": room, "seq": lines[0].seq, "lines": texts}


def roll_back(connection: sqlite3.Connection) -> None:
    """End a transaction that failed, if SQLite hasn't ended it already."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


class _Numbered(msgspec.Struct):
    seq: int


def file_everything(connection: sqlite3.Connection) -> None:
    """File what a server left unfiled when it stopped or crashed.

    Raises:
        msgspec.MsgspecError, ValueError: what stands there isn't what was written.
    """
    seq_of = msgspec.json.Decoder(_Numbered).decode
    unfiled = Unfiled()
    last_ms = 0
    commits = connection.execute("SELECT id, at_ms, lines FROM commits ORDER BY id").fetchall()
    for commit, at_ms, blob in commits:
        lines = [Line(room, seq_of(text).seq, text) for room, text in lines_of(blob)]
        unfiled.add(commit, lines)
        last_ms = max(last_ms, at_ms)
    while unfiled:
        unfiled.file_some(connection, last_ms)


def entries_after(connection: sqlite3.Connection, room: int, seq: int) -> Iterator[Entry]:
    """The filed entries of `room` whose events are numbered above `seq`, in order.

    Raises:
        msgspec.MsgspecError: what stands there isn't what was written.
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
