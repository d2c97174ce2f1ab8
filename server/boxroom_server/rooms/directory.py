"""The directory of a server's rooms: make, find, list and close them."""

import logging
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from boxroom_common.look_alikes import mixed_scripts
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.room import Room, granted
from boxroom_engine.room.text import clean_name, fold, same_name
from boxroom_engine.wire.messages import CreateRoom, JoinRoom, RoomListed
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Clock
from boxroom_server.computing import ComputingThread
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.people.looks import Looks
from boxroom_server.people.passwords import Passwords
from boxroom_server.people.quotas import Quotas, bots_in, bots_wanted
from boxroom_server.rooms.activities.status import status_of
from boxroom_server.rooms.geometries import Geometries
from boxroom_server.rooms.host import RoomHost
from boxroom_server.rooms.hosting import Hosting
from boxroom_server.rooms.open_rooms import OpenRooms, list_entry
from boxroom_server.rooms.room_connections import Membership
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.rooms.waking import RoomClosed, RoomHandle, RoomWaker
from boxroom_server.storage.peers import RoomStatus
from boxroom_server.storage.room_log import CannotSave, Damaged, RoomRecord
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks
from boxroom_server.work_queue import WorkQueue

logger = logging.getLogger(__name__)

DISK_NEARLY_FULL = Refusal(
    "disk_nearly_full", "the server's disk is nearly full: games go on, but nothing new begins"
)

ROOMS_PER_TICK = 8
"""Rooms that let the members of a lost server drop out in one tick."""

_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"


def pronounceable_code(rng: random.Random) -> str:
    """Return a code for a room that is easy to say aloud and to type: `kiwa-tobe`."""
    syllables = [rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(4)]
    return f"{''.join(syllables[:2])}-{''.join(syllables[2:])}"


@dataclass(frozen=True, slots=True)
class JoinedRoom:
    """Result of a request that led into a room: its host, and the seq of the request."""

    host: RoomHost
    seq: int


