"""Room logs in memory: nothing can be read again.

`tests/server/storage/test_room_log.py` tests what all implementations have in common.
"""

import pytest

from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import Damaged

ONE_LOOP = True


async def test_what_was_in_memory_can_not_be_read_again() -> None:
    with pytest.raises(Damaged, match="is gone"):
        await MemoryLog().read("attic")
