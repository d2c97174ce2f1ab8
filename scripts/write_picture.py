"""Write docs/picture.svg, which README shows: the program in the middle of a game.

::

    .venv/bin/python -m scripts.write_picture

The server, the connections, the bot and Ada's screen are real. The time, and the seeds of all
choices of moves, are fixed.
"""

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

from prompt_toolkit.output import ColorDepth
from scripts.terminal_svg import svg
from tests.client.screen.playing import Terminal, a_terminal

from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import Create, Join, JoinRequest
from boxroom_client.profile.identity import Identity
from boxroom_client.screen.app import GameScreen
from boxroom_client.screen.model import DisplayOptions
from boxroom_client.screen.themes.theme import load_theme
from boxroom_client.servers.address import Address
from boxroom_client.shell.input.intents import Switch
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import State
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import ChatTo, Room, Settings
from boxroom_engine.stopping import Limit
from boxroom_server.options import Options
from boxroom_server.server import serve

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "picture.svg"
TITLE = "Ada's screen: a game of three on a board of 5×5, its players, and what they say"

COLUMNS, LINES = 100, 28
ROOM = "kiwa-tobe"
PEOPLE = ("Ada", "Bob")
PLIES = 42
SEED = 5

SAID = (
    (30, "Bob", "quiet so far..."),
    (31, "Ada", "not for long :)"),
    (38, "Bob", "who opens the long one?"),
    (40, "Ada", "not me!"),
)
"""Lines of chat: the least number of moves before each, its speaker, and its text."""

TAB, F10 = "\t", "\x1b[21~"


async def picture() -> str:
    """Return the picture as SVG, the same each time."""
    async with AsyncExitStack() as stack:
        options = Options(host="127.0.0.1", port=0, bot_workers=1, bot_s=1000.0, pace_s=0.0)
        server = await stack.enter_async_context(serve(options, rng=random.Random(SEED)))
        address = Address("127.0.0.1", server.port)

        async def join(name: str, entrance: JoinRequest) -> RoomConnection:
            connection = RoomConnection(address, Identity.make(name), entrance)
            return await stack.enter_async_context(connection)

        settings = Settings(options={"rows": 5, "cols": 5}, seats=3)
        ada = await join("Ada", Create(settings, ROOM))
        terminal = stack.enter_context(a_terminal(COLUMNS, LINES, depth=ColorDepth.DEPTH_24_BIT))
        theme = load_theme("dark", folder=PICTURE.parent)  # not the user's own
        look = DisplayOptions()
        look.switches[Switch.BELL] = False  # it would be explained in the log
        screen = GameScreen(ada, look, theme, now_s=lambda: 0.0)
        shown = asyncio.create_task(screen.run())
        bob = await join("Bob", Join(ROOM))
        await join("Dora", Join(ROOM, watch=True))
        await _Game(terminal, screen, bob).play()
        document = svg(terminal.cells, TITLE)
        terminal.enter(f"{F10}y")
        await shown
    return document


class _Game:
    """A game of Ada at her screen, Bob elsewhere, and a bot on the server."""

    def __init__(self, terminal: Terminal, screen: GameScreen, bob: RoomConnection) -> None:
        self._terminal = terminal
        self._screen = screen
        self._bob = bob
        self._rng = random.Random(SEED)  # of the moves of Ada and Bob

    async def play(self) -> None:
        """Play until Ada has to move after that many moves."""
        self._terminal.enter("/bot greedy")
        await self._terminal.sees("All seats are taken")
        self._terminal.enter("/start")
        await self._terminal.sees("your turn, Ada")
        left = list(SAID)
        while True:
            # Only people follow the script. A bot plays at its own time, before or after it.
            await self._terminal.until(lambda: self._to_move in PEOPLE, "a person's turn")
            while left and left[0][0] <= self._state.ply:
                _, name, text = left.pop(0)
                await self._say(name, text)
            if self._state.ply >= PLIES and self._to_move == "Ada":
                break
            await self._move()
        self._terminal.type(TAB)
        await self._terminal.sees("Enter plays")

    @property
    def _room(self) -> Room:
        return self._screen.room

    @property
    def _state(self) -> State:
        assert self._room.state is not None
        return self._room.state

    @property
    def _to_move(self) -> str:
        assert self._state.to_move is not None
        return self._room.players[self._state.to_move]

    async def _move(self) -> None:
        """Play a move of Ada or Bob, who choose like the bot."""
        state = self._state
        assert state.to_move is not None
        choice = bot_of("greedy").choose(state, Limit(1.0, lambda: 0.0), self._rng)
        move = state.game.format_move(choice)
        if self._to_move == "Ada":
            self._terminal.enter(move)
        else:
            await self._bob.ask(cmd.Play(0, state.to_move, move, state.ply))
        await self._terminal.until(lambda: self._state.ply > state.ply, "a move")

    async def _say(self, name: str, text: str) -> None:
        if name == "Ada":
            self._terminal.enter(text)
        else:
            await self._bob.ask(cmd.Say(0, text, ChatTo.ALL))
        await self._terminal.sees(f"{name}: {text}")


if __name__ == "__main__":
    PICTURE.write_text(asyncio.run(picture()), encoding="utf-8")
