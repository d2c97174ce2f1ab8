"""A connection cut after any byte, either way: no client misses anything, nothing is done twice.

One scenario is played without a cut first. Then it is played again and again, each time with one
connection of one client cut after another byte, and has to lead to the same events: resuming
never differs from having stayed.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import NamedTuple

import pytest
from tests.client.cutting_proxy import Allowance, Way
from tests.client.update_reader import LIMIT_S
from tests.faults.parameters import UNLIMITED
from tests.faults.readable_log import ReadableLog
from tests.faults.scenario import NAMES, Scenario, play_through, scenario
from tests.server.talk import Lobby, lobby

from boxroom_client.link.connection import Create, Join
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Settings
from boxroom_server.storage.memory.storage import memory_storage


class Cut(NamedTuple):
    """A cut after `offset` bytes that went one way over the first connection of a client."""

    name: str
    way: Way
    offset: int

    @property
    def allowance(self) -> Allowance:
        """Bytes that the connection may carry before it is cut."""
        return Allowance(**{self.way: self.offset})


@pytest.fixture
async def log() -> ReadableLog:
    return ReadableLog()


@pytest.fixture
async def place(log: ReadableLog) -> AsyncIterator[Lobby]:
    async with lobby(storage=memory_storage(log), bot_workers=1, **UNLIMITED) as place:
        yield place


class Recorded(NamedTuple):
    """Events and answers of a scenario without cuts, and all possible cuts."""

    events: list[ev.Event]
    answers: list[str]
    cuts: list[Cut]


async def record(place: Lobby, log: ReadableLog) -> Recorded:
    """Play the scenario without a cut."""
    async with scenario(place, log, "room 00000", {}) as uncut:
        await play_through(uncut)
        uncut.check()
        cuts = [
            Cut(name, way, offset)
            for name, proxy in uncut.proxies.items()
            for way, carried in proxy.carried.items()
            for offset in range(carried)
        ]
        return Recorded(uncut.comparable_events(), [how for *_, how in uncut.answers], cuts)


async def check_cuts(
    place: Lobby, log: ReadableLog, recorded: Recorded, cuts: Iterable[Cut]
) -> None:
    """Play the scenario again with each of `cuts`, and compare."""
    for number, cut in enumerate(cuts, 1):
        print(f"scenario {number}: {cut}")
        allowances = {cut.name: [cut.allowance]}
        async with scenario(place, log, f"room {number:05}", allowances) as again:
            await play_through(again)
            assert again.proxies[cut.name].used_up == 1
            again.check()
            assert again.comparable_events() == recorded.events
            assert [how for *_, how in again.answers] == recorded.answers
            await again.close()
        place.clock.advance(60)  # or thousands of empty rooms would stay


async def test_after_any_of_some_bytes(place: Lobby, log: ReadableLog, seed: int) -> None:
    recorded = await record(place, log)
    cuts = random.Random(seed).sample(recorded.cuts, 10)
    await check_cuts(place, log, recorded, cuts)


@pytest.mark.long
async def test_after_every_byte(place: Lobby, log: ReadableLog) -> None:
    recorded = await record(place, log)
    await check_cuts(place, log, recorded, recorded.cuts)
    print(f"{len(recorded.cuts)} cuts")


# Long games over bad connections


def short_lives(rng: random.Random, bytes_each: int) -> Iterator[Allowance]:
    """Yield allowances that all end early, some of them before anything useful was sent."""
    while True:
        up, down = rng.randrange(bytes_each), rng.randrange(4 * bytes_each)
        yield rng.choice([Allowance(up=up), Allowance(down=down), Allowance(up, down)])


async def play_to_the_end(rng: random.Random, played: Scenario, rows: int) -> None:
    """Play a game of Ann and Bob, who chat and are watched by Cid, over bad connections."""
    board = Settings(options={"rows": rows, "cols": rows})
    await played.enter("Ann", Create(board, room=played.code))
    await played.enter("Bob", Join(played.code))
    await played.enter("Cid", Join(played.code, watch=True))
    await start(played)
    while (state := played.room.running) is not None:
        assert state.to_move is not None
        name = played.room.seats[state.to_move].member
        assert name is not None
        move = state.game.format_move(rng.choice(state.legal_moves()))
        play = cmd.Play(1, state.to_move, move, state.ply, 1)
        await played.ask_only(name, cmd.Say(1, f"I play {move}"), play)


async def start(played: Scenario) -> None:
    """Start the game, which needs all players connected at the same moment."""
    async with asyncio.timeout(LIMIT_S):
        while played.room.phase is not Phase.PLAYING:
            await played.ask_only("Ann", cmd.Start(1))


async def check_long_game(
    place: Lobby, log: ReadableLog, rng: random.Random, rows: int, bytes_each: int
) -> None:
    allowances = {name: short_lives(random.Random(rng.random()), bytes_each) for name in NAMES}
    code = f"long {rows}"
    async with scenario(place, log, code, allowances) as played:
        await play_to_the_end(rng, played, rows)
        for proxy in played.proxies.values():
            proxy.hold()
        await played.until_in_sync()
        played.check()
        moves = [it for it in played.comparable_events() if isinstance(it, ev.Played)]
        assert len(moves) == 2 * rows * (rows + 1)
        print(f"{sum(it.used_up for it in played.proxies.values())} cuts in {len(moves)} moves")
        await played.close()


async def test_again_and_again_in_a_game(place: Lobby, log: ReadableLog, seed: int) -> None:
    await check_long_game(place, log, random.Random(seed), rows=5, bytes_each=1_500)


@pytest.mark.long
async def test_again_and_again_in_long_games(place: Lobby, log: ReadableLog, seed: int) -> None:
    for game in range(20):
        await check_long_game(place, log, random.Random(seed + game), rows=20, bytes_each=4_000)
        place.clock.advance(7200)
