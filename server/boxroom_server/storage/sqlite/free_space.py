"""The last free space of a disk, which is kept for games that are on."""

import asyncio
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from boxroom_server.clock import Clock
from boxroom_server.storage.storage import SpaceState

logger = logging.getLogger(__name__)

RESERVED_SHARE = 0.05
"""Part of the disk that is kept for games that are on, if that isn't more than the following."""

MOST_RESERVED_BYTES = 1 << 30

CHECK_EVERY_S = 5.0


class DiskUsage(NamedTuple):
    """The size of a disk in bytes, as `shutil.disk_usage` returns it."""

    total: int
    used: int
    free: int


ReadUsage = Callable[[Path], DiskUsage]


def read_usage(folder: Path) -> DiskUsage:
    """Return the usage of the disk that `folder` is on.

    Raises:
        OSError: it can't be read.
    """
    return DiskUsage(*shutil.disk_usage(folder))


class FreeSpace(SpaceState):
    """The free space of the disk that `folder` is on, read every few seconds."""

    def __init__(self, folder: Path, clock: Clock, read: ReadUsage = read_usage) -> None:
        self._folder = folder
        self._clock = clock
        self._read = read

    async def watch(self) -> None:
        """Read it again and again until cancelled."""
        while True:
            # It is read in a thread, as a disk on the network may not answer.
            is_nearly_full = await asyncio.to_thread(self._is_nearly_full_now)
            if is_nearly_full is not self.is_nearly_full:
                self.is_nearly_full = is_nearly_full
                if is_nearly_full:
                    logger.warning("the disk is nearly full: only games that are on go on")
                else:
                    logger.info("the disk has space again")
            await self._clock.sleep(CHECK_EVERY_S)

    def _is_nearly_full_now(self) -> bool:
        try:
            usage = self._read(self._folder)
        except OSError:
            return self.is_nearly_full
        return usage.free < min(RESERVED_SHARE * usage.total, MOST_RESERVED_BYTES)
