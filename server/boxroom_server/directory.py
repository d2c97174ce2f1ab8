"""The rooms of a server: made, found, listed, and closed when nobody is left."""

import heapq
import logging
import random
from collections.abc import Iterator
from dataclasses import dataclass

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.house import House
from boxroom_engine.room.refusal import Refusal
from boxroom_engine.room.room import Room, granted
from boxroom_engine.room.text import clean_name, fold
from boxroom_engine.wire.messages import CreateRoom, JoinRoom, RoomListed
from boxroom_server.bot_workers import BotWorkers
from boxroom_server.clock import Clock
from boxroom_server.guest import Guest
from boxroom_server.logs import fields
from boxroom_server.metrics import Metrics
from boxroom_server.options import Options
from boxroom_server.passwords import Passwords
from boxroom_server.room_host import RoomHost
from boxroom_server.room_log import RoomLog
from boxroom_server.tasks import Tasks

logger = logging.getLogger(__name__)

_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"


def sayable_code(rng: random.Random) -> str:
    """A code for a room that is easy to say aloud and to type: `kiwa-tobe`."""
    syllables = [rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(4)]
    return f"{''.join(syllables[:2])}-{''.join(syllables[2:])}"


@dataclass(frozen=True, slots=True, eq=False)
class Lodging:
    """A room with what is kept beside its log."""

    host: RoomHost
    creator: str
    token: str
    password_hash: str | None


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
        log: RoomLog,
        clock: Clock,
        bots: BotWorkers,
        rng: random.Random,
        *,
        metrics: Metrics,
    ) -> None:
        self._options = options
        self._house: House = options.house()
        self._log = log
        self._clock = clock
        self._bots = bots
        self._rng = rng
        self._metrics = metrics
        self._passwords = Passwords()
        self._tasks = Tasks()
        self._lodgings: dict[str, Lodging] = {}
        self._made: dict[tuple[str, str], Lodging] = {}

    def __len__(self) -> int:
        return len(self._lodgings)

    def rooms(self) -> Iterator[Room]:
        """Every room as it is now."""
        return (lodging.host.room for lodging in self._lodgings.values())

    async def create(self, guest: Guest, request: CreateRoom) -> Entered | Refusal:
        """Make a room and let its creator in; a repeat with the same token makes no second."""
        if request.settings.private != (request.password is not None):
            return Refusal("bad_option", "a private room has a password, and only a private one")
        password_hash = None
        if request.password is not None:
            password_hash = await self._passwords.hash(request.password)
        # From here to `_lodge` nothing waits, so a repeat at the same time finds the room.
        made = self._made.get((guest.name, request.token))
        if made is not None:
            return await self._enter(made, guest, cmd.Enter(guest.name, request.watch, True))
        code = self._code_for(request.room)
        if isinstance(code, Refusal):
            return code
        lodging = self._lodge(code, guest.name, request.token, password_hash)
        log_name = f"{self._rng.getrandbits(64):016x}"
        create = cmd.Create(log_name, guest.name, granted(request.settings), request.watch)
        outcome = None
        try:
            outcome = await self._enter(lodging, guest, create)
            if isinstance(outcome, Entered):
                logger.info("room made", extra=fields(room=code, name=guest.name))
            return outcome
        finally:
            if not isinstance(outcome, Entered):
                await self._close(lodging)

    async def join(self, guest: Guest, request: JoinRoom) -> Entered | Refusal:
        """Let `guest` into a room, with its password if that is needed."""
        name = clean_name(request.room, self._options.name_chars)
        lodging = self._lodgings.get(fold(name)) if name is not None else None
        if lodging is None:
            return Refusal("no_such_room", f"there is no room {request.room!r} here")
        admitted = lodging.password_hash is None
        if lodging.password_hash is not None and request.password is not None:
            admitted = await self._passwords.matches(lodging.password_hash, request.password)
        after = None
        if request.after is not None and request.log is not None:
            after = (request.log, request.after)
        enter = cmd.Enter(guest.name, request.watch, admitted)
        return await self._enter(lodging, guest, enter, after)

    def listed(self) -> tuple[RoomListed, ...]:
        """The open rooms: those with an empty seat first, the fullest of them at the top.

        With more of them than a list may have, the rest is left out.
        """
        rooms = (
            _listing(lodging.host) for lodging in self._lodgings.values() if lodging.host.is_listed
        )
        first = heapq.nsmallest(
            self._options.listed,
            rooms,
            key=lambda room: (room.empty_seats == 0, -room.people, room.room),
        )
        return tuple(first)

    async def close(self) -> None:
        """Close every room."""
        for lodging in list(self._lodgings.values()):
            await self._close(lodging)
        await self._tasks.cancel()

    async def _enter(
        self,
        lodging: Lodging,
        guest: Guest,
        command: cmd.Create | cmd.Enter,
        after: tuple[str, int] | None = None,
    ) -> Entered | Refusal:
        outcome = await lodging.host.enter(guest, command, after)
        return outcome if isinstance(outcome, Refusal) else Entered(lodging.host, outcome)

    def _code_for(self, wanted: str | None) -> str | Refusal:
        """A code that no room has: the wanted one, or one that is easy to say."""
        if len(self._lodgings) >= self._options.rooms:
            return Refusal("too_many_rooms", f"this server has its {self._options.rooms} rooms")
        if wanted is None:
            code = sayable_code(self._rng)
            while fold(code) in self._lodgings:
                code = sayable_code(self._rng)
            return code
        most = self._options.name_chars
        code_or_none = clean_name(wanted, most)
        if code_or_none is None:
            return Refusal(
                "bad_name", f"a room's name has 1 to {most} letters, digits, spaces or _ - . '"
            )
        if fold(code_or_none) in self._lodgings:
            return Refusal("room_exists", f"there is a room {code_or_none} already: join it")
        return code_or_none

    def _lodge(self, code: str, creator: str, token: str, password_hash: str | None) -> Lodging:
        host = RoomHost(
            code,
            self._log,
            self._house,
            self._clock,
            self._bots,
            metrics=self._metrics,
            pace_s=self._options.pace_s,
            empty_room_s=self._options.empty_room_s,
            expired=lambda _: self._tasks.start(self._expire(lodging)),
        )
        lodging = Lodging(host, creator, token, password_hash)
        self._lodgings[fold(code)] = lodging
        self._made[(creator, token)] = lodging
        return lodging

    async def _expire(self, lodging: Lodging) -> None:
        if await lodging.host.close_if_empty():
            self._strike_out(lodging)
            logger.info("room closed", extra=fields(room=lodging.host.room.code))

    async def _close(self, lodging: Lodging) -> None:
        await lodging.host.close()
        self._strike_out(lodging)

    def _strike_out(self, lodging: Lodging) -> None:
        """Free the code of a closed room; before its log is gone nobody else may have it."""
        self._lodgings.pop(fold(lodging.host.room.code), None)
        self._made.pop((lodging.creator, lodging.token), None)


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
