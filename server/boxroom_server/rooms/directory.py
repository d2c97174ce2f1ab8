"""The rooms of a server: made, found, woken, listed, and closed when nobody is left."""

import asyncio
import heapq
import logging
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from boxroom_engine.games.errors import GameError
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.checkpoint import room_from_checkpoint
from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.events import Entry
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Room, granted
from boxroom_engine.room.text import clean_name, fold
from boxroom_engine.wire.messages import CreateRoom, JoinRoom, RoomListed
from boxroom_server.bots.pool import BotPool
from boxroom_server.clock import Clock
from boxroom_server.ops.logs import fields
from boxroom_server.ops.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.people.passwords import Passwords
from boxroom_server.people.quotas import Quotas, bots_wanted
from boxroom_server.rooms.host import Asleep, RoomHost
from boxroom_server.rooms.membership import Membership
from boxroom_server.storage.room_log import CannotSave, Damaged, RoomRecord, StoredLog
from boxroom_server.storage.storage import Storage
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

WAKE_AGAIN_S = 1.0
"""How long after a failure a room is woken again."""

SETTLE_S = 5.0
"""How long a stopping server waits for what the log was given."""

_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"


def sayable_code(rng: random.Random) -> str:
    """A code for a room that is easy to say aloud and to type: `kiwa-tobe`."""
    syllables = [rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(4)]
    return f"{''.join(syllables[:2])}-{''.join(syllables[2:])}"


class _Place:
    """A room of the directory: its lodging, and its host once it is awake."""

    def __init__(self, room_record: RoomRecord, host: RoomHost | None = None) -> None:
        self.room_record = room_record
        self.host = host
        self.waking: asyncio.Task[RoomHost] | None = None
        self.is_damaged = False
        """Whether it was found that it can't be woken."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A guest came into a room; the request led to `seq`."""

    host: RoomHost
    seq: int