class Directory:
    """All rooms of one server."""

    def __init__(
        self,
        options: Options,
        storage: Storage,
        clock: Clock,
        bots: BotPool,
        rng: random.Random,
        *,
        metrics: Metrics,
    ) -> None:
        self._options = options
        self._storage = storage
        self._peers = storage.peers
        self._clock = clock
        self._rng = rng
        self.open_rooms = OpenRooms(options.listed, clock)
        """The open rooms."""
        self._hosting = Hosting(
            options, storage, clock, bots, metrics=metrics, open_rooms=self.open_rooms
        )
        self.computing_thread = ComputingThread()
        """For large boards, and for logs of rooms that are woken."""
        self._waker = RoomWaker(
            storage,
            clock,
            self._hosting,
            self.computing_thread,
            room_closed=self._unregister,
            host_lost=self._show_status,
        )
        self.geometries = Geometries(options, self.computing_thread)
        """Answers to requests for the shapes of a board."""
        self._passwords = Passwords(options, clock)
        # Codes of no room that a client asked about: guesses, like wrong passwords.
        self._unknown_codes = KeyedRateLimiter(
            options.wrong_passwords_per_s, options.wrong_passwords, lambda: clock.now_ms() / 1000
        )
        self._quotas = Quotas(options)
        bots.client_of = self._quotas.client_of
        self._tasks = Tasks()
        # Rooms that may have members of a server that is gone.
        self._with_lost_members = WorkQueue(_drop_lost_members, ROOMS_PER_TICK)
        self._by_code: dict[str, RoomHandle] = {}  # by folded code, the oldest first
        self._looks = Looks()  # of their codes
        self._by_log: dict[str, RoomHandle] = {}
        # By creator and token of the request to create it.
        self._by_request: dict[tuple[str, str], RoomHandle] = {}
        for room_record in storage.room_log.room_records():
            self._register(RoomHandle(room_record, is_left=storage.down_ms is not None))
            self._quotas.add_room(room_record.code, room_record.creator)
        for log, status in storage.peers.statuses().items():
            self.status_changed(log, status)
        storage.peers.follow(self)

    def __len__(self) -> int:
        return len(self._by_code)

    @property
    def is_disk_nearly_full(self) -> bool:
        """Whether so little space is left that nothing may begin: see `begins_something`."""
        return self._storage.is_nearly_full()

    def wake_all(self) -> None:
        """Wake the rooms that are owned here in the background, one after the other.

        Then their bots and clocks go on. A member who comes in earlier wakes the room at once.
        """
        self._waker.wake_owned(list(self._by_code.values()))

    # Other servers

    def room_added(self, record: RoomRecord) -> None:
        """See `PeersFollower`."""
        if record.log not in self._by_log:
            self._register(RoomHandle(record))
            self._quotas.add_room(record.code, record.creator)

    def room_removed(self, log: str) -> None:
        """See `PeersFollower`."""
        handle = self._by_log.get(log)
        if handle is None:
            return
        if handle.host is not None:
            self._tasks.start(handle.host.end())
        else:
            self._unregister(handle)

    def owner_changed(self, log: str) -> None:
        """See `PeersFollower`."""
        handle = self._by_log.get(log)
        if handle is None:
            return
        if handle.hosted is not None:
            handle.hosted.owner_changed()
        elif self._peers.owns(log):
            self._waker.wake_owned([handle])
        else:
            handle.is_left = False

    def node_lost(self, node: str) -> None:
        """See `PeersFollower`."""
        for handle in self._by_log.values():
            self._with_lost_members.add(handle)

    def status_changed(self, log: str, status: RoomStatus | None) -> None:
        """See `PeersFollower`."""
        handle = self._by_log.get(log)
        if handle is not None:
            handle.status = status or RoomStatus()
            if handle.hosted is None:
                self._show_status(handle)

    def _show_status(self, handle: RoomHandle) -> None:
        """Show a room that another server hosts, as its owner reports it."""
        log, status = handle.room_record.log, handle.status
        self._waker.sleeping.discard(handle)
        self.open_rooms.update(log, handle.room_record.code, status.listed)
        self._hosting.names_in_rooms.update(log, status.names)

    def rooms(self) -> Iterator[Room]:
        """Yield every room that is awake, as it is now."""
        hosts = (handle.host for handle in self._by_code.values())
        return (host.room for host in hosts if host is not None)

    async def create(self, membership: Membership, request: CreateRoom) -> JoinedRoom | Refusal:
        """Make a room and let its creator in; a repeat with the same token makes no second one.

        Raises:
            Asleep: the server is stopping.
        """
        if request.settings.private != (request.password is not None):
            return Refusal("bad_option", "a private room has a password, and only a private one")
        password_hash: str | Refusal | None = None
        if request.password is not None:
            password_hash = await self._passwords.hash(request.password, membership.address)
        if isinstance(password_hash, Refusal):
            return password_hash
        # From here to `_make_room` there is no await, so a simultaneous repeat finds the room.
        if self._waker.is_stopping:
            raise Asleep
        earlier = self._by_request.get((membership.name, request.token))
        if earlier is not None:
            return await self._enter(
                earlier, membership, self._enter_command(membership, request.watch, True)
            )
        if self.is_disk_nearly_full:
            return DISK_NEARLY_FULL
        code = self._quotas.check_room(membership.name, membership.address) or self._code_for(
            request.room
        )
        if isinstance(code, Refusal):
            return code
        self._quotas.add_room(code, membership.name, membership.address)
        log = f"{self._rng.getrandbits(64):016x}"
        now_ms = self._clock.now_ms()
        handle = self._make_room(
            RoomRecord(log, code, membership.name, request.token, password_hash, now_ms)
        )
        settings = granted(request.settings)
        create = cmd.Create(log, membership.name, settings, request.watch, self._peers.node)
        outcome = None
        try:
            outcome = await self._enter(handle, membership, create)
            if isinstance(outcome, JoinedRoom):
                logger.info("room made", extra=fields(room=code, name=membership.name))
            return outcome
        finally:
            if not isinstance(outcome, JoinedRoom):
                await self._close(handle)

    async def join(self, membership: Membership, request: JoinRoom) -> JoinedRoom | Refusal:
        """Let a member into a room, with its password if one is needed.

        Raises:
            Asleep: the server is stopping.
        """
        handle = await self._find_called(request.room, membership.address)
        if isinstance(handle, Refusal):
            return handle
        password_given = await self._check_password(handle, membership, request.password)
        if isinstance(password_given, Refusal):
            return password_given
        after = None
        if request.after is not None and request.log is not None:
            after = (request.log, request.after)
        enter = self._enter_command(membership, request.watch, password_given)
        return await self._enter(handle, membership, enter, after)

    def _enter_command(self, membership: Membership, watch: bool, admitted: bool) -> cmd.Enter:
        return cmd.Enter(membership.name, watch, admitted, self._peers.node)

    async def look(self, code: str, address: str) -> RoomListed | Refusal:
        """Return what the list shows of a room, or would show of a private one.

        A client that has guessed too many codes still sees public rooms, whose codes are no secret.

        Raises:
            Asleep: the server is stopping.
        """
        handle = self._handle_called(code)
        if isinstance(handle, Refusal) or handle.room_record.password_hash is not None:
            client = counted_as(address)
            if not self._unknown_codes.take(client):
                text = "too many rooms that aren't here: try again in some minutes"
                return Refusal("too_fast", text)
            if isinstance(handle, Refusal):
                return handle
            self._unknown_codes.refund(client)
        host = await self._host_for_client(handle)
        return host if isinstance(host, Refusal) else list_entry(host.room)

    async def _find_called(self, code: str, address: str) -> RoomHandle | Refusal:
        """Return the room that a client calls `code`, even if another server made it just now.

        Those are looked for as often as a client may ask about rooms that aren't there.
        """
        handle, client = self._handle_called(code), counted_as(address)
        if not isinstance(handle, Refusal) or not self._peers.node:
            return handle
        record = None
        if self._unknown_codes.take(client):
            record = await self._peers.find_room(self._key_of(code))
        if record is None:
            return handle
        self._unknown_codes.refund(client)
        self.room_added(record)
        return self._handle_called(code)

    def _handle_called(self, code: str) -> RoomHandle | Refusal:
        """Return the room that a client calls `code`."""
        handle = self._by_code.get(self._key_of(code))
        return handle or _no_such_room(code)

    def _key_of(self, code: str) -> str:
        """Return the folded code of the room that a client calls `code`; "" if it can be none."""
        return fold(clean_name(code, self._options.name_chars, lambda name: True) or "")

    # Administration

    def statuses(self) -> list[tuple[RoomRecord, RoomStatus]]:
        """Return all rooms, the oldest first, with their statuses, also of other servers' rooms."""
        return [
            (handle.room_record, handle.status if host is None else status_of(host.room))
            for handle in self._by_code.values()
            for host in (handle.host,)
        ]

    async def find(self, code: str) -> tuple[RoomRecord, RoomHost] | None:
        """Return the room with that code, and wake it if need be; None if there is none.

        Raises:
            CannotSave, Damaged: it can't be woken.
            Asleep: the server is stopping.
        """
        handle = self._by_code.get(fold(code))
        if handle is None:
            return None
        try:
            return handle.room_record, await self._waker.awake_host(handle)
        except RoomClosed:
            return None

    async def close(self, code: str) -> str | None:
        """End a room, with members or damaged, and return its code; None if there is none.

        Raises:
            Asleep: the server is stopping.
        """
        handle = self._by_code.get(fold(code))
        if handle is None:
            return None
        with suppress(Damaged, CannotSave, RoomClosed):
            await self._waker.awake_host(handle)
        if self._by_code.get(fold(code)) is not handle:
            return None  # it was closed meanwhile
        host = handle.host
        await self._close(handle)
        if host is not None:
            host.connections.close_all("the server's operator has closed this room")
        return handle.room_record.code

    def expel(self, name: str) -> None:
        """Expel `name` from all rooms for good; sleeping rooms are woken for that."""
        for handle in list(self._by_code.values()):
            if handle.host is not None:
                handle.host.expel(name)
            elif handle in self._waker.sleeping or any(
                same_name(known, name) for known in handle.status.names
            ):
                self._tasks.start(self._expel_when_awake(handle, name))

    async def _expel_when_awake(self, handle: RoomHandle, name: str) -> None:
        # If that fails, no member can come in either.
        with suppress(Damaged, CannotSave, RoomClosed, Asleep):
            (await self._waker.awake_host(handle)).expel(name)

    def is_in_a_room(self, name: str) -> bool:
        """Return whether `name` is, or may be, a member or a player of a room.

        The members of a sleeping room are unknown, so it may be any name.
        """
        return bool(self._waker.sleeping) or name in self._hosting.names_in_rooms

    async def _check_password(
        self, handle: RoomHandle, membership: Membership, password: str | None
    ) -> bool | Refusal:
        """Return whether the room has no password, or this one; a refusal if there were too many.

        False without a check if no password is given, or if the room knows the name: `decide` lets
        known names in without one.
        """
        password_hash, host = handle.room_record.password_hash, handle.host
        if password_hash is None or password is None:
            return password_hash is None
        if host is not None and _is_known_in(membership.name, host.room):
            return False
        return await self._passwords.matches(
            password_hash, password, address=membership.address, room=fold(handle.room_record.code)
        )

    def refuses_bots(self, host: RoomHost, command: cmd.SeatBot | cmd.Fill) -> Refusal | None:
        """Return a refusal if the creator's rooms would have too many bots with `command`."""
        handles = (self._by_code[code] for code in self._quotas.rooms_of_creator(host.room.code))
        bots = sum(
            each.status.bots if each.host is None else bots_in(each.host.room) for each in handles
        )
        return self._quotas.check_bots(bots_wanted(command, host.room), bots)

    def refuses_hint(self, host: RoomHost, member: str) -> Refusal | None:
        """Return a refusal if a bot still thinks about the last hint for `member`."""
        handle = self._by_code.get(fold(host.room.code))
        hosted = None if handle is None else handle.hosted
        if hosted is None or not hosted.hints.is_pending_for(member):
            return None
        return Refusal("hint_coming", "a bot is thinking about a hint for you already")

    async def sleep(self) -> None:
        """Put all rooms to sleep, as the server is stopping; see `RoomWaker.sleep`."""
        await self._waker.sleep(self._by_code.values())
        await self._tasks.cancel()

    async def _enter(
        self,
        handle: RoomHandle,
        membership: Membership,
        command: cmd.Create | cmd.Enter,
        after: tuple[str, int] | None = None,
    ) -> JoinedRoom | Refusal:
        host = await self._host_for_client(handle)
        if isinstance(host, Refusal):
            return host
        try:
            outcome = await host.enter(membership, command, after)
        except Asleep:
            if self._waker.is_stopping:
                raise
            if isinstance(command, cmd.Create):
                return Refusal("cannot_save", "the server has lost the new room: make it again")
            return await self._enter(handle, membership, command, after)  # the host has given up
        return outcome if isinstance(outcome, Refusal) else JoinedRoom(host, outcome)

    async def _host_for_client(self, handle: RoomHandle) -> RoomHost | Refusal:
        """Return the host of a room, or the answer to a client if there is none.

        Raises:
            Asleep: the server is stopping.
        """
        try:
            return await self._waker.awake_host(handle)
        except CannotSave as error:
            return Refusal("cannot_save", f"that room can't be loaded now: {error}")
        except Damaged as error:
            return Refusal("room_damaged", f"that room can't be loaded: {error}")
        except RoomClosed:
            return _no_such_room(handle.room_record.code)

    def _code_for(self, wanted: str | None) -> str | Refusal:
        """Return a free code: the wanted one, or a pronounceable one."""
        if len(self._by_code) >= self._options.rooms:
            return Refusal(
                "too_many_rooms",
                f"this server takes {self._options.rooms} rooms at most",
            )
        if wanted is None:
            code = pronounceable_code(self._rng)
            while fold(code) in self._by_code:
                code = pronounceable_code(self._rng)
            return code
        max_chars = self._options.name_chars
        cleaned = clean_name(wanted, max_chars)
        if cleaned is None:
            return Refusal(
                "bad_name", f"a room's name has 1 to {max_chars} letters, digits, spaces or _ - . '"
            )
        if fold(cleaned) in self._by_code:
            return Refusal("room_exists", f"there is a room {cleaned} already: join it")
        if (mistake := mixed_scripts(cleaned)) is not None:
            return Refusal("bad_name", mistake)
        if (like := next(self._looks.like(cleaned), None)) is not None:
            another = self._looks.another_like(cleaned)
            text = f"{cleaned} looks like the room {like}: call it {another}, for example"
            return Refusal("looks_alike", text)
        return cleaned

    def _make_room(self, room_record: RoomRecord) -> RoomHandle:
        """Register a new room; its record is saved together with its first entry."""
        self._storage.room_log.create(room_record)
        handle = RoomHandle(room_record)
        self._waker.host_new(handle)
        self._register(handle)
        return handle

    def _register(self, handle: RoomHandle) -> None:
        self._by_code[fold(handle.room_record.code)] = handle
        self._looks.add(handle.room_record.code)
        self._by_log[handle.room_record.log] = handle
        if handle.host is None:
            self._waker.sleeping.add(handle)
        self._by_request[(handle.room_record.creator, handle.room_record.token)] = handle

    async def _close(self, handle: RoomHandle) -> None:
        if handle.host is not None:
            await handle.host.close()
        else:
            await self._storage.room_log.delete(handle.room_record.log)
            self._unregister(handle)

    def _unregister(self, handle: RoomHandle) -> None:
        """Free the code of a closed room, whose log has been deleted before; once is enough."""
        handle.end()
        self._waker.sleeping.discard(handle)
        code = fold(handle.room_record.code)
        request = (handle.room_record.creator, handle.room_record.token)
        if self._by_code.get(code) is handle:  # else another room has the code by now
            self._quotas.remove_room(handle.room_record.code)
            del self._by_code[code]
            self._looks.discard(handle.room_record.code)
            logger.info("room closed", extra=fields(room=handle.room_record.code))
        if self._by_request.get(request) is handle:
            del self._by_request[request]
        log = handle.room_record.log
        if self._by_log.pop(log, None) is not None:
            self.open_rooms.update(log, handle.room_record.code, None)
            self._hosting.names_in_rooms.update(log, ())


def _drop_lost_members(handle: RoomHandle) -> None:
    if handle.hosted is not None:
        handle.hosted.node_lost()


def _no_such_room(code: str) -> Refusal:
    return Refusal("no_such_room", f"there is no room {code!r} here")


def _is_known_in(name: str, room: Room) -> bool:
    return name in room.members or room.is_player(name)
