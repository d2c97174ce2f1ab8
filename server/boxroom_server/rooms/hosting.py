"""Making of hosts: what a room is hosted with, and what only the owner of a room does."""

from collections.abc import Sequence
from contextlib import suppress

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.accepted import AcceptedCommands
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.events import Entry, Joined, Returned
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Member, Room
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.computing import ComputingThread
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.rooms.activities.archive import Archive
from boxroom_server.rooms.activities.bot_turns import BotTurns
from boxroom_server.rooms.activities.coach import Coach
from boxroom_server.rooms.activities.expiry import Expiry
from boxroom_server.rooms.activities.gathering import Gathering
from boxroom_server.rooms.activities.hints import Hints
from boxroom_server.rooms.activities.status import StatusReports
from boxroom_server.rooms.activities.timers import Outages, Timers
from boxroom_server.rooms.host import Activity, RoomHost
from boxroom_server.rooms.names_in_rooms import NamesInRooms
from boxroom_server.rooms.open_rooms import Listing, OpenRooms
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.storage.room_log import CannotSave, RoomRecord
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks

UNNEEDED_S = 10.0
"""Time without a member after which a host ends whose room another server owns."""

LATE_S = 5.0
"""Time after which a server is known that was only just heard of by what a member did there.

What servers there are is received apart from what happens in a room, so either may be first.
"""


class HostedRoom:
    """The host of one room on this server, with its activities.

    In a cluster it is one of them, and ends the host when that isn't needed here any more.
    """

    def __init__(
        self,
        room_record: RoomRecord,
        room: Room,
        accepted: AcceptedCommands,
        recent_entries: Sequence[Entry],
        hosting: "Hosting",
    ) -> None:
        self._hosting = hosting
        self._log = room_record.log
        self.host = hosting.make_host(self._log, room, accepted, recent_entries)
        """The host."""
        self.hints = Hints(self.host, hosting.bots, hosting.limits)
        """Its hints."""
        self._duties: tuple[Activity, ...] = ()  # the activities of the owner
        self._tasks = Tasks()  # stops of former duties
        self._timer: Cancellable | None = None  # runs while the host seems not to be needed
        # Runs after the last member has come in at a server that isn't here.
        self._late_timer: Cancellable | None = None
        peers = hosting.peers
        self._listing = Listing(
            self.host, self._log, hosting.open_rooms, hosting.names_in_rooms, peers
        )
        self.host.activities = (self.hints, Coach(self.host, hosting.bots), self._listing)
        # Has members meet; None without other servers.
        self._gathering: Gathering | None = None
        if peers.node:
            self._gathering = Gathering(self.host, self._log, peers, hosting.clock)
            self.host.activities += (self, self._gathering)
        if hosting.peers.owns(self._log):
            self._take_duties()

    @property
    def is_owner(self) -> bool:
        """Whether this server does what only the owner of the room does."""
        return bool(self._duties)

    @property
    def waits_for_members(self) -> bool:
        """True if members of this server can go to the owner's."""
        return self._gathering is not None and self._gathering.waits_for_members

    async def wake(self, down_ms: int) -> None:
        """Continue a room that was read from its log, after `down_ms` without any server.

        Raises:
            CannotSave: nothing can be saved now, or the log was lost.
        """
        room, lost = self.host.room, self._lost_members()
        if self._duties and len(lost) == sum(it.connected for it in room.members.values()):
            with suppress(Asleep, CommandRefused):
                await self.host.perform(cmd.Wake(down_ms))
        else:
            self._drop(lost)
        if self.host.ended.done():  # it has given up
            raise CannotSave("its log was lost for a moment")
        for activity in self.host.activities:
            activity.start()

    # An activity

    def start(self) -> None:
        """Look soon whether the host is needed."""
        if self._timer is None and not self._is_needed:
            self._timer = self._hosting.clock.call_later(UNNEEDED_S, self._end_if_unneeded)

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Look soon whether the host is still needed, if members have come or gone."""
        if after.members is not before.members:
            self.start()
            if self._has_come_elsewhere(entry):
                if self._late_timer is not None:
                    self._late_timer.cancel()
                self._late_timer = self._hosting.clock.call_later(LATE_S, self.node_lost)

    async def stop(self) -> None:
        """Look no more."""
        for timer in (self._timer, self._late_timer):
            if timer is not None:
                timer.cancel()

    @property
    def _is_needed(self) -> bool:
        """Whether this server has to host the room, for its members or as its owner."""
        return bool(self._duties or self.host.connections or self.host.is_busy)

    def _end_if_unneeded(self) -> None:
        self._timer = None
        if not self._is_needed:
            self.host.give_up()

    def _has_come_elsewhere(self, entry: Entry) -> bool:
        """Return whether `entry` has members come in at a server that isn't here."""
        came = (event for event in entry.events if isinstance(event, Joined | Returned))
        return any(not self._hosting.peers.is_here(event.node) for event in came)

    # The owner

    def owner_changed(self) -> None:
        """Start or stop what only the owner of the room does."""
        is_owner = self._hosting.peers.owns(self._log)
        if is_owner and not self._duties:
            self._take_duties()
            for activity in self._duties:
                activity.start()
            self.node_lost()
        elif self._duties and not is_owner:
            duties, self._duties = self._duties, ()
            self.host.activities = tuple(
                each for each in self.host.activities if each not in duties
            )
            self._tasks.start(_stop(duties))
            self.start()
        if self._gathering is not None:
            self._gathering.start()
        self._listing.start()

    def node_lost(self) -> None:
        """Let the members of a server that is gone drop out, if the room is owned here."""
        if self._duties:
            self._drop(self._lost_members())

    def _take_duties(self) -> None:
        self._duties = self._hosting.duties(self.host, self._log)
        self.host.activities += self._duties

    def _lost_members(self) -> list[Member]:
        """Return the members who are connected to a server that is gone, or no longer to this one.

        Only the owner of the room looks for those of others.
        """
        peers, here = self._hosting.peers, self.host.connections.names
        return [
            member
            for member in self.host.room.members.values()
            if member.connected
            and member.name not in here
            and (member.node == peers.node or (self._duties and not peers.is_here(member.node)))
        ]

    def _drop(self, members: Sequence[Member]) -> None:
        for member in members:
            self.host.drop(member.name, member.node)


