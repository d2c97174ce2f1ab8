"""Waking of rooms: reads the log of a room and hosts it, once for any number of callers.

A room that a server knows is in one of four states on that server:

    state    meaning                                       next state
    asleep   no host here, perhaps one on another server   waking, once it is needed here
    waking   its log is read, and a host made              awake; asleep, if that fails
    awake    it has a host here                            asleep, if only the host ends
    gone     it is closed, from any other state            none

A new room begins awake. A damaged one can't be woken: it is asleep until it is closed.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_server.clock import Clock
from boxroom_server.computing import ComputingThread
from boxroom_server.rooms.host import RETRY_S, RoomHost
from boxroom_server.rooms.hosting import HostedRoom, Hosting
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.storage.peers import RoomStatus
from boxroom_server.storage.room_log import CannotSave, Damaged, RoomRecord, fold_log
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

STOP_S = 5.0
"""Longest wait of a stopping server for pending appends."""


class RoomClosed(Exception):
    """The room was closed, perhaps by another server, before it was awake here."""


class RoomHandle:
    """A room that a server knows: its record, and its host once it is awake here."""

    def __init__(self, room_record: RoomRecord, *, is_left: bool = False) -> None:
        self.room_record = room_record
        self.hosted: HostedRoom | None = None
        """Its host with all that belongs to it; None while it sleeps here."""
        self.waking: asyncio.Task[RoomHost] | None = None
        """Task that is waking the room; None if there is none."""
        self.is_gone = False
        """True once the room is closed."""
        self.is_left = is_left
        """True from a start until a server hosts the room again that the last one left."""
        self.status = RoomStatus()
        """The status that its owner reports; only of use while it sleeps here."""

    @property
    def host(self) -> RoomHost | None:
        """Its host; None while it sleeps here."""
        return None if self.hosted is None else self.hosted.host

    def end(self) -> None:
        """Note that the room is closed, and wake it no longer."""
        self.is_gone = True
        if self.waking is not None:
            self.waking.cancel()


class RoomWaker:
    """Wakes the rooms of a server until the server stops.

    Of the hosts that end by themselves, `room_closed` is called with a room that is closed, and
    `host_lost` with one that goes on; it is woken again if it is owned here.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        hosting: Hosting,
        computing_thread: ComputingThread,
        *,
        room_closed: Callable[[RoomHandle], None],
        host_lost: Callable[[RoomHandle], None],
    ) -> None:
        self.is_stopping = False
        """True once the server is stopping: `sleep` sets it for good."""
        self.sleeping: set[RoomHandle] = set()
        """Rooms that no server is known to host, and that aren't known to be damaged."""
        self._storage = storage
        self._peers = storage.peers
        self._clock = clock
        self._hosting = hosting
        self._computing_thread = computing_thread
        self._room_closed = room_closed
        self._host_lost = host_lost
        self._tasks = Tasks()
        self._started_ms = clock.now_ms()

    def wake_owned(self, handles: Sequence[RoomHandle]) -> None:
        """Wake those rooms that are owned here in the background, one after the other."""
        self._tasks.start(self._wake_owned(handles))

    async def _wake_owned(self, handles: Sequence[RoomHandle]) -> None:
        for handle in handles:
            while handle.host is None and self._peers.owns(handle.room_record.log):
                try:
                    await self.awake_host(handle)
                except Asleep:
                    return
                except (Damaged, RoomClosed):
                    break
                except CannotSave:
                    await self._clock.sleep(RETRY_S)

    async def awake_host(self, handle: RoomHandle) -> RoomHost:
        """Return the host of a room; wake it if need be, once for any number of callers.

        Raises:
            Damaged: its log can't be read.
            CannotSave: its log can't be read or appended to now.
            RoomClosed: the room is closed.
            Asleep: the server is stopping.
        """
        if self.is_stopping:
            raise Asleep
        if handle.is_gone:
            raise RoomClosed
        if handle.host is not None:
            return handle.host
        if handle.waking is None:
            handle.waking = asyncio.create_task(self._wake(handle))
            handle.waking.add_done_callback(lambda _: setattr(handle, "waking", None))
        waking = handle.waking
        try:
            return await asyncio.shield(waking)
        except asyncio.CancelledError:
            if waking.cancelled():  # by `sleep` or `RoomHandle.end`; or else this task was
                return await self.awake_host(handle)  # raises the reason
            raise

    async def _wake(self, handle: RoomHandle) -> RoomHost:
        room_record = handle.room_record
        try:
            stored = await self._storage.room_log.read(room_record.log)
            room, accepted = await self._computing_thread.run(fold_log, stored, room_record)
        except Damaged as error:
            self.sleeping.discard(handle)
            logger.error("room %s stays as it is: %s", room_record.code, error)
            raise
        hosted = self._host(handle, room, accepted, stored.entries)
        try:
            await hosted.wake(self._down_ms(handle))
        except BaseException:
            await hosted.host.sleep()
            raise
        handle.hosted = hosted
        handle.is_left = False
        self.sleeping.discard(handle)
        return hosted.host

    def _down_ms(self, handle: RoomHandle) -> int:
        """Return how long no server has hosted a room that was left by the last one."""
        if not handle.is_left or self._storage.down_ms is None:
            return 0
        return self._storage.down_ms + self._clock.now_ms() - self._started_ms

    def host_new(self, handle: RoomHandle) -> None:
        """Host a room whose log is new."""
        room = Room(handle.room_record.code)
        handle.hosted = self._host(handle, room, AcceptedCommands(), ())

    def _host(
        self,
        handle: RoomHandle,
        room: Room,
        accepted: AcceptedCommands,
        recent_entries: Sequence[Entry],
    ) -> HostedRoom:
        hosted = HostedRoom(handle.room_record, room, accepted, recent_entries, self._hosting)
        hosted.host.ended.add_done_callback(
            lambda ended: self._host_ended(handle, hosted, is_closed=ended.result())
        )
        return hosted

    def _host_ended(self, handle: RoomHandle, hosted: HostedRoom, *, is_closed: bool) -> None:
        if is_closed:
            self._room_closed(handle)
        elif handle.hosted is hosted:
            handle.hosted = None
            self._host_lost(handle)
            self.wake_owned([handle])

    async def sleep(self, handles: Collection[RoomHandle]) -> None:
        """Put all rooms to sleep, as the server is stopping.

        Appends that don't finish in time, such as on a disk that fails, stay unanswered.
        """
        self.is_stopping = True
        await self._tasks.cancel()
        endings = [
            *(_end_waking(handle.waking) for handle in handles if handle.waking is not None),
            *(handle.host.sleep() for handle in handles if handle.host is not None),
        ]
        try:
            await asyncio.wait_for(asyncio.gather(*endings), STOP_S)
        except TimeoutError:
            logger.error("rooms end with commands that may be saved or not")


async def _end_waking(waking: asyncio.Task[RoomHost]) -> None:
    """End a task that wakes a room; its first append may take long, until this is cancelled."""
    waking.cancel()
    with suppress(asyncio.CancelledError, Damaged, CannotSave):
        await waking
