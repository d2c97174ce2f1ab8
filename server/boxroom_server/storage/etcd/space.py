"""The space that etcd has left for its data, looked at again and again."""

import logging
from functools import partial

from aetcd import rpc

from boxroom_server.clock import Clock
from boxroom_server.storage.etcd.client import EtcdClient, EtcdError, until_answered
from boxroom_server.storage.storage import SpaceState

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 30.0
"""Time between two looks."""

QUOTA_BYTES = 2 * 1024**3
"""Size of its database at which etcd stops, unless `--quota-backend-bytes` says more.

etcd doesn't tell its own quota, so a larger one isn't known here.
"""

ALARM_SHARE = 0.5
"""Part of the quota from which on nothing new begins."""

_LOOK_S = 5.0


class Space(SpaceState):
    """A look at the database of etcd, and at the space that is left for it."""

    def __init__(self, client: EtcdClient, quota_bytes: int = QUOTA_BYTES) -> None:
        self._client = client
        self._quota_bytes = quota_bytes

    async def watch(self, clock: Clock) -> None:
        """Look at the space until cancelled."""
        while True:
            await self._look()
            await clock.sleep(LOOK_EVERY_S)

    async def _look(self) -> None:
        call = partial(
            self._client.call,
            lambda channel: rpc.MaintenanceStub(channel).Status,
            rpc.StatusRequest(),
        )
        try:
            status = await until_answered(call, _LOOK_S)
        except EtcdError:
            return
        is_nearly_full = status.dbSizeInUse > ALARM_SHARE * self._quota_bytes
        if is_nearly_full != self.is_nearly_full:
            self.is_nearly_full = is_nearly_full
            used = f"{status.dbSizeInUse / 2**20:.0f} MiB of etcd's space are in use"
            logger.warning("%s: %s", used, "nothing new begins" if is_nearly_full else "go on")
