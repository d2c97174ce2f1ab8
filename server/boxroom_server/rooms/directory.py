"""The directory of a server's rooms: make, find and list them."""

import asyncio
import logging
import random
from collections.abc import Iterator

from boxroom_common.look_alikes import mixed_scripts
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.room import Room, granted
from boxroom_engine.room.text import clean_name, fold
from boxroom_engine.wire.messages import CreateRoom, JoinRoom, RoomListed
from boxroom_engine.wire.recognition import pseudonym_of
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Clock
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.people.looks import Looks
from boxroom_server.people.passwords import Passwords
from boxroom_server.people.quotas import BotCommand, Quotas, bots_wanted
from boxroom_server.rooms.activities.hints import Hints
from boxroom_server.rooms.cell import JoinedRoom, MeetsElsewhere, NoSuchRoom, RoomCell
from boxroom_server.rooms.geometries import Geometries
from boxroom_server.rooms.host import RoomHost
from boxroom_server.rooms.hosting import Hosting
from boxroom_server.rooms.open_rooms import list_entry
from boxroom_server.rooms.room_connections import Membership
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.storage.peers import RoomStatus
from boxroom_server.storage.room_log import RoomRecord
from boxroom_server.storage.storage import Storage
from boxroom_server.work_queue import WorkQueue

logger = logging.getLogger(__name__)

STOP_S = 5.0
"""Longest wait of a stopping server for pending appends."""

LOOKS, LOOK_S = 60, 0.1
"""Number and distance of the looks of a stopping server whether its members have gone.

All of them have been asked to go to other servers after half of that time.
"""

ROOMS_PER_TICK = 8
"""Rooms that let the members of a lost server drop out in one tick."""

_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"


