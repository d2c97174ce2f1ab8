"""Every screen of the program in a typical state, and what its cells look like in each theme.

A scene is run by prompt_toolkit as for a person, and the cells are those that it rendered: a
character and the classes that a theme gives styles to.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prompt_toolkit.application.current import get_app
from prompt_toolkit.styles import Attrs
from tests.client.fake_connection import FakeConnection, small
from tests.client.screen.boards import dots, midgame
from tests.client.screen.lobby.test_rooms import ROOMS
from tests.client.screen.lobby.test_servers import ATTIC, DEN, OLD, Network
from tests.client.screen.looks import on_screen
from tests.client.screen.playing import Terminal, a_terminal

from boxroom_client.cli import menu
from boxroom_client.link.updates import ConnectionLost, NoticeReceived
from boxroom_client.screen.app import GameScreen
from boxroom_client.screen.forms.game_form import edit_game
from boxroom_client.screen.frontend import ScreenFrontend
from boxroom_client.screen.lobby.rooms import choose_room
from boxroom_client.screen.lobby.servers import choose_server
from boxroom_client.screen.model import DisplayOptions
from boxroom_client.screen.replay.app import ReplayScreen
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.screen.themes.theme import load_theme
from boxroom_client.servers.address import Address
from boxroom_client.shell.frontend import JoinOptions
from boxroom_client.shell.recording import rooms
from boxroom_client.shell.room_settings import LocalGame
from boxroom_engine.games.record import Record
from boxroom_engine.phrases import verbatim
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import ChatTo, Settings

THEMES = ("dark", "light", "contrast", "plain")
SIZES = ((80, 24), (120, 40), (40, 12))
F1, F4, F6, F8, F10 = "\x1bOP", "\x1bOS", "\x1b[17~", "\x1b[19~", "\x1b[21~"
TAB = "\t"

LOOK = ScreenLook(load_theme("dark").style)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the terminal."""

    char: str
    classes: str
    """Separated by spaces, as a theme has them."""


Cells = list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen: what runs, what is typed step by step, and what is seen in the end."""

    run: Callable[[], Coroutine[Any, Any, Any]]
    steps: Sequence[tuple[str, str]]
    """Text to wait for, and keys to press then; the last keys are empty."""
    sizes: Sequence[tuple[int, int]] = field(default=SIZES)


async def cells_of(scene: Scene, columns: int, lines: int) -> Cells:
    """Run `scene` in a terminal of that size, and return what it shows."""
    with a_terminal(columns, lines) as terminal:
        task = asyncio.create_task(scene.run())
        for text, keys in scene.steps:
            await terminal.sees(text)
            terminal.type(keys)
        cells = _rendered(terminal)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    return cells


def _rendered(terminal: Terminal) -> Cells:
    app = get_app()
    app._redraw()
    screen = app.renderer.last_rendered_screen
    assert screen is not None
    size = terminal.size()
    return [
        [_cell(char.char, char.style) for char in map(row.__getitem__, range(size.columns))]
        for row in map(screen.data_buffer.__getitem__, range(size.rows))
    ]


def _cell(char: str, style: str) -> Cell:
    words = style.replace("class:", " ").split()
    themed = (word for word in words if not (word.startswith("[") or word == "last-line"))
    return Cell(char, " ".join(dict.fromkeys(themed)))


def looks(classes: str) -> tuple[Attrs, ...]:
    """Return the attributes of a cell with these classes in each of `THEMES`."""
    words = " ".join(f"class:{word}" for word in classes.split())
    return tuple(
        on_screen(load_theme(theme).style()).get_attrs_for_style_str(words) for theme in THEMES
    )


# Games


async def _game(connection: FakeConnection) -> Any:
    await GameScreen(connection, DisplayOptions(), load_theme("dark"), now_s=lambda: 100.0).run()


def _table(start: bool = True) -> FakeConnection:
    connection = FakeConnection(small(3, 4, seats=3), others=("Bob",))
    connection.enters("Cleo", watch=True)
    connection.does("Ada", cmd.SeatBot, bot="greedy")
    if start:
        connection.does("Ada", cmd.Start)
    return connection


def _under_way() -> FakeConnection:
    """Return a game in which Bob and the bot have played since Ada's move, and it is her turn."""
    connection = _table()
    connection.plays("Ada", "h0")
    connection.plays("Bob", "v0")
    connection.plays("Ada", "h2")
    connection.plays("Bob", "v12")
    return connection


async def _waiting() -> None:
    await _game(FakeConnection(small(3, 4, seats=3), others=("Bob",)))


async def _qr_code() -> None:
    connection = FakeConnection(small(3, 4, seats=3), others=("Bob",))
    connection.let_guests_in(Address("192.168.1.5"))
    await _game(connection)


async def _playing() -> None:
    await _game(_under_way())


async def _premove() -> None:
    connection = _table()
    connection.plays("Ada", "h0")
    await _game(connection)


async def _chat() -> None:
    connection = _under_way()
    connection.does("Bob", cmd.Say, text="oh no, not that one! I had such plans for the corner.")
    connection.does("Ada", cmd.Say, text="thank you :)")
    connection.drops("Bob")
    connection.tell(NoticeReceived("slow_down", verbatim("you say a lot: wait 3 s")))
    connection.tell(ConnectionLost("the cable is out", 7.0))
    await _game(connection)