class Directory:
    """Every room of one server."""

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
        self._limits: RoomLimits = options.room_limits()
        self._storage = storage
        self._clock = clock
        self._bots = bots
        self._rng = rng
        self._metrics = metrics
        self._passwords = Passwords(options, clock)
        self._quotas = Quotas(options)
        self._tasks = Tasks()
        self._is_asleep = False
        self._opened_ms = clock.now_ms()
        self._places: dict[str, _Place] = {}
        self._made: dict[tuple[str, str], _Place] = {}
        for room_record in storage.rooms.room_records():
            self._enlist(_Place(room_record))
            self._quotas.add_room(room_record.code, room_record.creator)

    def __len__(self) -> int:
        return len(self._places)

    def wake_all(self) -> None:
        """Wake the rooms that the last server left, one after the other, in the background.

        Bots go on thinking in them and clocks run; whoever comes in earlier wakes the room.
        """
        self._tasks.start(self._wake_all())

    async def _wake_all(self) -> None:
        for place in list(self._places.values()):
            while place.host is None and self._places.get(fold(place.room_record.code)) is place:
                try:
                    await self._awake(place)
                except Damaged:
                    break
                except CannotSave:
                    await self._clock.sleep(WAKE_AGAIN_S)

    def rooms(self) -> Iterator[Room]:
        """Every room that is awake, as it is now."""
        hosts = (place.host for place in self._places.values())
        return (host.room for host in hosts if host is not None)

    async def create(self, guest: Membership, request: CreateRoom) -> Entered | Refusal:
        """Make a room and let its creator in; a repeat with the same token makes no second.

        Raises:
            Asleep: nothing happens in any room any more.
        """
        if request.settings.private != (request.password is not None):
            return Refusal("bad_option", "a private room has a password, and only a private one")
        password_hash: str | Refusal | None = None
        if request.password is not None:
            password_hash = await self._passwords.hash(request.password, guest.address)
        if isinstance(password_hash, Refusal):
            return password_hash
        # From here to `_lodge` nothing waits, so a repeat at the same time finds the room.
        if self._is_asleep:
            raise Asleep
        made = self._made.get((guest.name, request.token))
        if made is not None:
            return await self._enter(made, guest, cmd.Enter(guest.name, request.watch, True))
        code = self._quotas.check_room(guest.name, guest.address) or self._code_for(request.room)
        if isinstance(code, Refusal):
            return code
        self._quotas.add_room(code, guest.name, guest.address)
        log = f"{self._rng.getrandbits(64):016x}"
        now_ms = self._clock.now_ms()
        place = self._lodge(RoomRecord(log, code, guest.name, request.token, password_hash, now_ms))
        create = cmd.Create(log, guest.name, granted(request.settings), request.watch)
        outcome = None
        try:
            outcome = await self._enter(place, guest, create)
            if isinstance(outcome, Entered):
                logger.info("room made", extra=fields(room=code, name=guest.name))
            return outcome
        finally:
            if not isinstance(outcome, Entered):
                await self._close(place)

    async def join(self, guest: Membership, request: JoinRoom) -> Entered | Refusal:
        """Let `guest` into a room, with its password if that is needed.

        Raises:
            Asleep: nothing happens in any room any more.
        """
        name = clean_name(request.room, self._options.name_chars)
        place = self._places.get(fold(name)) if name is not None else None
        if place is None:
            return Refusal("no_such_room", f"there is no room {request.room!r} here")
        admitted = await self._admits(place, guest, request.password)
        if isinstance(admitted, Refusal):
            return admitted
        after = None
        if request.after is not None and request.log is not None:
            after = (request.log, request.after)
        enter = cmd.Enter(guest.name, request.watch, admitted)
        return await self._enter(place, guest, enter, after)

    # For who runs the server

    def hosts(self) -> list[tuple[RoomRecord, RoomHost | None]]:
        """All rooms, the oldest first, with their hosts as far as they are awake."""
        return [(place.room_record, place.host) for place in self._places.values()]

    async def find(self, code: str) -> tuple[RoomRecord, RoomHost] | None:
        """The room with that code, awake; None if there is none.

        Raises:
            CannotSave, Damaged: it can't be woken.
        """
        place = self._places.get(fold(code))
        return None if place is None else (place.room_record, await self._awake(place))

    async def close(self, code: str) -> str | None:
        """End a room, whoever is in it, also a damaged one; its code, or None if there is none."""
        place = self._places.get(fold(code))
        if place is None:
            return None
        with suppress(Damaged, CannotSave):
            await self._awake(place)
        if self._places.get(fold(code)) is not place:
            return None  # it has ended by itself in the meantime
        await self._close(place)
        if place.host is not None:
            place.host.send_all_away("who runs the server has closed this room")
        return place.room_record.code

    def expel(self, name: str) -> None:
        """Send `name` out of all rooms for good, from those that are asleep once they wake."""
        for place in list(self._places.values()):
            if place.host is None:
                self._tasks.start(self._expel_when_awake(place, name))
            else:
                place.host.expel(name)

    async def _expel_when_awake(self, place: _Place, name: str) -> None:
        with suppress(Damaged, CannotSave):  # nobody comes in there, then
            (await self._awake(place)).expel(name)

    def is_in_a_room(self, name: str) -> bool:
        """Whether `name` is a member of a room, or holds a seat in one, as far as that is known.

        As long as a room sleeps nobody knows who is in it, so it may be anybody.
        """
        return any(
            _belongs(name, place.host.room) if place.host is not None else not place.is_damaged
            for place in self._places.values()
        )

    async def _admits(
        self, place: _Place, guest: Membership, password: str | None
    ) -> bool | Refusal:
        """Whether there is no password, or this is it; who belongs to the room needs none."""
        kept, host = place.room_record.password_hash, place.host
        if kept is None or password is None:
            return kept is None
        if host is not None and _belongs(guest.name, host.room):
            return False
        return await self._passwords.matches(
            kept, password, address=guest.address, room=fold(place.room_record.code)
        )

    def refuses_bots(self, host: RoomHost, command: cmd.SeatBot | cmd.Fill) -> Refusal | None:
        """Why there would be too many bots in the rooms of one person; None if not."""
        hosts = (self._places[code].host for code in self._quotas.rooms_of_creator(host.room.code))
        rooms = (other.room for other in hosts if other is not None)
        return self._quotas.check_bots(bots_wanted(command, host.room), rooms)

    def listed(self) -> tuple[RoomListed, ...]:
        """The open rooms: those with an empty seat first, the fullest of them at the top.

        With more of them than a list may have, the rest is left out.
        """
        hosts = (place.host for place in self._places.values() if place.host is not None)
        rooms = (_listing(host) for host in hosts if host.is_listed)
        first = heapq.nsmallest(
            self._options.listed,
            rooms,
            key=lambda room: (room.empty_seats == 0, -room.people, room.room),
        )
        return tuple(first)

    async def sleep(self) -> None:
        """Let nothing happen in any room any more; they stay as they are.

        What the log has no answer to by then, such as on a disk that fails, stays unanswered.
        """
        self._is_asleep = True
        await self._tasks.cancel()
        places = self._places.values()
        for place in places:
            if place.waking is not None:
                place.waking.cancel()
        hosts = [place.host for place in places if place.host is not None]
        try:
            await asyncio.wait_for(asyncio.gather(*(host.sleep() for host in hosts)), SETTLE_S)
        except TimeoutError:
            logger.error("rooms end with commands of which nobody knows whether they are saved")

    async def _enter(
        self,
        place: _Place,
        guest: Membership,
        command: cmd.Create | cmd.Enter,
        after: tuple[str, int] | None = None,
    ) -> Entered | Refusal:
        if self._is_asleep:
            raise Asleep
        try:
            host = await self._awake(place)
        except CannotSave as error:
            return Refusal("cannot_save", f"that room can't go on now: {error}")
        except Damaged as error:
            return Refusal("room_damaged", f"that room can't go on, for {error}")
        outcome = await host.enter(guest, command, after)
        return outcome if isinstance(outcome, Refusal) else Entered(host, outcome)

    def _code_for(self, wanted: str | None) -> str | Refusal:
        """A code that no room has: the wanted one, or one that is easy to say."""
        if len(self._places) >= self._options.rooms:
            return Refusal("too_many_rooms", f"this server has its {self._options.rooms} rooms")
        if wanted is None:
            code = sayable_code(self._rng)
            while fold(code) in self._places:
                code = sayable_code(self._rng)
            return code
        most = self._options.name_chars
        code_or_none = clean_name(wanted, most)
        if code_or_none is None:
            return Refusal(
                "bad_name", f"a room's name has 1 to {most} letters, digits, spaces or _ - . '"
            )
        if fold(code_or_none) in self._places:
            return Refusal("room_exists", f"there is a room {code_or_none} already: join it")
        return code_or_none

    def _lodge(self, room_record: RoomRecord) -> _Place:
        """A new room; it is kept together with the first that happens in it."""
        self._storage.rooms.begin(room_record)
        place = _Place(room_record)
        place.host = self._host(place, Room(room_record.code), ())
        self._enlist(place)
        return place

    def _enlist(self, place: _Place) -> None:
        self._places[fold(place.room_record.code)] = place
        self._made[(place.room_record.creator, place.room_record.token)] = place

    def _host(self, place: _Place, room: Room, recent: Sequence[Entry]) -> RoomHost:
        return RoomHost(
            room,
            place.room_record.log,
            self._storage,
            limits=self._limits,
            clock=self._clock,
            bots=self._bots,
            metrics=self._metrics,
            pace_s=self._options.pace_s,
            empty_room_s=self._options.empty_room_s,
            expired=lambda _: self._tasks.start(self._expire(place)),
            recent=recent,
        )

    async def _awake(self, place: _Place) -> RoomHost:
        """The host of a room, which is woken if it sleeps; once, however many ask for it.

        Raises:
            Damaged: its log can't be read.
            CannotSave: it can't go on now.
            Asleep: nothing happens in any room any more.
        """
        if place.host is not None:
            return place.host
        if place.waking is None:
            place.waking = asyncio.create_task(self._wake(place))
            place.waking.add_done_callback(lambda _: setattr(place, "waking", None))
        try:
            return await asyncio.shield(place.waking)
        except asyncio.CancelledError:
            if self._is_asleep:
                raise Asleep from None
            raise

    async def _wake(self, place: _Place) -> RoomHost:
        room_record = place.room_record
        try:
            story = await self._storage.rooms.read(room_record.log)
            room = room_of(story, room_record)
        except Damaged as error:
            place.is_damaged = True
            logger.error("room %s stays as it is: %s", room_record.code, error)
            raise
        host = self._host(place, room, story.entries)
        try:
            await host.wake(self._storage.down_ms + self._clock.now_ms() - self._opened_ms)
        except BaseException:
            await host.sleep()
            raise
        place.host = host
        return host

    async def _expire(self, place: _Place) -> None:
        if place.host is not None and await place.host.close_if_empty():
            self._strike_out(place)
            logger.info("room closed", extra=fields(room=place.room_record.code))

    async def _close(self, place: _Place) -> None:
        if place.host is not None:
            await place.host.close()
        else:
            await self._storage.rooms.forget(place.room_record.log)
        self._strike_out(place)

    def _strike_out(self, place: _Place) -> None:
        """Free the code of a closed room; before its log is gone nobody else may have it."""
        code, made = (
            fold(place.room_record.code),
            (place.room_record.creator, place.room_record.token),
        )
        if self._places.get(code) is place:  # else it was struck out before, and is another's now
            self._quotas.remove_room(place.room_record.code)
            del self._places[code]
        if self._made.get(made) is place:
            del self._made[made]


def _belongs(name: str, room: Room) -> bool:
    return name in room.members or room.is_player(name)


def room_of(story: StoredLog, room_record: RoomRecord) -> Room:
    """The room that `story` tells of.

    Raises:
        Damaged: it doesn't hang together.
    """
    try:
        room = (
            Room(room_record.code)
            if story.checkpoint is None
            else room_from_checkpoint(story.checkpoint)
        )
        for entry in story.entries:
            room = evolve_entry(room, entry)
    except (GameError, ValueError, LookupError, AssertionError) as error:
        raise Damaged(f"its log doesn't hang together: {error!r}") from error
    if room.log != room_record.log:
        raise Damaged("its log has no beginning")
    return room


def _listing(host: RoomHost) -> RoomListed:
    room = host.room
    people = {holder.member for holder in room.seats if holder.member is not None}
    return RoomListed(
        room=room.code,
        settings=room.settings,
        phase=room.phase.value,
        host=room.host,
        people=len(people),
        bots=sum(holder.bot is not None and holder.member is None for holder in room.seats),
        empty_seats=len(room.empty_seats()),
        spectators=sum(name not in people for name in room.members),
    )
