"""One session in which nearly everything happens, always the same, whatever is cut meanwhile.

Ann hosts, Bob plays, Cid watches; each is the real client behind a proxy of its own. The
session goes on when everybody knows what the server knows, so that two runs of it differ in
nothing but what the cuts do, and in what bots draw at random.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Self

from msgspec.structs import replace
from tests.client.cutting_proxy import Allowance, CuttingProxy, cutting_proxy
from tests.client.update_reader import LIMIT_S, UpdateReader, quick_backoff
from tests.faults.legible_log import LegibleLog
from tests.faults.same_room import conversations, mirrors
from tests.server.talk import Lobby

from boxroom_client.link.connection import Create, Join, JoinRequest, RoomConnection
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.updates import SessionEnded, Update
from boxroom_client.profile.identity import Identity
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import ChatTo, RequestedSettings, Room, Settings

NAMES = ("Ann", "Bob", "Cid")
SECRETS = {name: f"the secret of {name}" for name in NAMES}
CLOCK_S = 9
SETTINGS = Settings(options={"rows": 1, "cols": 1}, seats=3, clock_s=CLOCK_S)

Allowances = Mapping[str, Iterable[Allowance]]
"""What the connections of each name carry before they are cut."""


class Session:
    """The room of one session, and everybody in it."""

    def __init__(
        self, place: Lobby, log: LegibleLog, code: str, proxies: Mapping[str, CuttingProxy]
    ) -> None:
        self.code = code
        self.place = place
        self.proxies = proxies
        self.here: dict[str, RoomConnection] = {}
        self.answers: list[tuple[str, int, str]] = []
        """Who was answered, the number that it led to (0 for none), and how."""
        self._stack = AsyncExitStack()
        self._listening: dict[str, asyncio.Task[list[Update]]] = {}
        self._log = log

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def close(self) -> None:
        """Close all connections, and hear everything that they tell, to the end."""
        await self._stack.aclose()
        await asyncio.gather(*self._listening.values())

    @property
    def entries(self) -> list[ev.Entry]:
        """What the server's log has kept."""
        return self._log.entries_of(self.code)

    @property
    def room(self) -> Room:
        """The server's own."""
        return self.place.room(self.code)

    async def enter(self, name: str, entrance: JoinRequest) -> None:
        """Come in, with as many attempts as it takes: the cut may be early."""
        identity = Identity(name, SECRETS[name])
        connection = RoomConnection(
            self.proxies[name].address, identity, entrance, backoff=quick_backoff()
        )
        async with asyncio.timeout(LIMIT_S):
            while name not in self.here:
                with suppress(Unreachable):
                    self.here[name] = await self._stack.enter_async_context(connection)
        self._listening[name] = asyncio.create_task(UpdateReader(connection).until_end())
        await self.settled()

    async def ask(self, name: str, *commands: cmd.AnyMemberCommand) -> None:
        """Let `name` ask all that at once, and wait until it is answered and everybody knows."""
        await self.ask_only(name, *commands)
        await self.settled()

    async def ask_only(self, name: str, *commands: cmd.AnyMemberCommand) -> None:
        """Let `name` ask all that at once, and wait until it is answered."""
        async with asyncio.timeout(LIMIT_S):
            asked = (self.here[name].ask(command) for command in commands)
            for answer in await asyncio.gather(*asked):
                how = getattr(answer, "code", "done")
                self.answers.append((name, getattr(answer, "seq", 0), how))

    async def play(self, name: str, move: str | None = None) -> None:
        """Let `name` play `move`, or the first one that is legal, in the seat to move."""
        state = self.room.state
        assert state is not None
        assert state.to_move is not None
        assert self.room.seats[state.to_move].member == name
        move = move or state.game.format_move(state.legal_moves()[0])
        number = self.room.game_number
        await self.ask(name, cmd.Play(1, state.to_move, move, state.ply, number))

    async def until_to_move(self, seat: int) -> None:
        """Wait until bots have played and it is the turn of `seat`."""
        async with asyncio.timeout(LIMIT_S):
            while self.room.state is None or self.room.state.to_move != seat:  # noqa: ASYNC110
                await asyncio.sleep(0)
        await self.settled()

    async def settled(self) -> None:
        """Wait until everybody who was cut is back, and knows what the server knows."""
        async with asyncio.timeout(LIMIT_S):
            while not self._is_settled():  # noqa: ASYNC110
                await asyncio.sleep(0)

    def _is_settled(self) -> bool:
        return conversations(self.place.server) == len(self.here) and all(
            self.proxies[name].used_up < self.proxies[name].connections
            and self.room.is_connected(name)
            and mirrors(connection.room, self.room, name)
            for name, connection in self.here.items()
        )

    async def sent_out(self, name: str) -> None:
        """Wait until `name` knows that it is out."""
        *_, finished = await self._listening[name]
        assert isinstance(finished, SessionEnded)
        assert finished.code in ("kicked", "barred")
        del self.here[name]
        await self.settled()

    def check(self) -> None:
        """What was answered is what was kept: every command once, and none twice."""
        led_to = [(it.member, it.last_seq) for it in self.entries if it.command_id]
        answered = [(name, seq) for name, seq, how in self.answers if how == "done"]
        assert sorted(led_to) == sorted(answered)
        by_id = [(it.member, it.command_id) for it in self.entries if it.command_id]
        assert len(set(by_id)) == len(by_id)
        numbers = [it.seq + index for it in self.entries for index in range(len(it.events))]
        assert numbers == list(range(1, self.room.seq + 1))

    def story(self) -> list[ev.Event]:
        """What happened, without what is different from run to run."""
        events = [event for entry in self.entries for event in entry.events]
        return [told for event in events if (told := _told(event)) is not None]


