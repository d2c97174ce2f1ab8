"""The screen that lists a server's open rooms, to choose one or to create a new one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeGuard

from boxroom_client.link.errors import Unreachable
from boxroom_client.link.join_request import Create, Join, JoinRequest
from boxroom_client.screen.dialog import Hint
from boxroom_client.screen.forms.room_form import edit_room
from boxroom_client.screen.forms.single_field import ROOM_FIELD, ask
from boxroom_client.screen.lobby.chooser import Chooser, ExtraKey
from boxroom_client.screen.lobby.menu import Item, Menu
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.shell.frontend import JoinOptions, ListRooms, RefusedRoom
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.room_settings import in_words
from boxroom_common.phrases import say
from boxroom_engine.games.registry import KINDS
from boxroom_engine.wire.messages import RoomListed

REFRESH_S = 3.0
"""Seconds after which the list is requested again."""

Pause = Callable[[float], Awaitable[None]]

_HEADINGS = (
    "terminal.dialog.room",
    "game",
    "seats",
    "terminal.lobby.now",
    "terminal.lobby.bots",
    "terminal.lobby.watching",
)
"""Phrases of the headings."""
_PHASES = ("waiting", "playing", "over")
"""Known phases of a room, which are phrases, too."""
_NEW_KEY = "\n"
"""Key of the item for a new room; no room can have this name."""
_PRIVATE_KEY = "\n\n"


async def choose_room(
    list_rooms: ListRooms,
    join_options: JoinOptions,
    *,
    look: ScreenLook,
    server: str = "",
    known: Sequence[RoomListed] | None = None,
    refused: RefusedRoom | None = None,
    pause: Pause = asyncio.sleep,
) -> JoinRequest | None:
    """Return the request for the room that the person chooses; None if the person cancels.

    The list, at first `known`, is requested again every `REFRESH_S`, also while the server can't
    be reached. `server` is its name in the title; `pause` waits for some seconds. A name that was
    typed and `refused` can be corrected first.

    Raises:
        Interrupted: Ctrl-C.
        CommandRefused: the server refuses us.
    """
    reason = "" if refused is None else refused.reason
    lobby = Lobby(list_rooms, join_options, server, known, pause, reason=reason)
    request: JoinRequest | None = None
    if refused is not None and _was_typed(refused.request, known or ()):
        request = await _by_name(refused.request, look, reason)
    while request is None:
        chosen = await lobby.run(look)
        match chosen:
            case None:
                return None
            case Create():
                request = await edit_room(chosen, look=look)
            case Join() if not chosen.room:
                request = await _by_name(chosen, look, say("terminal.lobby.private_rooms"))
            case _:
                request = chosen
    return request


def _was_typed(request: JoinRequest, known: Sequence[RoomListed]) -> TypeGuard[Join]:
    """Return whether the name of the room was typed, and not chosen from those that are known."""
    return isinstance(request, Join) and request.room not in {room.room for room in known}


async def _by_name(request: Join, look: ScreenLook, why: str) -> Join | None:
    """Return `request` with the name of a room that the person types; None if cancelled."""
    title = say("terminal.lobby.by_name")
    room = await ask(title, (why,), ROOM_FIELD, request.room, look=look)
    return None if room is None else replace(request, room=room)


class Lobby:
    """Keeps the list of rooms up to date while it is shown, and why the last choice failed."""

    def __init__(
        self,
        list_rooms: ListRooms,
        join_options: JoinOptions,
        server: str,
        known: Sequence[RoomListed] | None,
        pause: Pause,
        *,
        reason: str,
    ) -> None:
        self._list_rooms = list_rooms
        self._join_options = join_options
        self._server = server
        self._pause = pause
        self._rooms = known  # the rooms of the last list; None before the first one
        self._reason = reason  # why the last choice failed; empty if it didn't
        self._refresh = asyncio.Event()  # set to request the list at once

    async def run(self, look: ScreenLook) -> JoinRequest | None:
        chooser = Chooser(
            self._menu(),
            [
                ExtraKey("n", lambda: chooser.leave(self._join_options.to_create())),
                ExtraKey("w", lambda: _watch(chooser)),
                ExtraKey("p", lambda: chooser.leave(_private(self._join_options))),
                ExtraKey("r", self._refresh.set),
            ],
            look=look,
        )
        return await chooser.run(self._keep_up_to_date(chooser))

    async def _keep_up_to_date(self, chooser: Chooser[JoinRequest]) -> None:
        if self._rooms is not None:
            await self._wait()
        while True:
            self._refresh.clear()
            try:
                self._rooms = await self._list_rooms()
                problem = ""
            except Unreachable as error:
                problem = f"{sentence(str(error))} {say('terminal.lobby.trying_again')}"
            chooser.show(self._menu(problem))
            await self._wait()

    async def _wait(self) -> None:
        """Wait until `REFRESH_S` have passed, or the person wants the list at once."""
        waiting = [
            asyncio.ensure_future(self._pause(REFRESH_S)),
            asyncio.ensure_future(self._refresh.wait()),
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waiting:
                each.cancel()

    def _menu(self, problem: str = "") -> Menu[JoinRequest]:
        at = self._server
        title = say("terminal.lobby.rooms_at", server=at) if at else say("terminal.lobby.rooms")
        return lobby_menu(self._rooms, self._join_options, title, problem or self._reason)


def _watch(chooser: Chooser[JoinRequest]) -> None:
    item = chooser.current
    if item is not None:
        chooser.choose(replace(item, value=replace(item.value, watch=True)))


def lobby_menu(
    rooms: Sequence[RoomListed] | None, join_options: JoinOptions, title: str, problem: str = ""
) -> Menu[JoinRequest]:
    """Return the menu; `rooms` is None as long as they aren't known."""
    if rooms is None:
        asking, leaves = (say("terminal.lobby.asking"),), (("Esc", say("terminal.dialog.leaves")),)
        return Menu(title, introduction=asking, banner=problem, hints=leaves)
    items = [_room(room, join_options) for room in rooms]
    introduction = say("terminal.lobby.open_rooms" if rooms else "terminal.lobby.no_rooms")
    return Menu(
        title,
        (*items, _new_room(join_options), _private_room(join_options)),
        tuple(map(say, _HEADINGS)) if rooms else (),
        (introduction,),
        problem,
        tuple(_hints(join_options)),
    )


