"""Tables at which witnesses play over lines that never hold, to be judged in the end."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from tests.client.cutting_proxy import Allowance, CuttingProxy, cutting_proxy
from tests.faults.history import Account, History, violations
from tests.faults.witnesses import RealWitness, Witness

from boxroom_engine.room.room import OnDrop, Settings
from boxroom_engine.room.view import Snapshot

LIMIT_S = 60.0
"""How long witnesses may hear nothing, or be kept from knowing the end."""

BOARD = Settings(options={"rows": 3, "cols": 3}, on_drop=OnDrop.WAIT)


class Progress:
    """The lives of witnesses and how many answers they got, for those who wait for more."""

    def __init__(self) -> None:
        self._answers = 0
        self._changed = asyncio.Event()
        self._lives: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def with_life_of(self, witness: Witness | RealWitness) -> AsyncIterator[None]:
        """Inside, `witness` lives, and has come into its room."""
        life = asyncio.create_task(witness.live())
        self._lives.add(life)
        try:
            await self.until(lambda: witness.seq > 0)
            yield
        finally:
            self._lives.discard(life)
            life.cancel()
            await asyncio.wait([life])

    def one_more(self) -> None:
        self._answers += 1
        self._changed.set()

    async def more(self, answers: int) -> None:
        """Wait for so many more answers."""
        goal = self._answers + answers
        await self.until(lambda: self._answers >= goal)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, which has to be so by an answer, or soon."""
        async with asyncio.timeout(LIMIT_S):
            while not holds():
                for life in self._lives:
                    if life.done():
                        life.result()  # a witness never ends by itself, but by an error
                self._changed.clear()
                asyncio.get_running_loop().call_later(0.05, self._changed.set)
                await self._changed.wait()


def flaky(rng: random.Random) -> Iterator[Allowance]:
    """Some connections hold for long, others not even for the handshake."""
    while True:
        up, down = Allowance(up=rng.randrange(4_000)), Allowance(down=rng.randrange(10_000))
        yield rng.choice([Allowance(), up, up, up, down, down, down])


def late(rng: random.Random) -> Callable[[], float]:
    """Mostly at once, now and then a little later, in seconds."""
    return lambda: rng.random() * 0.02 if rng.random() < 0.05 else 0.0


@dataclass(frozen=True)
class Table:
    """A room, its witnesses, and the lines that they have."""

    room: str
    witnesses: tuple[Witness | RealWitness, ...]
    proxies: tuple[CuttingProxy, ...]

    def fall_silent(self) -> None:
        """Nobody asks anything more, and no line breaks any more."""
        for proxy in self.proxies:
            proxy.hold()
        for witness in self.witnesses:
            witness.fall_silent()

    @property
    def is_answered(self) -> bool:
        """Whether nothing is open."""
        return not any(witness.has_open_questions for witness in self.witnesses)

    def knows(self, seq: int) -> bool:
        """Whether everybody has been told event number `seq`."""
        return all(witness.seq >= seq for witness in self.witnesses)

    def history(self, ended: Snapshot) -> History:
        """What all have to say of the time until then."""
        host = self.witnesses[0]
        assert isinstance(host, Witness)
        assert host.began is not None
        accounts = (_until(ended.seq, witness.account()) for witness in self.witnesses)
        return History(host.began, ended, tuple(accounts))


def _until(seq: int, account: Account) -> Account:
    """What was told up to `seq`: who comes to look at the end of the room is an event, too."""
    told = (tuple(it for it in stretch if it.seq <= seq) for stretch in account.told)
    shown = (seen for seen in account.shown if seen.seq <= seq)
    return replace(account, told=tuple(told), shown=tuple(shown))


@asynccontextmanager
async def table(
    room: str, port: int, rng: random.Random, progress: Progress
) -> AsyncIterator[Table]:
    """Two players and two spectators, one of each with the real client, who have come in."""
    async with AsyncExitStack() as stack:
        lines = [random.Random(rng.random()) for _ in range(4)]
        proxies = [
            await stack.enter_async_context(cutting_proxy(port, flaky(line), late(line)))
            for line in lines
        ]
        ports = [proxy.address.port for proxy in proxies]
        heard = progress.one_more
        host = Witness(f"Host of {room}", room, ports[0], lines[0], heard, made_with=BOARD)
        others = (
            RealWitness(f"Guest of {room}", room, ports[1], lines[1], heard),
            Witness(f"Watcher of {room}", room, ports[2], lines[2], heard),
            RealWitness(f"Onlooker of {room}", room, ports[3], lines[3], heard),
        )
        for witness in (host, *others):
            await stack.enter_async_context(progress.with_life_of(witness))
        yield Table(room, (host, *others), tuple(proxies))


async def end_of(table: Table, port: int, progress: Progress) -> Snapshot:
    """The room as a stranger finds it."""
    stranger = Witness(
        f"Stranger in {table.room}", table.room, port, random.Random(1), lambda: None
    )
    stranger.fall_silent()
    async with progress.with_life_of(stranger):
        ended = stranger.began
        assert ended is not None
        await progress.until(lambda: table.knows(ended.seq))
        return ended


@asynccontextmanager
async def tables(rooms: Sequence[str], port: int, rng: random.Random) -> AsyncIterator[Progress]:
    """Tables in `rooms` of the server at `port`; at the end of the context they are judged."""
    progress = Progress()
    async with AsyncExitStack() as stack:
        laid = [
            await stack.enter_async_context(
                table(room, port, random.Random(rng.random()), progress)
            )
            for room in rooms
        ]
        yield progress
        for one in laid:
            one.fall_silent()
        await progress.until(lambda: all(one.is_answered for one in laid))
        for one in laid:
            history = one.history(await end_of(one, port, progress))
            print(f"{_size(history)}, {sum(it.used_up for it in one.proxies)} cuts")
            found = violations(history)
            assert not found, "\n".join(map(str, found))


def _size(history: History) -> str:
    accounts = history.accounts
    answers = sum(len(account.answers) for account in accounts)
    stretches = sum(len(account.told) for account in accounts)
    return f"{history.ended.seq} events, {answers} answers, {stretches} stretches of events"
