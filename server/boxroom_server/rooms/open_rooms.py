"""The list of open rooms: kept in order, with each room encoded when it changes."""

import re
from bisect import bisect_left, bisect_right, insort
from operator import itemgetter

import msgspec

from boxroom_engine.room.decision import refusal
from boxroom_engine.room.events import Entry
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import Snapshot, snapshot
from boxroom_engine.wire.messages import RoomListed
from boxroom_server.clock import Clock
from boxroom_server.net.frames import Outgoing, text_frame
from boxroom_server.rooms.host import RoomHost
from boxroom_server.rooms.list_watchers import ListWatchers
from boxroom_server.rooms.names_in_rooms import NamesInRooms, names_in
from boxroom_server.storage.peers import Peers

SortKey = tuple[bool, int, str]
"""Rooms with empty seats come first, of these the fullest, then by code, which no two share."""


class OpenRooms:
    """The open rooms of a server, in pages of `page_size`, for those who ask and those who watch.

    A room is open if it is public and has a connected member.
    """

    def __init__(self, page_size: int, clock: Clock) -> None:
        self.watchers = ListWatchers(clock, page_size)
        """The clients that are sent each change."""
        self._page_size = page_size
        self._keys: dict[str, SortKey] = {}  # of the rooms in the list, by log
        self._rooms: list[tuple[SortKey, bytes]] = []  # sorted; each `RoomListed` in JSON

    def update(self, log: str, code: str, entry: RoomListed | None) -> None:
        """Show the room with that log and code as `entry`; None takes it out of the list."""
        before = self._take_out(log)
        after = None if entry is None else self._put_in(log, entry)
        if after != before:
            self.watchers.room_changed(code, after)

    def _put_in(self, log: str, entry: RoomListed) -> bytes:
        """Put a room into the list, and return its entry in JSON."""
        key = (entry.empty_seats == 0, -entry.people, entry.room)
        self._keys[log] = key
        encoded = msgspec.json.encode(entry)
        insort(self._rooms, (key, encoded))
        return encoded

    def _take_out(self, log: str) -> bytes | None:
        """Take a room out of the list; return its entry in JSON, or None if it wasn't there."""
        key = self._keys.pop(log, None)
        if key is None:
            return None
        _, encoded = self._rooms.pop(bisect_left(self._rooms, (key,)))
        return encoded

    def answer(self, request_id: int, after: str = "") -> Outgoing:
        """Return the `Rooms` message with the first page or one that an answer named, or refuse."""
        begin = 0
        if after:
            last = _sort_key(after)
            if last is None:
                raise refusal("bad_option.after")
            begin = bisect_right(self._rooms, last, key=itemgetter(0))
        page = self._rooms[begin : begin + self._page_size]
        payload = b'{"type":"rooms","id":%d,"rooms":[%b]' % (
            request_id,
            b",".join([encoded for _, encoded in page]),
        )
        if begin + len(page) < len(self._rooms):
            payload += b',"next":' + msgspec.json.encode(_cursor(page[-1][0]))
        payload += b"}"
        return Outgoing(payload, text_frame(payload))


class Listing:
    """Has `open_rooms` and `names` show the room of `host` as it is: an `Activity`."""

    def __init__(
        self,
        host: RoomHost,
        log: str,
        open_rooms: OpenRooms,
        names: NamesInRooms,
        peers: Peers,
    ) -> None:
        self._host = host
        self._log = log
        self._open_rooms = open_rooms
        self._names = names
        self._peers = peers

    def start(self) -> None:
        """Show the room."""
        self._show(self._host.room)
        self._names.update(self._log, names_in(self._host.room))

    def _show(self, room: Room) -> None:
        entry = open_entry(room, self._peers.owner_name(self._log))
        self._open_rooms.update(self._log, room.code, entry)

    def entry_saved(self, entry: Entry, before: Room, after: Room) -> None:
        """Show the room's changes; a move that doesn't end the game is none."""
        if after.members is not before.members or after.seats is not before.seats:
            self.start()
        elif is_listed_anew(before, after):
            self._show(after)

    async def stop(self) -> None:
        """Hide the room, unless only its host has ended: its cell shows its status then."""
        if not self._host.ended.done():
            self._open_rooms.update(self._log, self._host.room.code, None)
            self._names.update(self._log, ())


def is_listed_anew(before: Room, after: Room) -> bool:
    """Return whether a list shows another entry of a room, or names in it may be others."""
    return (
        after.members is not before.members
        or after.seats is not before.seats
        or after.phase is not before.phase
        or after.settings is not before.settings
        or after.host is not before.host
    )


def open_entry(room: Room, at: str = "") -> RoomListed | None:
    """Return the entry of `room` in the list of open rooms; None if it isn't open.

    `at` is the name of its owner's server.
    """
    if room.settings.private or not any(it.connected for it in room.members.values()):
        return None
    return list_entry(room, at)


def list_entry(room: Room, at: str = "") -> RoomListed:
    """Return the entry of `room` in the list: all that people outside of it are told."""
    people = {holder.member for holder in room.seats if holder.member is not None}
    return RoomListed(
        room=room.code,
        settings=room.settings,
        phase=room.phase.value,
        host=room.host,
        people=len(people),
        bots=sum(holder.bot is not None and holder.member is None for holder in room.seats),
        empty_seats=room.free_seats,
        spectators=room.spectators,
        at=at,
    )


def board_of(room: Room) -> Snapshot | None:
    """Return the game of a public room, without its members; None if there is none to see."""
    if room.settings.private or room.state is None:
        return None
    game = Room(
        room.code,
        log=room.log,
        phase=room.phase,
        settings=room.settings,
        seats=room.seats,
        game_number=room.game_number,
        players=room.players,
        state=room.state,
        history=room.history,
        history_movers=room.history_movers,
        history_taken=room.history_taken,
        ply_offset=room.ply_offset,
    )
    return snapshot(game, Audience.SPECTATOR)


def _cursor(key: SortKey) -> str:
    """Return the place of a room in the list as text, for `ListRooms.after`."""
    is_full, minus_people, code = key
    return f"{int(is_full)}/{-minus_people}/{code}"


def _sort_key(cursor: str) -> SortKey | None:
    """Return the key that `_cursor` made `cursor` of; None if it made no such text."""
    found = re.fullmatch(r"([01])/([0-9]{1,9})/(.+)", cursor, re.ASCII | re.DOTALL)
    return None if found is None else (found[1] == "1", -int(found[2]), found[3])