def _hints(join_options: JoinOptions) -> list[Hint]:
    watches = ("w", say("terminal.dialog.watches"))
    enter = (
        "Enter",
        say("terminal.dialog.watches" if join_options.watch else "terminal.dialog.joins"),
    )
    make = [("n", say("terminal.lobby.new.hint")), ("p", say("terminal.lobby.private.hint"))]
    again = ("r", say("terminal.lobby.again.hint"))
    return [
        *(enter, ("Esc", say("terminal.dialog.leaves")), *make),
        *([] if join_options.watch else [watches]),
        again,
    ]


def _new_room(join_options: JoinOptions) -> Item[JoinRequest]:
    return Item(
        _NEW_KEY,
        (say("terminal.lobby.new"),),
        join_options.to_create(),
        say("terminal.lobby.new.help"),
    )


def _private_room(join_options: JoinOptions) -> Item[JoinRequest]:
    about = say("terminal.lobby.private.help")
    return Item(_PRIVATE_KEY, (say("terminal.lobby.private"),), _private(join_options), about)


def _private(join_options: JoinOptions) -> Join:
    """Return a request for a room whose name is still to be typed."""
    return Join("", join_options.password, join_options.watch)


def _room(room: RoomListed, join_options: JoinOptions) -> Item[JoinRequest]:
    is_known = room.settings.game in KINDS
    game = in_words(room.settings) if is_known else room.settings.game
    seats = room.settings.most_seats
    return Item(
        room.room,
        (
            room.room,
            game,
            f"{seats - room.empty_seats}/{seats}",
            say(room.phase if room.phase in _PHASES else "rooms.open"),
            str(room.bots),
            str(room.spectators),
        ),
        join_options.to_join(room),
        f"{_after_joining(room, join_options)} {game}{_host(room)}.",
        "" if is_known else say("terminal.lobby.unknown_game", game=game),
    )


def _host(room: RoomListed) -> str:
    return f", {say('terminal.lobby.host', name=room.host)}" if room.host is not None else ""


def _after_joining(room: RoomListed, join_options: JoinOptions) -> str:
    """Return what happens after joining `room`."""
    if join_options.watch:
        return say("terminal.lobby.will_watch")
    if room.phase == "playing":
        return say("terminal.lobby.will_watch_game")
    return say("terminal.lobby.will_sit" if room.empty_seats else "terminal.lobby.will_watch_full")