async def _stop(activities: Sequence[Activity]) -> None:
    for activity in activities:
        await activity.stop()


class Hosting:
    """The parts of a server that its rooms use."""

    def __init__(
        self,
        options: Options,
        storage: Storage,
        clock: Clock,
        bots: BotPool,
        *,
        metrics: Metrics,
    ) -> None:
        self.storage = storage
        """The logs of all rooms."""
        self.peers = storage.peers
        """The other servers."""
        self.bots = bots
        """The processes in which bots think."""
        self.limits: RoomLimits = options.room_limits()
        """The limits of each room."""
        self.open_rooms = OpenRooms(options.listed, clock)
        """The list that shows the rooms."""
        self.names_in_rooms = NamesInRooms()
        """The names that the rooms know."""
        self.clock = clock
        """The server's time."""
        self.computing_thread = ComputingThread()
        """For large boards, and for logs of rooms that are woken."""
        self.tasks = Tasks()
        """Work of rooms in the background, until the server stops."""
        self.is_stopping = False
        """True once the server is stopping, for good: no room is woken any more."""
        self._options = options
        self._metrics = metrics
        self._outages = Outages(storage, clock)
        self._started_ms = clock.now_ms()
        records = () if storage.down_ms is None else storage.room_log.room_records()
        self.left = {record.log for record in records}
        """Logs of the rooms that the last server left, and no other one has hosted since."""

    def down_ms(self, log: str) -> int:
        """Return how long no server has hosted a room that the last one left; 0 for another."""
        if log not in self.left or self.storage.down_ms is None:
            return 0
        return self.storage.down_ms + self.clock.now_ms() - self._started_ms

    def make_host(
        self, log: str, room: Room, accepted: AcceptedCommands, recent_entries: Sequence[Entry]
    ) -> RoomHost:
        """Return a host of `room`, whose log is called `log`, without activities."""
        return RoomHost(
            room,
            accepted,
            log,
            recent_entries,
            room_log=self.storage.room_log,
            limits=self.limits,
            clock=self.clock,
            moves=self._metrics.moves,
            node=self.peers.node,
        )

    def duties(self, host: RoomHost, log: str) -> tuple[Activity, ...]:
        """Return the activities of the room's owner."""
        clock = self.clock
        bot_turns = BotTurns(host, self.bots, clock, self._options.pace_s)
        duties: tuple[Activity, ...] = (
            Archive(host, log, self.storage.ledger, clock),
            bot_turns,
            Timers(host, bot_turns, clock, self.limits.stand_in, self._outages),
            Expiry(host, clock, self._options.empty_room_s),
        )
        if self.peers.node:
            duties += (StatusReports(host, log, self.peers, clock),)
        return duties
