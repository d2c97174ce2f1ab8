"""Execution of the requests of `boxroom admin`, without their socket."""

from collections.abc import Callable, Iterator
from typing import Any, assert_never

import msgspec

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import CommandRefused
from boxroom_server.admin import messages as m
from boxroom_server.clock import Clock
from boxroom_server.people.bans import Bans, network_of
from boxroom_server.people.names import Names
from boxroom_server.rooms.cell import NoSuchRoom
from boxroom_server.rooms.directory import Directory
from boxroom_server.rooms.host import RoomHost
from boxroom_server.rooms.sequencer import Asleep
from boxroom_server.sessions import Sessions
from boxroom_server.storage.ledger import BanKind, BanRecord
from boxroom_server.storage.room_log import CannotSave, Damaged, RoomRecord

EVENTS_SHOWN = 20
"""Number of events that a room is shown with: its last ones."""

NAMES_SHOWN = 1_000
"""Most names in one answer; a prefix finds the others."""

_CHAT_FIELDS = ("text", "lines")
"""Fields of events with chat texts, which aren't shown."""


class AdminCommands:
    """Executes the requests of an administrator at one server, for all servers of its cluster."""

    def __init__(
        self, directory: Directory, names: Names, bans: Bans, sessions: Sessions, clock: Clock
    ) -> None:
        self._directory = directory
        self._names = names
        self._bans = bans
        self._sessions = sessions
        self._clock = clock
        bans.on_ban.append(self._cut_off)
        names.on_owner_change.append(self._cut_off_owner)

    async def execute(self, request: m.Request, drain: Callable[[], None]) -> m.Answer:
        """Execute `request`, and return the answer; `drain` makes the server stop."""
        try:
            return await self._execute(request, drain)
        except CannotSave as error:
            return m.Refused(f"nothing can be saved now, so nothing was done: {error}")
        except Damaged as error:
            return m.Refused(f"that room can't be loaded: {error}")
        except NoSuchRoom as error:
            text = f"there is no room {error.room!r} here: boxroom admin list lists all of them"
            return m.Refused(text)
        except CommandRefused as error:
            return m.Refused(str(error))
        except Asleep:
            return m.Refused("the server is stopping")

    async def _execute(self, request: m.Request, drain: Callable[[], None]) -> m.Answer:
        match request:
            case m.ListRooms():
                return m.RoomList(tuple(self._room_summaries()))
            case m.ShowRoom():
                return await self._show(request.room)
            case m.Kick():
                return await self._kick(request.room, request.name)
            case m.Ban():
                return self._ban(request.who, request.reason)
            case m.Unban():
                return self._unban(request.who)
            case m.ListBans():
                return m.BanList(self._bans.all())
            case m.Release():
                return self._release(request.name)
            case m.CloseRoom():
                return await self._close(request.room)
            case m.Drain():
                drain()
                return m.Done("this server stops; members are told")
            case m.ListNames():
                return self._list_names(request.prefix)
            case _:
                assert_never(request)

    # Rooms

    def _room_summaries(self) -> Iterator[m.RoomSummary]:
        for cell in self._directory:
            status = cell.status
            yield m.RoomSummary(
                cell.record.code,
                status.phase or "asleep",
                status.game,
                len(status.connected),
                status.bots,
                status.seq,
                self._since_s(cell.record.made_ms),
            )

    async def _show(self, code: str) -> m.Answer:
        cell = self._directory.find(code)
        return self._details(cell.record, await cell.awake_host())

    def _details(self, room_record: RoomRecord, host: RoomHost) -> m.RoomDetails:
        room = host.room

        def member(name: str) -> m.MemberInfo:
            membership = host.connections.get(name)
            session = self._sessions.of(membership.connection) if membership is not None else None
            if session is not None:
                return m.MemberInfo(name, session.address, self._since_s(session.since_ms))
            known = room.members[name]
            return m.MemberInfo(name, None, None, known.node if known.connected else "")

        return m.RoomDetails(
            room=room_record.code,
            log=room_record.log,
            phase=room.phase.value,
            host=room.host,
            seq=room.seq,
            age_s=self._since_s(room_record.made_ms),
            settings=msgspec.to_builtins(room.settings),
            seats=tuple(m.SeatInfo(seat.name, seat.member, seat.bot) for seat in room.seats),
            members=tuple(map(member, room.members)),
            barred=tuple(sorted(room.barred)),
            events=tuple(_last_events(host)),
        )

    async def _kick(self, code: str, name: str) -> m.Answer:
        cell = self._directory.find(code)
        host = await cell.awake_host()
        await host.perform(cmd.Expel(name))
        return m.Done(f"{name} is out of {cell.record.code}, for as long as there is that room")

    async def _close(self, code: str) -> m.Answer:
        cell = self._directory.find(code)
        await cell.close()
        return m.Done(f"{cell.record.code} is closed")

    # People

    def _ban(self, who: str, reason: str) -> m.Answer:
        ban = self._bans.ban(who, reason)
        if ban is None:
            return m.Refused(f"{who!r} is no name, no address and no network such as 192.0.2.0/24")
        self._cut_off(ban)
        return m.Done(f"{_banned(ban.kind, ban.who)} banned")

    def _cut_off(self, ban: BanRecord) -> None:
        """End the sessions of those who are banned, and expel them from all rooms."""
        network = network_of(ban.who) if ban.kind is BanKind.ADDRESS else None
        if network is None:
            for session in self._sessions.with_name(ban.who):
                session.terminate("you are banned from this server")
            self._directory.expel(ban.who)
        else:
            for session in self._sessions.from_network(network):
                session.terminate("your address is banned from this server")
                if session.name:
                    self._directory.expel(session.name)

    def _unban(self, who: str) -> m.Answer:
        ban = self._bans.unban(who)
        if ban is None:
            return m.Refused(f"there is no ban of {who}: boxroom admin bans lists all of them")
        return m.Done(f"{_banned(ban.kind, ban.who)} not banned any more")

    def _release(self, name: str) -> m.Answer:
        released = self._names.release(name)
        if released is None:
            return m.Refused(f"{name} has no owner here")
        self._cut_off_owner(released)
        return m.Done(f"{released} is released: the next player who takes the name gets its seats")

    def _cut_off_owner(self, name: str) -> None:
        for session in self._sessions.with_name(name):
            session.terminate("your name isn't yours any more: it was released")

    def _list_names(self, prefix: str) -> m.NameList:
        found = self._names.beginning_with(prefix)
        shown = found[:NAMES_SHOWN]
        connected = {session.name for session in self._sessions}
        for cell in self._directory:
            connected.update(cell.status.connected)
        return m.NameList(
            tuple(m.NameInfo(it.name, it.used_ms, it.name in connected) for it in shown),
            len(found) - len(shown),
        )

    def _since_s(self, at_ms: int) -> int:
        return max(0, self._clock.now_ms() - at_ms) // 1000


def _banned(kind: BanKind, who: str) -> str:
    return f"the {kind.value} {who} is"


def _last_events(host: RoomHost) -> list[m.EventInfo]:
    events = [
        m.EventInfo(entry.seq + position, entry.at_ms, _without_chat(event))
        for entry in host.replay_buffer.entries[-EVENTS_SHOWN:]
        for position, event in enumerate(entry.events)
    ]
    return events[-EVENTS_SHOWN:]


def _without_chat(event: object) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name not in _CHAT_FIELDS}
