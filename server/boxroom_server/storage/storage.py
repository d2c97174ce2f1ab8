"""All that a server keeps, wherever that is."""

from collections.abc import Callable
from dataclasses import dataclass, field

from boxroom_server.storage.ledger import Ledger, MemoryLedger
from boxroom_server.storage.room_log import MemoryLog, RoomLog


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Storage:
    """Rooms' logs and the ledger beside them; unless told otherwise in memory."""

    rooms: RoomLog = field(default_factory=MemoryLog)
    ledger: Ledger = field(default_factory=MemoryLedger)
    trouble: Callable[[], str | None] = _nothing
    """Why nothing can be kept now, as a part of a sentence; None if all is well."""
    on_trouble: Callable[[Callable[[], None]], None] = lambda told: None
    """Have a function called whenever that changes."""
    down_ms: int = 0
    """How long nobody kept anything before this was opened."""