async def _watching() -> None:
    connection = FakeConnection(small(3, 4), others=("Bob", "Cleo"), watch=True)
    connection.does("Ada", cmd.Start)
    connection.plays("Bob", "h0")
    await connection.ask(cmd.Say(1, "Bob will lose", ChatTo.SPECTATORS))
    await _game(connection)


async def _over() -> None:
    connection = FakeConnection(small(1, 2), others=("Bob",), start=True)
    for member, move in (("Ada", "h0"), ("Bob", "h1"), ("Ada", "v0"), ("Bob", "v2")):
        connection.plays(member, move)
    connection.plays("Ada", "h2")
    connection.plays("Bob", "v1")
    connection.plays("Bob", "h3")
    await _game(connection)


async def _large() -> None:
    connection = FakeConnection(small(30, 30), others=("Bob",), start=True)
    state = midgame(dots(30, 30), 0)
    for number in range(20):
        member = ("Ada", "Bob")[number % 2]
        connection.plays(member, state.game.format_move(state.legal_moves()[(number * 487) % 1860]))
    await _game(connection)


# Other screens


async def _menu() -> None:
    theme, log_file = load_theme("dark"), Path(os.devnull)
    await menu._choose(ScreenFrontend(DisplayOptions(), theme, log_file), [])


async def _rooms() -> None:
    async def list_rooms() -> Any:
        return ROOMS

    await choose_room(
        list_rooms,
        JoinOptions(),
        look=LOOK,
        server="Ada's den",
        known=ROOMS,
        pause=lambda _: asyncio.Event().wait(),  # type: ignore[arg-type, return-value]
    )


async def _servers() -> None:
    async def find_here() -> None:
        return None

    await choose_server(Network(DEN, ATTIC, OLD), look=LOOK, find_here=find_here)


async def _form() -> None:
    game = LocalGame(Settings(options={"rows": 5, "cols": 5}), ("Ada",), ("greedy",), None)
    await edit_game(game, look=LOOK)


async def _replay() -> None:
    record = "dots rows=2 cols=2 border=none | Ada, Bob | h0 h1 h2 h3 h4 h5 v0 v2 v1 v3 v5 v4"
    steps = list(rooms(Record.parse(record)))
    pause = lambda _: asyncio.Event().wait()  # noqa: E731
    await ReplayScreen(steps, DisplayOptions(), load_theme("dark"), at=7, pause=pause).run()  # type: ignore[arg-type]


TURN = "your turn"
SCENES = {
    "waiting": Scene(_waiting, [("waiting for", "")]),
    "qr-code": Scene(_qr_code, [("waiting for", F8), ("closes this", "")]),
    "playing": Scene(_playing, [(TURN, TAB), ("Enter plays", "")]),
    "watching": Scene(_watching, [("watching", "")]),
    "chat": Scene(_chat, [("No connection", "")]),
    "question": Scene(_playing, [(TURN, "half a line"), ("half a line", F10), ("Leave", "")]),
    "completion": Scene(_playing, [(TURN, "/s"), ("/say", TAB), ("> /settings", "")]),
    "premove": Scene(_premove, [("Bob's turn", "h4\r"), ("then h4", "")]),
    "help": Scene(_playing, [(TURN, F1), ("closes this", "")]),
    "large": Scene(_large, [(TURN, F4), ("Enter plays", "")]),
    "over": Scene(_over, [("game over", "")]),
    "next": Scene(_over, [("game over", F6), ("/start", F6), ("Enter starts", "")]),
    "host": Scene(_over, [("game over", F6), ("/start", "")]),
    "menu": Scene(_menu, [("Join", "")]),
    "rooms": Scene(_rooms, [("den", "")]),
    "servers": Scene(_servers, [("museum", "")]),
    "form": Scene(_form, [("Enter starts", "")]),
    "replay": Scene(_replay, [("7 of 12", "")]),
    "replay-help": Scene(_replay, [("7 of 12", F1), ("closes this", "")]),
    "too-small": Scene(_playing, [("40x12", "")], ((39, 12), (40, 11), (20, 4))),
}

GERMAN_SCENES = {
    "playing": Scene(_playing, [("Ada>", TAB), ("Enter spielt", "")]),
    "help": Scene(_playing, [("Ada>", F1), ("Jederzeit", "")]),
    "chat": Scene(_chat, [("Keine Verbindung", "")]),
    "over": Scene(_over, [("Spiel aus", "")]),
    "next": Scene(_over, [("Spiel aus", F6), ("/start", F6), ("Enter beginnt", "")]),
    "host": Scene(_over, [("Spiel aus", F6), ("/start", "")]),
    "menu": Scene(_menu, [("Mitspielen", "")]),
    "rooms": Scene(_rooms, [("den", "")]),
    "servers": Scene(_servers, [("museum", "")]),
    "form": Scene(_form, [("Enter beginnt", "")]),
    "replay": Scene(_replay, [("7 von 12", "")]),
}
"""Screens for people who speak German, with the texts that they show."""