def _told(event: ev.Event) -> ev.Event | None:
    """`event` without times, chance and cuts, which a spectator who was cut left and came by."""
    match event:
        case ev.Dropped() | ev.Returned() | ev.Joined("Cid") | ev.Left("Cid"):
            return None
        case ev.Created():
            return replace(event, room="", log="")
        case ev.Played():
            return replace(event, move="", deadline_ms=None)
        case ev.Started():
            return replace(event, deadline_ms=None)
        case ev.Withdrew():
            return replace(event, deadline_ms=None)
        case ev.Said():
            return replace(event, at_ms=0)
        case ev.Revealed():
            return replace(event, lines=tuple(replace(it, seq=0, at_ms=0) for it in event.lines))
        case _:
            return event


@asynccontextmanager
async def session(
    place: Lobby, log: LegibleLog, code: str, allowances: Allowances
) -> AsyncIterator[Session]:
    """A session that hasn't begun, on a server that keeps its rooms in `log`."""
    async with AsyncExitStack() as stack:
        proxies = {
            name: await stack.enter_async_context(
                cutting_proxy(place.server.port, allowances.get(name, ()))
            )
            for name in NAMES
        }
        yield await stack.enter_async_context(Session(place, log, code, proxies))


async def play_through(session: Session) -> None:
    """The session itself, up to the end in which Cid is sent out."""
    await session.enter("Ann", Create(SETTINGS, room=session.code))
    await session.enter("Bob", Join(session.code))
    await session.enter("Cid", Join(session.code, watch=True))
    await _prepare(session)
    await _play_a_game(session)
    await _play_a_rematch(session)
    await _rearrange(session)


async def _prepare(session: Session) -> None:
    await session.ask("Bob", *(cmd.Say(1, f"line {number}") for number in range(3)))
    await session.ask("Cid", cmd.Sit(1), cmd.Stand(1))
    await session.ask("Bob", cmd.Start(1))
    await session.ask("Ann", cmd.SeatBot(1, "greedy"), cmd.Say(1, "ready?"))
    await session.ask("Ann", cmd.Start(1))  # alone: nobody may be cut off just then


async def _play_a_game(session: Session) -> None:
    await session.play("Ann", "h0")
    await session.play("Bob", "h0")
    await session.ask("Cid", cmd.Say(1, "a blunder", ChatTo.SPECTATORS))
    session.place.clock.advance(CLOCK_S)
    await session.until_to_move(0)
    await session.play("Ann")


async def _play_a_rematch(session: Session) -> None:
    await session.ask("Ann", cmd.Rematch(1))
    await session.ask("Bob", cmd.Rematch(1))
    await session.play("Bob")
    await session.until_to_move(2)
    await session.ask("Ann", cmd.Resign(1, 2))
    await session.ask("Bob", cmd.Resign(1, 0))


async def _rearrange(session: Session) -> None:
    await session.ask("Ann", cmd.Unseat(1, 1))
    await session.ask("Ann", cmd.HandOver(1, "Bob"))
    await session.ask("Ann", cmd.Sit(1, 1, "Ann's friend"), cmd.Stand(1, 2))
    wider = Settings(options={"rows": 1, "cols": 2}, seats=3)
    await session.ask("Bob", cmd.Configure(1, RequestedSettings.of(wider)))
    await session.ask_only("Bob", cmd.Kick(1, "Cid"))
    await session.sent_out("Cid")
