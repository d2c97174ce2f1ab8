"""Making a storage in memory."""

from boxroom_server.storage.memory.ledger import MemoryLedger
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import RoomLog
from boxroom_server.storage.storage import Storage


def memory_storage(room_log: RoomLog | None = None) -> Storage:
    """Return a storage that ends with the process; tests bring room logs of their own."""
    return Storage(MemoryLog() if room_log is None else room_log, MemoryLedger())
