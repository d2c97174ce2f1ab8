"""The storage of a server: room logs, ledger and id, and whether saving works."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from boxroom_engine.errors import BoxroomError
from boxroom_server.storage.ledger import Ledger
from boxroom_server.storage.offers import MemoryOffers, Offers
from boxroom_server.storage.peers import NoPeers, Peers
from boxroom_server.storage.room_log import RoomLog


class StorageError(BoxroomError):
    """A storage that can't be used; the reason is a sentence for people."""


class SavingState:
    """The state of saving in a storage."""

    def __init__(self) -> None:
        self.failure: str | None = None
        """Why nothing can be saved now, as a part of a sentence; None if saving works."""
        self.on_failure_change: list[Callable[[], None]] = []
        """Called when `failure` has changed."""


class SpaceState:
    """The state of the space that is left for a storage."""

    is_nearly_full = False
    """Whether so little space is left that only games that are on may go on."""


@dataclass(frozen=True, slots=True)
class Storage:
    """The room logs, the ledger and the id of one server."""

    room_log: RoomLog
    ledger: Ledger
    server_id: str = field(default_factory=partial(secrets.token_hex, 16))
    """Id of the server, by which clients know it under any address: 32 hexadecimal digits."""
    saving: SavingState = field(default_factory=SavingState)
    """The state of saving; in memory it always works."""
    space: SpaceState = field(default_factory=SpaceState)
    """The state of the space that is left."""
    down_ms: int | None = 0
    """How long no server was running before this storage was opened, by the time of day.

    It is negative if the time of day was set back, and None if other servers are running.
    """
    peers: Peers = field(default_factory=NoPeers)
    """The other servers that use this storage."""
    offers: Offers = field(default_factory=MemoryOffers)
    """The offers of identities to other devices."""
