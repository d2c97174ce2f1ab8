"""Three pages and two terminals at one table for an hour: nothing is lost, and nothing grows.

They play game after game with a bot, which takes its time, so that the machine mostly waits. A
referee who knows the rules counts along. All boards agree after each move, all clients lose their
connections now and then, and one of them says something in each game. BOXROOM_SOAK_MINUTES is the
duration.
"""

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.async_api import Browser
from tests.client.cutting_proxy import Allowance, CuttingProxy, cutting_proxy
from tests.e2e.people import AtPhone, AtTerminal, Person, at_terminal
from tests.e2e.referee import Game, table_of
from tests.e2e.serving import serving
from tests.e2e.terminal import Terminal
from tests.faults.resources import LEAST_SIZES, has_grown, resident_bytes
from tests.faults.stored_content import content_of
from tests.web.browser import CHROMIUM, NO_BROWSER, Visitor, chromium, visitor_at

from boxroom_engine.games.record import Record
from boxroom_server.storage.room_log import fold_log

ROOM = "evening"
ROWS, COLS = 3, 3
BOT_PACE_S = 4
CUT_IN = 12
"""Moves of people for each that is followed by cuts of all connections."""
PATIENCE_MS = 120_000
"""Time after which a wait for a page has failed: an hour has bad moments on a busy machine."""

MIB = 2**20


class Limit(NamedTuple):
    """A growth that is no leak, and the unit in which figures are printed."""

    most: float
    unit: int
    unit_name: str


LIMITS = {
    "server": Limit(8 * MIB, MIB, "MiB"),
    "terminal": Limit(8 * MIB, MIB, "MiB"),
    "heap": Limit(MIB, MIB, "MiB"),
    "listeners": Limit(20, 1, "listeners"),
    "nodes": Limit(500, 1, "nodes"),  # of the journal, which gets shorter now and then
}
"""Limits by the kind of figure: memory of processes, and what a page holds."""


class Watched:
    """Figures of everything that runs, one of each after each game."""

    def __init__(self, server_pid: int) -> None:
        self._server_pid = server_pid
        self._by_name: dict[tuple[str, str], list[int]] = {}

    async def look(self, people: dict[str, Person]) -> None:
        """Add the figures as they are now."""
        self._add("server", "", resident_bytes(self._server_pid))
        for name, person in people.items():
            if isinstance(person, AtTerminal):
                self._add("terminal", name, resident_bytes(person.terminal.pid))
            elif isinstance(person, AtPhone):
                for kind, value in (await held_by(person.visitor)).items():
                    self._add(kind, name, value)

    def _add(self, kind: str, name: str, value: int) -> None:
        self._by_name.setdefault((kind, name), []).append(value)

    def grown(self) -> Iterator[str]:
        """Print all figures; yield those that have grown too much."""
        for (kind, name), sizes in self._by_name.items():
            most, unit, unit_name = LIMITS[kind]
            growth = has_grown(sizes)
            told = (
                f"{kind} {name}: {sizes[0] / unit:.1f} to {sizes[-1] / unit:.1f} {unit_name}, "
                f"{growth / unit:+.2f} from the second quarter to the last"
            )
            print(told)
            if growth > most:
                yield told


async def held_by(visitor: Visitor) -> dict[str, int]:
    """Return what a page holds once its garbage is collected."""
    session = await visitor.context.new_cdp_session(visitor.page)
    await session.send("HeapProfiler.collectGarbage")
    await session.send("Performance.enable")
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    await session.detach()
    values = {it["name"]: int(it["value"]) for it in metrics}
    return {
        "heap": values["JSHeapUsedSize"],
        "listeners": values["JSEventListeners"],
        "nodes": values["Nodes"],
    }


