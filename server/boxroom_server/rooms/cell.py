"""The cell of a room: its state on this server, and the ways from one state to another.

    state            event                                                         next state
    none             a client makes the room                                       AWAKE
    none             the storage has the room, or another server has made it       ASLEEP
    ASLEEP           a caller needs its host, or this server owns it               WAKING
    WAKING           its log is folded, and its host goes on from there            AWAKE
    WAKING           its log is damaged, lost, or can't be read or appended to     ASLEEP
    AWAKE            only its host ends: its log is lost, or it is unneeded        ASLEEP
    AWAKE            its host has closed it, as it has expired or was told to      GONE
    any other        an operator or another server has deleted its log             GONE
    WAKING or AWAKE  the server stops                                              ASLEEP

Invariants:

- A room has a host here while it is AWAKE. While it is WAKING there may be one that no caller knows
  yet; every other one has ended, or is about to. So its log has one reader here, and one host.
- A room that is GONE stays so, and isn't in the directory; callers who waited for it are told.
- A room that this server owns is woken until it is AWAKE, unless it is damaged or the server stops.
  Then it has the activities of an owner, and no other room has them.
- Lists show a room that is AWAKE as its host has it, another one as its owner reports it. A room of
  which nothing is known may know any name, but a damaged one knows none.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial

from boxroom_engine.errors import BoxroomError
from boxroom_engine.phrases import phrase
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Room
from boxroom_engine.room.text import same_name
from boxroom_server.rooms.activities.status import status_of
from boxroom_server.rooms.host import RETRY_S, RoomHost
from boxroom_server.rooms.hosting import HostedRoom, Hosting
from boxroom_server.rooms.room_connections import Membership
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.storage.peers import RoomStatus
from boxroom_server.storage.room_log import CannotSave, Damaged, RoomRecord, fold_log

logger = logging.getLogger(__name__)


class NoSuchRoom(CommandRefused):
    """There is no room with the code `room`, perhaps because it was closed meanwhile."""

    def __init__(self, room: str) -> None:
        super().__init__("no_such_room", phrase("refusal.no_such_room", room=repr(room)))
        self.room = room


class State(Enum):
    """State of a room on one server."""

    ASLEEP = "asleep"
    """It has no host here, perhaps one on another server."""
    WAKING = "waking"
    """A task reads its log and makes a host, once for any number of callers."""
    AWAKE = "awake"
    """It has a host here."""
    GONE = "gone"
    """It is closed."""


class MeetsElsewhere(BoxroomError):
    """The members of a room are at another server, which the balancer calls `at`."""

    def __init__(self, at: str) -> None:
        super().__init__(at)
        self.at = at


@dataclass(frozen=True, slots=True)
class JoinedRoom:
    """Result of a request that led into a room: its host, and the seq of the request."""

    host: RoomHost
    seq: int


class RoomCell:
    """The room of `record` on this server; `evict` is called once, when the room is gone."""

    def __init__(
        self, record: RoomRecord, hosting: Hosting, evict: Callable[["RoomCell"], None]
    ) -> None:
        self.record = record
        self.state = State.ASLEEP
        """Its state, which only this class changes."""
        self.hosted: HostedRoom | None = None
        """Its host with all that belongs to it, while it is awake."""
        self._hosting = hosting
        self._evict = evict
        self._waking: asyncio.Task[RoomHost] | None = None  # while it is waking
        self._reported: RoomStatus | None = None  # by its owner; None until something is known
        self.status_changed(None)

    @property
    def host(self) -> RoomHost | None:
        """Its host, while it is awake."""
        return None if self.hosted is None else self.hosted.host

    @property
    def status(self) -> RoomStatus:
        """Its status: the host's, or else as its owner reports it."""
        if self.hosted is not None:
            return status_of(self.hosted.host.room)
        return self._reported or RoomStatus()

    # Awake

    def begin(self) -> None:
        """Host the room, which is new; its record is saved together with its first entry."""
        self._hosting.storage.room_log.create(self.record)
        self.status_changed(RoomStatus())  # it knows no name yet
        self._host_by(self._make_host(Room(self.record.code), AcceptedCommands(), ()))

    async def awake_host(self) -> RoomHost:
        """Return the host of the room; wake it if need be, once for any number of callers.

        Raises:
            Damaged: its log can't be read.
            CannotSave: its log can't be read or appended to now.
            NoSuchRoom: it is closed.
            Asleep: the server is stopping.
        """
        if self._hosting.is_stopping:
            raise Asleep
        if self.state is State.GONE:
            raise NoSuchRoom(self.record.code)
        if self.hosted is not None:
            return self.hosted.host
        if self._waking is None:
            self.state = State.WAKING
            self._waking = asyncio.create_task(self._wake())
        waking = self._waking
        try:
            return await asyncio.shield(waking)
        except asyncio.CancelledError:
            if waking.cancelled():  # by the end of the room or the server; or else this task was
                return await self.awake_host()  # raises the reason
            raise

    async def _wake(self) -> RoomHost:
        hosting = self._hosting
        try:
            stored = await hosting.storage.room_log.read(self.record.log)
            room, accepted = await hosting.computing_thread.run(fold_log, stored, self.record)
            hosted = self._make_host(room, accepted, stored.entries)
            await self._go_on(hosted)
            return hosted.host
        except Damaged as error:
            self._reported = self._reported or RoomStatus()  # or any name would stay taken
            logger.error("room %s stays as it is: %s", self.record.code, error)
            raise
        finally:
            if self.state is State.WAKING:
                self._fall_asleep()

    async def _go_on(self, hosted: HostedRoom) -> None:
        """Have `hosted` go on where the last host ended."""
        try:
            await hosted.wake(self._hosting.down_ms(self.record.log))
        except BaseException:
            await hosted.host.sleep()
            raise
        self._host_by(hosted)
        hosted.owner_changed()  # perhaps while it was waking

    def _make_host(
        self, room: Room, accepted: AcceptedCommands, recent_entries: Sequence[Entry]
    ) -> HostedRoom:
        hosted = HostedRoom(self.record, room, accepted, recent_entries, self._hosting)
        hosted.host.ended.add_done_callback(partial(self._host_ended, hosted))
        return hosted

    def _host_by(self, hosted: HostedRoom) -> None:
        self.state, self.hosted, self._waking = State.AWAKE, hosted, None
        self._hosting.left.discard(self.record.log)

    async def wake_if_owned(self) -> None:
        """Wake the room if this server owns it, and try again as long as it can't be read.

        Then its bots and clocks go on.
        """
        while self.hosted is None and self._hosting.peers.owns(self.record.log):
            try:
                await self.awake_host()
            except (Asleep, Damaged, NoSuchRoom):
                return
            except CannotSave:
                await self._hosting.clock.sleep(RETRY_S)

    # Asleep

    def _host_ended(self, hosted: HostedRoom, ended: "asyncio.Future[bool]") -> None:
        """Note that a host has ended by itself, and whether it has closed the room."""
        if ended.result():
            self.removed()
        elif self.hosted is hosted:
            self._fall_asleep()
            self._hosting.tasks.start(self.wake_if_owned())

    async def sleep(self) -> None:
        """End the host, or its making, as the server is stopping.

        If this is cancelled, appends that wait stay unanswered.
        """
        waking = self._waking
        try:
            if waking is not None:
                waking.cancel()
                # Its first append may take long, until this is cancelled.
                with suppress(asyncio.CancelledError, Damaged, CannotSave):
                    await waking
            elif self.hosted is not None:
                await self.hosted.host.sleep()
        finally:
            if self.state is not State.GONE:
                self._fall_asleep()

    def _fall_asleep(self) -> None:
        self.state, self.hosted, self._waking = State.ASLEEP, None, None
        self.status_changed(self._reported)

    # Gone

    async def close(self) -> None:
        """End the room, with members or damaged."""
        if (host := self.host) is not None:
            await host.close()
            host.connections.close_all("the server's operator has closed this room")
        elif self.state is not State.GONE:
            await self._hosting.storage.room_log.delete(self.record.log)
            self.removed()

    def removed(self) -> None:
        """Note that the log is deleted; a host that goes on ends before the room is gone."""
        if self.hosted is not None and not self.hosted.host.ended.done():
            self._hosting.tasks.start(self.hosted.host.end())
        elif self.state is not State.GONE:
            if self._waking is not None:
                self._waking.cancel()
            self.state, self.hosted, self._waking = State.GONE, None, None
            self._hosting.open_rooms.update(self.record.log, self.record.code, None)
            self._hosting.names_in_rooms.update(self.record.log, ())
            self._evict(self)

    # Other servers

    def owner_changed(self) -> None:
        """Start or stop what only the owner of the room does."""
        if self.hosted is not None:
            self.hosted.owner_changed()
        elif self._hosting.peers.owns(self.record.log):
            self._hosting.tasks.start(self.wake_if_owned())
        else:
            self._hosting.left.discard(self.record.log)

    def status_changed(self, status: RoomStatus | None) -> None:
        """Take in what the owner of the room tells of it; None if that is unknown."""
        self._reported = status
        if self.hosted is None:
            log, listed = self.record.log, None if status is None else status.listed
            self._hosting.open_rooms.update(log, self.record.code, listed)
            self._hosting.names_in_rooms.update(log, None if status is None else status.names)

    @property
    def meets_at(self) -> str:
        """Name of another server that owns the room and has members of it; "" if there is none."""
        log, peers = self.record.log, self._hosting.peers
        if peers.owns(log) or not self._has_members_at(peers.owner(log)):
            return ""
        name = peers.owner_name(log)
        return "" if name == peers.name else name

    def _has_members_at(self, owner: str) -> bool:
        """Return whether members are connected to `owner`, or, if it is asleep, to any server.

        A room of which its owner has told nothing yet is new, so its creator is there.
        """
        if self.host is None:
            return bool(owner) and (self._reported is None or bool(self._reported.connected))
        members = self.host.room.members.values()
        return any(member.connected and member.node == owner for member in members)

    # Members

    async def host_for_client(self) -> RoomHost:
        """Return the host of the room.

        Raises:
            CommandRefused: it can't be loaded, or there is none.
            Asleep: the server is stopping.
        """
        try:
            return await self.awake_host()
        except CannotSave as error:
            raise refusal("cannot_save.loading", error=str(error)) from None
        except Damaged as error:
            raise refusal("room_damaged", error=str(error)) from None

    async def enter(
        self,
        membership: Membership,
        command: cmd.Create | cmd.Enter,
        after: tuple[str, int] | None = None,
    ) -> JoinedRoom:
        """Let a member in: see `RoomHost.enter`.

        Raises:
            CommandRefused: the room can't be loaded, or refuses the member.
            Asleep: the server is stopping.
        """
        host = await self.host_for_client()
        try:
            return JoinedRoom(host, await host.enter(membership, command, after))
        except Asleep:
            if self._hosting.is_stopping:
                raise
            if isinstance(command, cmd.Create):
                raise refusal("cannot_save.lost") from None
            return await self.enter(membership, command, after)  # the host has given up

    def expel(self, name: str) -> None:
        """Expel `name` for good; the room is woken for that if it may know the name."""
        known = self._reported
        if self.hosted is not None:
            self.hosted.host.expel(name)
        elif known is None or any(same_name(each, name) for each in known.names):
            self._hosting.tasks.start(self._expel_when_awake(name))

    async def _expel_when_awake(self, name: str) -> None:
        # If that fails, no member can come in either.
        with suppress(Damaged, CannotSave, NoSuchRoom, Asleep):
            (await self.awake_host()).expel(name)
