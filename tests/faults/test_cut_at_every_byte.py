"""A connection cut after any byte, either way: nobody misses anything, nothing is done twice.

One session is played without a cut first. Then it is played again and again, each time with
one connection of one client cut after another byte, and has to tell the same story: a resume
never differs from having stayed.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import NamedTuple

import pytest
from tests.client.cutting_proxy import Allowance, Way
from tests.client.update_reader import LIMIT_S
from tests.faults.legible_log import LegibleLog
from tests.faults.session import NAMES, Session, play_through, session
from tests.faults.unlimited import UNLIMITED
from tests.server.talk import Lobby, lobby

from boxroom_client.link.connection import Create, Join
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Settings
from boxroom_server.storage.storage import Storage


class Cut(NamedTuple):
    """After so many bytes that went one way over the first connection of a client."""

    name: str
    way: Way
    offset: int

    @property
    def allowance(self) -> Allowance:
        """What the connection that is cut may carry."""
        return Allowance(**{self.way: self.offset})


@pytest.fixture
async def log() -> LegibleLog:
    return LegibleLog()


@pytest.fixture
async def place(log: LegibleLog) -> AsyncIterator[Lobby]:
    async with lobby(storage=Storage(log), bot_workers=1, **UNLIMITED) as place:
        yield place


class Recorded(NamedTuple):
    """What happened in a session without cuts, and where it can be cut."""

    story: list[ev.Event]
    answers: list[str]
    cuts: list[Cut]


async def record(place: Lobby, log: LegibleLog) -> Recorded:
    """Play the session without a cut."""
    async with session(place, log, "room 00000", {}) as uncut:
        await play_through(uncut)
        uncut.check()
        cuts = [
            Cut(name, way, offset)
            for name, proxy in uncut.proxies.items()
            for way, carried in proxy.carried.items()
            for offset in range(carried)
        ]
        return Recorded(uncut.story(), [how for *_, how in uncut.answers], cuts)


async def check_cuts(
    place: Lobby, log: LegibleLog, recorded: Recorded, cuts: Iterable[Cut]
) -> None:
    """Play the session again with each of `cuts`, and compare."""
    for number, cut in enumerate(cuts, 1):
        print(f"session {number}: {cut}")
        allowances = {cut.name: [cut.allowance]}
        async with session(place, log, f"room {number:05}", allowances) as again:
            await play_through(again)
            assert again.proxies[cut.name].used_up == 1
            again.check()
            assert again.story() == recorded.story
            assert [how for *_, how in again.answers] == recorded.answers
            await again.close()
        place.clock.advance(60)  # or thousands of rooms would wait for somebody


async def test_after_any_of_some_bytes(place: Lobby, log: LegibleLog, seed: int) -> None:
    recorded = await record(place, log)
    cuts = random.Random(seed).sample(recorded.cuts, 60)
    await check_cuts(place, log, recorded, cuts)


@pytest.mark.long
async def test_after_every_byte(place: Lobby, log: LegibleLog) -> None:
    recorded = await record(place, log)
    await check_cuts(place, log, recorded, recorded.cuts)
    print(f"{len(recorded.cuts)} cuts")


# Long games over bad lines


def short_lives(rng: random.Random, bytes_each: int) -> Iterator[Allowance]:
    """Connections that all end early, some of them before they carry anything of use."""
    while True:
        up, down = rng.randrange(bytes_each), rng.randrange(4 * bytes_each)
        yield rng.choice([Allowance(up=up), Allowance(down=down), Allowance(up, down)])


async def play_to_the_end(rng: random.Random, played: Session, rows: int) -> None:
    """A game of Ann and Bob, who talk, before the eyes of Cid, over lines that never hold."""
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


async def start(played: Session) -> None:
    """Start the game, which needs everybody there at the same moment."""
    async with asyncio.timeout(LIMIT_S):
        while played.room.phase is not Phase.PLAYING:
            await played.ask_only("Ann", cmd.Start(1))


async def check_long_game(
    place: Lobby, log: LegibleLog, rng: random.Random, rows: int, bytes_each: int
) -> None:
    allowances = {name: short_lives(random.Random(rng.random()), bytes_each) for name in NAMES}
    code = f"long {rows}"
    async with session(place, log, code, allowances) as played:
        await play_to_the_end(rng, played, rows)
        for proxy in played.proxies.values():
            proxy.hold()
        await played.settled()
        played.check()
        moves = [it for it in played.story() if isinstance(it, ev.Played)]
        assert len(moves) == 2 * rows * (rows + 1)
        print(f"{sum(it.used_up for it in played.proxies.values())} cuts in {len(moves)} moves")
        await played.close()


async def test_again_and_again_in_a_game(place: Lobby, log: LegibleLog, seed: int) -> None:
    await check_long_game(place, log, random.Random(seed), rows=5, bytes_each=1_500)


@pytest.mark.long
async def test_again_and_again_in_long_games(place: Lobby, log: LegibleLog, seed: int) -> None:
    for game in range(20):
        await check_long_game(place, log, random.Random(seed + game), rows=20, bytes_each=4_000)
        place.clock.advance(7200)
