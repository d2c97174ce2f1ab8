"""The storage of a server: room logs, ledger and id, and whether saving works."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from boxroom_server.storage.ledger import Ledger
from boxroom_server.storage.offers import MemoryOffers, Offers
from boxroom_server.storage.peers import NoPeers, Peers
from boxroom_server.storage.room_log import RoomLog


class StorageError(Exception):
    """A storage that can't be used; the reason is a sentence for people."""


def _no_failure() -> None:
    return None


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Storage:
    """The room logs, the ledger and the id of one server."""

    room_log: RoomLog
    ledger: Ledger
    server_id: str = field(default_factory=lambda: secrets.token_hex(16))
    """Id of the server, by which clients know it under any address: 32 hexadecimal digits."""
    failure: Callable[[], str | None] = _no_failure
    """Returns why nothing can be saved now, as a part of a sentence; None if saving works."""
    on_failure_change: Callable[[Callable[[], None]], None] = lambda listener: None
    """Registers a listener that is called whenever `failure()` changes."""
    is_nearly_full: Callable[[], bool] = _never
    """Returns whether so little space is left that only games that are on may go on."""
    down_ms: int | None = 0
    """How long no server was running before this storage was opened, by the time of day.

    It is negative if the time of day was set back, and None if other servers are running.
    """
    peers: Peers = field(default_factory=NoPeers)
    """The other servers that use this storage."""
    offers: Offers = field(default_factory=MemoryOffers)
    """The offers of identities to other devices."""
