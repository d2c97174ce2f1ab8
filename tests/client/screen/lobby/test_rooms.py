"""The screen that lists rooms."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from tests.cases import each
from tests.client.screen.looks import LOOK, plain
from tests.client.screen.playing import a_terminal

from boxroom_client.link.errors import Unreachable
from boxroom_client.link.join_request import Create, Join, JoinRequest
from boxroom_client.screen.lobby.menu import ChooserState
from boxroom_client.screen.lobby.rooms import REFRESH_S, choose_room, lobby_menu
from boxroom_client.screen.themes.symbols import ASCII, UNICODE, Symbols
from boxroom_client.shell.frontend import JoinOptions, RefusedRoom
from boxroom_engine.phrases import verbatim
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.messages import RoomListed

DOWN, ENTER, ESC = "\x1b[B", "\r", "\x1b"
USUAL: dict[str, int | str] = {"rows": 5, "cols": 5, "border": "none"}
NEW = Create(Settings(options=USUAL))

DEN = RoomListed("den", Settings(), "waiting", "Ada", 1, 0, 1, 0)
BIG = RoomListed(
    "the big one",
    Settings(seats=4, options={"rows": 9, "cols": 9}, clock_s=30),
    "playing",
    "Bob",
    2,
    2,
    0,
    12,
)
OVER = RoomListed("attic", Settings(game="noughts"), "over", None, 2, 0, 0, 1)
STRANGE = RoomListed("strange", Settings(game="chess"), "adjourned", "Cleo", 1, 0, 1, 0)
ROOMS = (DEN, BIG, OVER, STRANGE)


class Server:
    """A server that lists rooms, and a clock that the test moves."""

    def __init__(self, *rooms: RoomListed) -> None:
        self.rooms: Sequence[RoomListed] = rooms
        self.failure: Exception | None = None
        self.asked = 0
        self.time = asyncio.Event()

    async def list_rooms(self) -> Sequence[RoomListed]:
        self.asked += 1
        if self.failure is not None:
            raise self.failure
        return self.rooms

    async def pause(self, seconds: float) -> None:
        assert seconds == REFRESH_S
        await self.time.wait()
        self.time.clear()

    async def choose(
        self,
        join_options: JoinOptions | None = None,
        *,
        symbols: Symbols = UNICODE,
        refused: RefusedRoom | None = None,
    ) -> JoinRequest | None:
        return await choose_room(
            self.list_rooms,
            join_options or JoinOptions(),
            look=replace(LOOK, symbols=symbols),
            server="localhost:8765",
            known=None if refused is None else self.rooms,
            refused=refused,
            pause=self.pause,
        )


@each(
    "join_options, keys, entrance",
    [
        (JoinOptions(), ENTER, Join("den")),
        (JoinOptions(), DOWN + ENTER, Join("the big one")),
        (JoinOptions(), "3", Join("attic")),
        (JoinOptions(), "w", Join("den", watch=True)),
        (JoinOptions(watch=True), ENTER, Join("den", watch=True)),
        (JoinOptions(password="sesame"), ENTER, Join("den", "sesame")),
        (JoinOptions(), "n" + ENTER, NEW),
        (JoinOptions(), "5" + ENTER, NEW),
        (JoinOptions(), DOWN * 4 + "w" + ENTER, replace(NEW, watch=True)),
        (
            JoinOptions(password="sesame"),
            "n" + ENTER,
            Create(Settings(options=USUAL, private=True), password="sesame"),
        ),
        (JoinOptions(), "pattic" + ENTER, Join("attic")),
        (JoinOptions(password="sesame"), "6attic" + ENTER, Join("attic", "sesame")),
        (JoinOptions(), DOWN * 3 + ENTER + "w" + "4" + ESC, None),
    ],
)
async def test_a_key_or_two_lead_into_a_room(
    join_options: JoinOptions, keys: str, entrance: JoinRequest | None
) -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Server(*ROOMS).choose(join_options))
        await terminal.sees("▶ 1 den")
        terminal.type(keys)
        assert await task == entrance


async def test_rooms_that_are_known_can_be_chosen_at_once() -> None:
    server = Server(OVER)
    with a_terminal() as terminal:
        terminal.type(ENTER)
        chosen = await choose_room(
            server.list_rooms, JoinOptions(), look=LOOK, known=(DEN,), pause=server.pause
        )
        assert chosen == Join("den")
        assert server.asked == 0


NO_SUCH_ROOM = "There is no room 'atic' here."


async def test_a_mistyped_name_can_be_corrected() -> None:
    with a_terminal() as terminal:
        refused = RefusedRoom(Join("atic"), NO_SUCH_ROOM)
        task = asyncio.create_task(Server(*ROOMS).choose(refused=refused))
        await terminal.sees("Boxroom: a room by its name", NO_SUCH_ROOM, "atic")
        terminal.type("attic" + ENTER)
        assert await task == Join("attic")


async def test_who_corrects_no_name_is_back_in_the_list() -> None:
    with a_terminal() as terminal:
        refused = RefusedRoom(Join("atic"), NO_SUCH_ROOM)
        task = asyncio.create_task(Server(*ROOMS).choose(refused=refused))
        await terminal.sees(NO_SUCH_ROOM)
        terminal.type(ESC)
        await terminal.sees("▶ 1 den", NO_SUCH_ROOM)
        terminal.type(ENTER)
        assert await task == Join("den")


@each("chosen", [Join("den"), NEW])
async def test_the_list_says_why_a_room_was_refused(chosen: JoinRequest) -> None:
    with a_terminal() as terminal:
        refused = RefusedRoom(chosen, "It has too many members.")
        task = asyncio.create_task(Server(*ROOMS).choose(refused=refused))
        await terminal.sees("▶ 1 den", "It has too many members.")
        terminal.type(ESC)
        assert await task is None


async def test_with_no_rooms_enter_makes_one() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Server().choose())
        await terminal.sees("no open rooms", "▶ 1 a new room")
        terminal.type(ENTER)
        await terminal.sees("Boxroom: a new room")
        terminal.type(ENTER)
        assert await task == NEW


@each("key", ["n", "p"])
async def test_who_leaves_a_form_is_back_in_the_list(key: str) -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Server(DEN).choose())
        await terminal.sees("▶ 1 den")
        terminal.type(key)
        await terminal.sees_no("▶ 1 den")
        terminal.type(ESC)
        await terminal.sees("▶ 1 den")
        terminal.type(ENTER)
        assert await task == Join("den")


async def test_a_room_that_has_gone_is_not_another_one() -> None:
    """Enter may come in the moment in which the list changes."""
    server = Server(DEN, OVER)
    with a_terminal() as terminal:
        task = asyncio.create_task(server.choose())
        await terminal.sees("▶ 1 den")
        server.rooms = (OVER,)
        terminal.type("r")
        await terminal.sees("▶ - den", "It isn't there any more.", "2 attic")
        terminal.type(ENTER + DOWN)
        await terminal.sees("▶ 2 attic")
        terminal.type("r")
        await terminal.sees("▶ 1 attic")
        terminal.type(ENTER)
        assert await task == Join("attic")


async def test_the_list_is_asked_for_again_after_a_time_and_by_r() -> None:
    server = Server()
    with a_terminal() as terminal:
        task = asyncio.create_task(server.choose())
        await terminal.sees("a new room")
        server.rooms = (DEN,)
        server.time.set()
        await terminal.sees("den", "▶ 2 a new room")
        server.rooms = (OVER, DEN)
        terminal.type("r")
        await terminal.sees("attic", "▶ 3 a new room")
        assert server.asked == 3
        terminal.type("q")
        assert await task is None


async def test_a_server_that_cant_be_reached_is_tried_again() -> None:
    server = Server(DEN)
    server.failure = Unreachable("localhost:8765 doesn't answer")
    with a_terminal() as terminal:
        task = asyncio.create_task(server.choose())
        await terminal.sees("localhost:8765 doesn't answer. Trying again.", "Asking")
        terminal.type(ENTER + "w")
        server.failure = None
        server.time.set()
        await terminal.sees("▶ 1 den")
        server.failure = Unreachable("localhost:8765 has gone")
        terminal.type("r")
        await terminal.sees("localhost:8765 has gone. Trying again.", "▶ 1 den")
        server.failure = None
        terminal.type("r")
        await terminal.sees_no("has gone")
        terminal.type(ENTER)
        assert await task == Join("den")


async def test_a_server_that_doesnt_talk_to_us_ends_it() -> None:
    server = Server()
    server.failure = CommandRefused("name_taken", verbatim("somebody is called that"))
    with a_terminal(), pytest.raises(CommandRefused):
        await server.choose()


async def test_ascii_only() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Server(DEN).choose(symbols=ASCII))
        await terminal.sees("> 1 den")
        assert terminal.seen.isascii()
        terminal.type(ENTER)
        assert await task == Join("den")


def test_the_list_of_rooms(golden: Callable[[str, str], None]) -> None:
    title = "Boxroom: rooms at localhost:8765"
    many = tuple(
        RoomListed(f"room {number}", Settings(), "waiting", "Ada", 1, 0, 1, 0)
        for number in range(1, 41)
    )
    whole = ChooserState(lobby_menu(ROOMS, JoinOptions(), title))
    looks = [
        whole.rows(120, 14),
        whole.moved(1).rows(80, 24),
        whole.moved(3).rows(40, 12),
        ChooserState(
            lobby_menu(ROOMS, JoinOptions(watch=True), title, "It has gone."), symbols=ASCII
        )
        .moved(2)
        .rows(62, 14),
        ChooserState(lobby_menu(many, JoinOptions(), title)).moved(20).rows(80, 14),
        ChooserState(lobby_menu((), JoinOptions(), title)).rows(80, 12),
        ChooserState(lobby_menu(None, JoinOptions(), title)).rows(80, 12),
    ]
    golden("lobby", "=\n".join(map(plain, looks)))
