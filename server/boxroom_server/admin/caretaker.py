"""Does what who runs the server asks for; it knows nothing of sockets."""

from collections.abc import Callable, Iterator
from typing import Any, assert_never

import msgspec

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.room import Room
from boxroom_server.admin import messages as m
from boxroom_server.clock import Clock
from boxroom_server.people.bans import Bans, network_of
from boxroom_server.people.names import Names
from boxroom_server.rooms.directory import Directory
from boxroom_server.rooms.host import Asleep, RoomHost
from boxroom_server.sessions import Sessions
from boxroom_server.storage.ledger import BanKind
from boxroom_server.storage.room_log import CannotSave, Damaged, RoomRecord

EVENTS_SHOWN = 20
"""How many of the last events of a room are shown."""

NAMES_SHOWN = 1_000
"""How many names are told at once; with a prefix one finds the others."""

_SAID = ("text", "lines")
"""The fields of events that hold what people said."""


class Caretaker:
    """The powers over one server."""

    def __init__(
        self, directory: Directory, names: Names, bans: Bans, visitors: Sessions, clock: Clock
    ) -> None:
        self._directory = directory
        self._names = names
        self._bans = bans
        self._visitors = visitors
        self._clock = clock

    async def do(self, wish: m.Wish, drain: Callable[[], None]) -> m.Answer:
        """Do it; `drain` has the server stop."""
        try:
            return await self._do(wish, drain)
        except CannotSave as error:
            return m.NotDone(f"nothing can be saved now, so nothing was done: {error}")
        except Damaged as error:
            return m.NotDone(f"that room can't be woken, for {error}")
        except Asleep:
            return m.NotDone("the server is stopping")

    async def _do(self, wish: m.Wish, drain: Callable[[], None]) -> m.Answer:
        match wish:
            case m.ListRooms():
                return m.Rooms(tuple(self._rooms()))
            case m.ShowRoom():
                return await self._show(wish.room)
            case m.Kick():
                return await self._kick(wish.room, wish.name)
            case m.Ban():
                return self._ban(wish.who, wish.reason)
            case m.Unban():
                return self._unban(wish.who)
            case m.ListBans():
                return m.Bans(
                    tuple(m.BanShown(b.kind, b.who, b.at_ms, b.reason) for b in self._bans.all())
                )
            case m.Release():
                return self._release(wish.name)
            case m.CloseRoom():
                return await self._close(wish.room)
            case m.Drain():
                drain()
                return m.Done("the server stops; members are told")
            case m.ListNames():
                return self._names_beginning_with(wish.prefix)
            case _:
                assert_never(wish)

    # Rooms

    def _rooms(self) -> Iterator[m.RoomLine]:
        for room_record, host in self._directory.hosts():
            age_s = self._since_s(room_record.made_ms)
            if host is None:
                yield m.RoomLine(room_record.code, "asleep", "", 0, 0, 0, age_s)
            else:
                people, bots = _people_and_bots(host.room)
                yield m.RoomLine(
                    room_record.code,
                    host.room.phase.value,
                    host.room.settings.game,
                    people,
                    bots,
                    host.room.seq,
                    age_s,
                )

    async def _show(self, code: str) -> m.Answer:
        found = await self._directory.find(code)
        if found is None:
            return _no_room(code)
        room_record, host = found
        return self._shown(room_record, host)

    def _shown(self, room_record: RoomRecord, host: RoomHost) -> m.RoomShown:
        room = host.room
        visitors = self._visitors.by_outbox()

        def member(name: str) -> m.MemberShown:
            outbox = host.outbox_of(name)
            visitor = visitors.get(outbox) if outbox is not None else None
            if visitor is None:
                return m.MemberShown(name, None, None)
            return m.MemberShown(name, visitor.address, self._since_s(visitor.since_ms))

        return m.RoomShown(
            room=room_record.code,
            log=room_record.log,
            phase=room.phase.value,
            host=room.host,
            seq=room.seq,
            age_s=self._since_s(room_record.made_ms),
            settings=msgspec.to_builtins(room.settings),
            seats=tuple(m.SeatShown(seat.name, seat.member, seat.bot) for seat in room.seats),
            members=tuple(map(member, room.members)),
            barred=tuple(sorted(room.barred)),
            events=tuple(_last_events(host)),
        )

    async def _kick(self, code: str, name: str) -> m.Answer:
        found = await self._directory.find(code)
        if found is None:
            return _no_room(code)
        room_record, host = found
        outcome = await host.perform(cmd.Expel(name))
        if isinstance(outcome, Refusal):
            return m.NotDone(outcome.sentence)
        return m.Done(f"{name} is out of {room_record.code}, for as long as there is that room")

    async def _close(self, code: str) -> m.Answer:
        closed = await self._directory.close(code)
        return _no_room(code) if closed is None else m.Done(f"{closed} is closed")

    # People

    def _ban(self, who: str, reason: str) -> m.Answer:
        ban = self._bans.ban(who, reason)
        if ban is None:
            return m.NotDone(f"{who!r} is no name, no address and no network such as 192.0.2.0/24")
        network = network_of(who)
        if network is None:
            for visitor in self._visitors.with_name(who):
                visitor.terminate("you are banned from this server")
            self._directory.expel(who)
        else:
            for visitor in self._visitors.from_network(network):
                visitor.terminate("your address is banned from this server")
                if visitor.name:
                    self._directory.expel(visitor.name)
        return m.Done(f"{_banned(ban.kind, ban.who)} banned")

    def _unban(self, who: str) -> m.Answer:
        ban = self._bans.unban(who)
        if ban is None:
            return m.NotDone(f"there is no ban of {who}: boxroom admin bans shows which there are")
        return m.Done(f"{_banned(ban.kind, ban.who)} not banned any more")

    def _release(self, name: str) -> m.Answer:
        released = self._names.release(name)
        if released is None:
            return m.NotDone(f"{name} is nobody's name here")
        for visitor in self._visitors.with_name(released):
            visitor.terminate("your name isn't yours any more: it was released")
        return m.Done(f"{released} is anybody's name, with the seats that it has")

    def _names_beginning_with(self, prefix: str) -> m.Names:
        found = self._names.beginning_with(prefix)
        shown = found[:NAMES_SHOWN]
        here = {visitor.name for visitor in self._visitors}
        return m.Names(
            tuple(m.NameShown(kept.name, kept.used_ms, kept.name in here) for kept in shown),
            len(found) - len(shown),
        )

    def _since_s(self, at_ms: int) -> int:
        return max(0, self._clock.now_ms() - at_ms) // 1000


def _no_room(code: str) -> m.NotDone:
    return m.NotDone(f"there is no room {code!r} here: boxroom admin list shows which there are")


def _banned(kind: BanKind, who: str) -> str:
    return f"the {kind.value} {who} is"


def _people_and_bots(room: Room) -> tuple[int, int]:
    bots = sum(seat.bot is not None and seat.member is None for seat in room.seats)
    return sum(member.connected for member in room.members.values()), bots


def _last_events(host: RoomHost) -> list[m.EventShown]:
    shown = [
        m.EventShown(entry.seq + place, entry.at_ms, _without_words(event))
        for entry in host.last_entries()[-EVENTS_SHOWN:]
        for place, event in enumerate(entry.events)
    ]
    return shown[-EVENTS_SHOWN:]


def _without_words(event: object) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name not in _SAID}