def pronounceable_code(rng: random.Random) -> str:
    """Return a code for a room that is easy to say aloud and to type: `kiwa-tobe`."""
    syllables = [rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(4)]
    return f"{''.join(syllables[:2])}-{''.join(syllables[2:])}"


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
        self._hosting = Hosting(options, storage, clock, bots, metrics=metrics)
        self.open_rooms = self._hosting.open_rooms
        """The open rooms."""
        self.computing_thread = self._hosting.computing_thread
        """For large boards, and for logs of rooms that are woken."""
        self.geometries = Geometries(options, self.computing_thread)
        """Answers to requests for the shapes of a board."""
        self._passwords = Passwords(options, clock)
        # Codes of no room that a client asked about: guesses, like wrong passwords.
        self._unknown_codes = KeyedRateLimiter(
            options.wrong_passwords_per_s, options.wrong_passwords, lambda: clock.now_ms() / 1000
        )
        self._quotas = Quotas(options)
        bots.client_of = self._quotas.client_of
        # Rooms that may have members of a server that is gone.
        self._with_lost_members = WorkQueue(_drop_lost_members, ROOMS_PER_TICK)
        self._by_code: dict[str, RoomCell] = {}  # by folded code, the oldest first
        self._looks = Looks()  # of their codes
        self._by_log: dict[str, RoomCell] = {}
        # By creator and token of the request to create it.
        self._by_request: dict[tuple[str, str], RoomCell] = {}
        for record in storage.room_log.room_records():
            self._register(record)
        for log, status in storage.peers.statuses().items():
            self.status_changed(log, status)
        storage.peers.follow(self)

    def __len__(self) -> int:
        return len(self._by_code)

    def __iter__(self) -> Iterator[RoomCell]:
        return iter(self._by_code.values())

    def wake_all(self) -> None:
        """Wake the rooms that are owned here in the background, one after the other.

        Then their bots and clocks go on. A member who comes in earlier wakes the room at once.
        """
        self._hosting.tasks.start(self._wake_all())

    async def _wake_all(self) -> None:
        for cell in list(self._by_code.values()):
            await cell.wake_if_owned()

    # Other servers

    def room_added(self, record: RoomRecord) -> None:
        if record.log not in self._by_log:
            self._register(record)

    def room_removed(self, log: str) -> None:
        if (cell := self._by_log.get(log)) is not None:
            cell.removed()

    def owner_changed(self, log: str) -> None:
        if (cell := self._by_log.get(log)) is not None:
            cell.owner_changed()

    def node_lost(self, node: str) -> None:
        for cell in self._by_log.values():
            self._with_lost_members.add(cell)

    def status_changed(self, log: str, status: RoomStatus | None) -> None:
        if (cell := self._by_log.get(log)) is not None:
            cell.status_changed(status)

    async def create(self, membership: Membership, request: CreateRoom) -> JoinedRoom:
        """Make a room and let its creator in; a repeat with the same token makes no second one.

        Raises:
            CommandRefused: it isn't made.
            Asleep: the server is stopping.
        """
        if request.settings.private != (request.password is not None):
            raise refusal("bad_option.password")
        password_hash = None
        if request.password is not None:
            password_hash = await self._passwords.hash(request.password, membership.address)
        # From here to `_register` there is no await, so a simultaneous repeat finds the room.
        if self._hosting.is_stopping:
            raise Asleep
        earlier = self._by_request.get((membership.name, request.token))
        if earlier is not None:
            return await earlier.enter(
                membership, self._enter_command(earlier, membership, request.watch, True)
            )
        self.check_space()
        self._quotas.check_room(membership.name, membership.address)
        code = self._code_for(request.room)
        log = f"{self._rng.getrandbits(64):016x}"
        now_ms = self._clock.now_ms()
        record = RoomRecord(log, code, membership.name, request.token, password_hash, now_ms)
        cell = self._register(record, membership.address)
        cell.begin()
        settings = granted(request.settings)
        person = pseudonym_of(membership.verifier, log)
        create = cmd.Create(log, membership.name, settings, request.watch, self._peers.node, person)
        try:
            joined = await cell.enter(membership, create)
        except BaseException:
            await cell.close()
            raise
        logger.info("room made", extra=fields(room=code, name=membership.name))
        return joined

    async def join(
        self,
        membership: Membership,
        request: JoinRoom,
        former_name: str | None = None,
        *,
        can_go: bool = False,
    ) -> JoinedRoom:
        """Let a member into a room, with its password if one is needed.

        `former_name` belongs to the same person, whose membership under that name it goes on with.
        `can_go` says whether its client would go to another server.

        Raises:
            CommandRefused: the member may not come in.
            MeetsElsewhere: the others are at another server, and the member's client can go there.
            Asleep: the server is stopping.
        """
        cell = await self._find_called(request.room, membership.address)
        if can_go and (at := cell.meets_at):
            raise MeetsElsewhere(at)
        password_given = await self._check_password(cell, membership, request.password)
        after = None
        if request.after is not None and request.log is not None:
            after = (request.log, request.after)
        enter = self._enter_command(cell, membership, request.watch, password_given, former_name)
        return await cell.enter(membership, enter, after)

    def _enter_command(
        self,
        cell: RoomCell,
        membership: Membership,
        watch: bool,
        admitted: bool,
        former_name: str | None = None,
    ) -> cmd.Enter:
        name, person = membership.name, pseudonym_of(membership.verifier, cell.record.log)
        node, link = self._peers.node, membership.link
        return cmd.Enter(name, watch, admitted, node, person, former_name, link)

    async def look(self, code: str, address: str) -> tuple[RoomListed, Room]:
        """Return what the list shows of a room, or would show of a private one, and the room.

        A client that has guessed too many codes still sees public rooms, whose codes are no secret.

        Raises:
            CommandRefused: it isn't here, can't be loaded, or the client has guessed too often.
            Asleep: the server is stopping.
        """
        cell = self._cell_called(code)
        if cell is None or cell.record.password_hash is not None:
            client = counted_as(address)
            if not self._unknown_codes.take(client):
                raise refusal("too_fast.rooms")
            if cell is None:
                raise NoSuchRoom(code)
            self._unknown_codes.refund(client)
        room = (await cell.host_for_client()).room
        return list_entry(room, self._peers.owner_name(cell.record.log)), room

    async def _find_called(self, code: str, address: str) -> RoomCell:
        """Return the room that a client calls `code`, even if another server made it just now.

        Those are looked for as often as a client may ask about rooms that aren't there.

        Raises:
            NoSuchRoom: there is none.
        """
        cell, client = self._cell_called(code), counted_as(address)
        if cell is None and self._peers.node and self._unknown_codes.take(client):
            record = await self._peers.find_room(self.key_of(code))
            if record is not None:
                self._unknown_codes.refund(client)
                self.room_added(record)
                cell = self._cell_called(code)
        if cell is None:
            raise NoSuchRoom(code)
        return cell

    def _cell_called(self, code: str) -> RoomCell | None:
        """Return the room that a client calls `code`; None if it isn't here."""
        return self._by_code.get(self.key_of(code))

    def key_of(self, code: str) -> str:
        """Return the folded code of the room that a client calls `code`; "" if it can be none."""
        return fold(clean_name(code, self._options.name_chars, lambda name: True) or "")

    # Administration

    def find(self, code: str) -> RoomCell:
        """Return the room with that code.

        Raises:
            NoSuchRoom: there is none.
        """
        cell = self._by_code.get(fold(code))
        if cell is None:
            raise NoSuchRoom(code)
        return cell

    def expel(self, name: str) -> None:
        """Expel `name` from all rooms for good; sleeping rooms are woken for that."""
        for cell in list(self._by_code.values()):
            cell.expel(name)

    def is_in_a_room(self, name: str) -> bool:
        """Return whether `name` is, or may be, a member or a player of a room.

        The members of a room that sleeps everywhere are unknown, so it may be any name.
        """
        return name in self._hosting.names_in_rooms

    async def _check_password(
        self, cell: RoomCell, membership: Membership, password: str | None
    ) -> bool:
        """Return whether the room has no password, or this one; refuse after too many wrong ones.

        False without a check if no password is given, or if the room knows the name: `decide` lets
        known names in without one.
        """
        password_hash, host = cell.record.password_hash, cell.host
        if password_hash is None or password is None:
            return password_hash is None
        if host is not None and _is_known_in(membership.name, host.room):
            return False
        return await self._passwords.matches(
            password_hash, password, address=membership.address, room=fold(cell.record.code)
        )

    def check_space(self) -> None:
        """Refuse to begin something if the disk is nearly full: see `begins_something`."""
        if self._storage.space.is_nearly_full:
            raise refusal("disk_nearly_full")

    def check_bots(self, host: RoomHost, command: BotCommand) -> None:
        """Refuse `command` if the creator's rooms would have too many bots with it."""
        cells = (self._by_code[code] for code in self._quotas.rooms_of_creator(host.room.code))
        bots = sum(cell.status.bots for cell in cells)
        self._quotas.check_bots(bots_wanted(command, host.room), bots)

    def check_hint(self, host: RoomHost, member: str) -> None:
        """Refuse a hint for `member` if a bot still thinks about the last one."""
        hints = self._hints_of(host)
        if hints is not None and hints.is_pending_for(member):
            raise refusal("hint_coming")

    def check_hint_was_asked(self, host: RoomHost, member: str) -> None:
        """Refuse what `member` may only have once all know of a hint in this position."""
        hints = self._hints_of(host)
        if hints is None or not hints.was_asked_by(member):
            raise refusal("no_hint_asked")

    def _hints_of(self, host: RoomHost) -> Hints | None:
        cell = self._by_code.get(fold(host.room.code))
        return None if cell is None or cell.hosted is None else cell.hosted.hints

    async def give_away(self) -> None:
        """Leave all rooms to other servers of the cluster, with the members who can go there.

        Those who can't, or are too slow, are told with all others that this server is stopping.
        """
        if not await self._peers.withdraw():
            return
        for _ in range(LOOKS):
            if not any(cell.hosted is not None and cell.hosted.waits_for_members for cell in self):
                return
            await asyncio.sleep(LOOK_S)

    async def sleep(self) -> None:
        """Put all rooms to sleep, as the server is stopping.

        Appends that don't finish in time, such as on a disk that fails, stay unanswered.
        """
        self._hosting.is_stopping = True
        await self._hosting.tasks.cancel()
        endings = (cell.sleep() for cell in self._by_log.values())
        try:
            await asyncio.wait_for(asyncio.gather(*endings), STOP_S)
        except TimeoutError:
            logger.error("rooms end with commands that may be saved or not")

    def _code_for(self, wanted: str | None) -> str:
        """Return a free code: the wanted one, or a pronounceable one; refuse if there is none."""
        if len(self._by_code) >= self._options.rooms:
            raise refusal("too_many_rooms", n=self._options.rooms)
        if wanted is None:
            code = pronounceable_code(self._rng)
            while fold(code) in self._by_code:
                code = pronounceable_code(self._rng)
            return code
        max_chars = self._options.name_chars
        cleaned = clean_name(wanted, max_chars)
        if cleaned is None:
            raise refusal("bad_name.room", n=max_chars)
        if fold(cleaned) in self._by_code:
            raise refusal("room_exists", name=cleaned)
        if (mistake := mixed_scripts(cleaned)) is not None:
            raise CommandRefused("bad_name", mistake)
        if (like := next(self._looks.like(cleaned), None)) is not None:
            another = self._looks.another_like(cleaned)
            raise refusal("looks_alike.room", name=cleaned, like=like, another=another)
        return cleaned

    def _register(self, record: RoomRecord, address: str = "") -> RoomCell:
        """Add the cell of a room, which a client at `address` makes just now if that is given."""
        cell = RoomCell(record, self._hosting, self._evict)
        self._by_code[fold(record.code)] = cell
        self._looks.add(record.code)
        self._by_log[record.log] = cell
        self._by_request[(record.creator, record.token)] = cell
        self._quotas.add_room(record.code, record.creator, address)
        return cell

    def _evict(self, cell: RoomCell) -> None:
        """Forget a closed room, and free its code unless another room has it by now."""
        record = cell.record
        del self._by_log[record.log]
        if self._by_request.get((record.creator, record.token)) is cell:
            del self._by_request[(record.creator, record.token)]
        if self._by_code.get(fold(record.code)) is cell:
            del self._by_code[fold(record.code)]
            self._looks.discard(record.code)
            self._quotas.remove_room(record.code)
            logger.info("room closed", extra=fields(room=record.code))


def _drop_lost_members(cell: RoomCell) -> None:
    if cell.hosted is not None:
        cell.hosted.node_lost()


def _is_known_in(name: str, room: Room) -> bool:
    return name in room.members or room.is_player(name)