class Evening:
    """The people at the table, and the games that they have played."""

    def __init__(self, people: dict[str, Person], proxy: CuttingProxy, rng: random.Random) -> None:
        self.people = people
        self.games: list[Game] = []
        """All games so far; the last one may be going on."""
        self._proxy = proxy
        self._rng = rng

    @property
    def _pages(self) -> list[AtPhone]:
        return [person for person in self.people.values() if isinstance(person, AtPhone)]

    async def begin(self) -> None:
        """Begin a game, and have one of them say something."""
        number = len(self.games) + 1
        if number == 1:
            self._host.types("/start")
        else:
            for person in self.people.values():
                await person.wants_a_rematch()
        order = await self._pages[0].sees_game(number)
        self.games.append(Game(ROWS, COLS, order))
        speaker = self._rng.choice([*self.people])
        text = f"this is game {number} for {speaker}"
        await self.people[speaker].says(text)
        for person in self.people.values():
            await person.sees(text)
        await self._compare()

    @property
    def _host(self) -> AtTerminal:
        return next(it for it in self.people.values() if isinstance(it, AtTerminal))

    async def play(self) -> None:
        """Play the game to its end."""
        game = self.games[-1]
        while not game.is_over:
            await self._make_a_move(game)

    async def _make_a_move(self, game: Game) -> None:
        """Have the player to move make one, and wait until all boards show it."""
        player = self.people.get(game.to_move)
        line = self._rng.choice(game.free)
        if player is not None:
            await player.plays(line)
            if self._rng.randrange(CUT_IN) == 0:
                self._cut()
        played = await self._pages[0].sees_move(game.moves)
        assert player is None or played == line
        game.play(played)
        await self._compare()

    def _cut(self) -> None:
        """Cut all connections, and the next ones after some bytes."""
        chance = self._rng.randrange
        self._proxy.allow(Allowance(chance(2_000), chance(12_000)) for _ in self.people)
        self._proxy.cut()

    async def _compare(self) -> None:
        """Wait until all boards are as the referee's, unless the bot goes on meanwhile."""
        game = self.games[-1]
        if game.is_over or game.to_move in self.people:
            for person in self.people.values():
                await person.sees_board(game)


@pytest.fixture
def minutes() -> float:
    """Duration of the evening."""
    return float(os.environ.get("BOXROOM_SOAK_MINUTES", "60"))


@pytest.mark.long
async def test_nothing_is_lost_and_nothing_grows(minutes: float, tmp_path: Path) -> None:
    if CHROMIUM is None:
        pytest.skip(NO_BROWSER)
    until_s = time.monotonic() + 60 * minutes
    async with AsyncExitStack() as stack:
        folder = tmp_path / "data"
        server = await stack.enter_async_context(serving(folder, "--pace-s", f"{BOT_PACE_S}"))
        proxy = await stack.enter_async_context(cutting_proxy(server.port))
        browser = await stack.enter_async_context(chromium())
        people = await come(stack, browser, proxy, tmp_path)
        evening = Evening(people, proxy, random.Random(1))
        watched = Watched(server.process.pid)
        while time.monotonic() < until_s or len(evening.games) < LEAST_SIZES:
            await evening.begin()
            await evening.play()
            await watched.look(people)
        proxy.hold()
        print(f"{len(evening.games)} games, {proxy.connections} connections")
        grown = [*watched.grown()]
        await check_table(people, evening.games)
        for person in people.values():
            if isinstance(person, AtPhone):
                person.visitor.forgive_failures()
    await check_stored(folder, evening.games)
    assert not grown


async def come(
    stack: AsyncExitStack, browser: Browser, proxy: CuttingProxy, folder: Path
) -> dict[str, Person]:
    """Have everybody come to one table: the host is at a terminal."""

    def at(name: str, *more: str, columns: int, lines: int) -> AtTerminal:
        own = folder / name
        terminal = Terminal(
            *("join", str(proxy.address), "--room", ROOM, "--name", name, *more),
            columns=columns,
            lines=lines,
            environ={"BOXROOM_CONFIG_DIR": str(own), "BOXROOM_DATA": str(own / "data")},
        )
        return stack.enter_context(at_terminal(terminal))

    dora = at("Dora", "--create", "--seats", "6", columns=120, lines=40)
    await dora.sees("You are the host")
    dora.types(f"/set rows {ROWS} cols {COLS}")
    people: dict[str, Person] = {"Dora": dora, "Eve": at("Eve", columns=100, lines=36)}
    await dora.sees("Eve sits down")
    for name in ("Ada", "Bob", "Cid"):
        url = f"http://127.0.0.1:{proxy.address.port}/#{ROOM}"
        visitor = await stack.enter_async_context(visitor_at(browser, url))
        visitor.context.set_default_timeout(PATIENCE_MS)
        await visitor.come_in(name)
        people[name] = AtPhone(visitor)
        await dora.sees(f"{name} sits down")
    dora.types("/bot random")
    await dora.sees("All seats are taken")
    return people


async def check_table(people: dict[str, Person], games: Sequence[Game]) -> None:
    """Check that everybody sees the table of these games."""
    for person in people.values():
        await person.sees_table(table_of(games))


async def check_stored(folder: Path, games: Sequence[Game]) -> None:
    """Check that the server has saved each move: in the finished games, and in the room's log."""
    content = await content_of(folder)
    assert content.games is not None
    stored = [[*Record.parse(game.record).tokens] for game in content.games]
    assert stored == [game.lines for game in games]
    found = content.rooms[ROOM]
    assert found is not None
    record, log = found
    room, _ = fold_log(log, record)
    assert [*room.tokens] == games[-1].lines
