"""The contents of a store, in a form of no store in particular, to copy them into another."""

from collections.abc import AsyncGenerator

from msgspec import Struct

from boxroom_engine.room.events import Entry
from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import Events
from boxroom_server.storage.ledger import BanRecord, FinishedGame, NameRecord
from boxroom_server.storage.room_log import RoomRecord, StoredLog, entry_as_json


class Identity(Struct, frozen=True):
    """The server that a store belongs to, and its last sign of life."""

    server_id: str
    alive_ms: int
    """Time at which a server was last here; 0 if none ever was."""


class StoredRoom(Struct, frozen=True):
    """A room with its log."""

    record: RoomRecord
    log: StoredLog


class KeptGame(Struct, frozen=True):
    """A finished game, and the time from which its age is counted.

    A deleted game without a record is kept until its room ends, which would save it again.
    """

    game: FinishedGame
    kept_since_ms: int


Item = Identity | StoredRoom | NameRecord | BanRecord | KeptGame
"""A piece of the contents."""

Contents = AsyncGenerator[Item, None]
"""All that a store holds: its identity first, rooms one at a time, games in order of their age."""


def encode_entry(entry: Entry) -> bytes:
    """Return `entry` as a server that appends it saves it, in JSON."""
    return entry_as_json(entry, encode(Events(entry.seq, entry.at_ms, entry.events)))
