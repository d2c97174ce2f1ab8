"""Checksums of rows, and the check of all rows that a server reads when it starts.

Each row is written with a CRC-32 of its other values, so that a changed bit in the database is
found when the row is read. `games.kept_since_ms`, which a start may move, isn't among them.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any
from zlib import crc32

import msgspec

from boxroom_server.storage.room_log import RoomRecord

Value = str | int | bytes

_PIECE_BYTES = 4096
"""Bytes at once: for more than 5 KiB zlib gives away Python's lock, and has to wait for it."""


def checksum_of_blob(first: int, second: int, blob: bytes) -> int:
    """Return the checksum of a row of two numbers and a blob, in that order."""
    checksum = crc32(b"%d %d " % (first, second))
    for at in range(0, len(blob), _PIECE_BYTES):
        checksum = crc32(blob[at : at + _PIECE_BYTES], checksum)
    return checksum


def checksum_of(values: Iterable[Value]) -> int:
    """Return the checksum of a row of any values, in the order in which they are read."""
    texts = [value.hex() if isinstance(value, bytes) else str(value) for value in values]
    return crc32("\0".join(texts).encode())


def with_checksum(*values: Value) -> tuple[Value, ...]:
    """Return the values of a row, and behind them its checksum."""
    return (*values, checksum_of(values))


def game_values(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return those values of the row of a game of which it has a checksum.

    The last one, its link, is among them if it has one: a row from before there were links has not.
    """
    return values if values[-1] else values[:-1]


def game_with_checksum(*values: Value) -> tuple[Value, ...]:
    """Return the values of the row of a game, and behind them its checksum."""
    return (*values, checksum_of(game_values(values)))


def check_blob(name: str, first: int, second: int, blob: bytes, checksum: int) -> None:
    """Check a row of two numbers and a blob.

    Raises:
        ValueError: a value has another type, or the checksum is wrong; the sentence calls the row
            `name`.
    """
    try:
        actual = checksum_of_blob(first, second, blob)
    except TypeError:
        raise ValueError(f"{name} isn't two numbers and a blob") from None
    if checksum != actual:
        raise ValueError(f"the checksum of {name} is wrong")


def check_values(name: str, values: Sequence[Any], checksum: int) -> None:
    """Check a row of any values; see `check_blob`."""
    if checksum != checksum_of(values):
        raise ValueError(f"the checksum of {name} is wrong")


def check_rows(connection: sqlite3.Connection) -> None:
    """Check all rows that a server reads when it starts.

    Raises:
        sqlite3.Error: they can't be read.
        msgspec.MsgspecError, ValueError: one of them is damaged.
    """
    for number, log, room_record, checksum in connection.execute("SELECT * FROM rooms"):
        check_values(f"room {number}", (number, log, room_record), checksum)
        msgspec.json.decode(room_record, type=RoomRecord)
    for key, *values, checksum in connection.execute("SELECT * FROM names"):
        check_values(f"the name {key}", (key, *values), checksum)
    for kind, who, *values, checksum in connection.execute("SELECT * FROM bans"):
        check_values(f"the ban of {who}", (kind, who, *values), checksum)


def check_server_id(connection: sqlite3.Connection) -> None:
    """Check the one row with the server's id; see `check_rows`."""
    ids = connection.execute("SELECT server_id, checksum FROM identity").fetchall()
    if len(ids) != 1:
        raise ValueError(f"it has {len(ids)} server ids")
    ((server_id, checksum),) = ids
    check_values("the server's id", (server_id,), checksum)
