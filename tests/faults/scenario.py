"""A scenario in which nearly everything happens, always the same, whatever is cut meanwhile.

Ann hosts, Bob plays, Cid watches; each has the real client behind a proxy of its own. The scenario
goes on when all clients know what the server knows, so that two runs of it differ in nothing but
the effects of the cuts, and in what bots draw at random.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Self

from msgspec.structs import replace
from tests.client.cutting_proxy import Allowance, CuttingProxy, cutting_proxy
from tests.client.update_reader import LIMIT_S, UpdateReader, quick_backoff
from tests.faults.readable_log import ReadableLog
from tests.server.talk import Lobby

from boxroom_client.link.connection import Create, Join, JoinRequest, RoomConnection
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.updates import SessionEnded, Update
from boxroom_client.profile.identity import Identity
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import Audience, ChatTo, RequestedSettings, Room, Settings
from boxroom_engine.room.view import snapshot
from boxroom_engine.wire.messages import Done
from boxroom_server.server import Server

NAMES = ("Ann", "Bob", "Cid")
SECRETS = {name: f"the secret of {name}" for name in NAMES}
CLOCK_S = 9
SETTINGS = Settings(options={"rows": 1, "cols": 1}, seats=3, clock_s=CLOCK_S)

Allowances = Mapping[str, Iterable[Allowance]]
"""Numbers of bytes that the connections of each name carry before they are cut."""


class Scenario:
    """The room of one scenario, and its members."""

    def __init__(
        self, place: Lobby, log: ReadableLog, code: str, proxies: Mapping[str, CuttingProxy]
    ) -> None:
        self.code = code
        self.place = place
        self.proxies = proxies
        self.connections: dict[str, RoomConnection] = {}
        """Connections of the members, by name."""
        self.answers: list[tuple[str, int, str]] = []
        """Name, number of the last event (0 for none) and code or "done" of every answer."""
        self._stack = AsyncExitStack()  # closes the connections
        self._listening: dict[str, asyncio.Task[list[Update]]] = {}
        self._log = log

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def close(self) -> None:
        """Close all connections, and receive all their updates to the end."""
        await self._stack.aclose()
        await asyncio.gather(*self._listening.values())

    @property
    def entries(self) -> list[ev.Entry]:
        """Entries of the room in the server's log."""
        return self._log.entries_of(self.code)

    @property
    def room(self) -> Room:
        """The server's own state of the room."""
        return self.place.room(self.code)

    async def enter(self, name: str, entrance: JoinRequest) -> None:
        """Join with as many attempts as it takes: the cut may be early."""
        identity = Identity(name, SECRETS[name])
        connection = RoomConnection(
            self.proxies[name].address, identity, entrance, backoff=quick_backoff()
        )
        async with asyncio.timeout(LIMIT_S):
            while name not in self.connections:
                with suppress(Unreachable):
                    self.connections[name] = await self._stack.enter_async_context(connection)
        self._listening[name] = asyncio.create_task(UpdateReader(connection).until_end())
        await self.until_in_sync()

    async def ask(self, name: str, *commands: cmd.AnyMemberCommand) -> None:
        """Have `name` send all these at once; wait for the answers, and until all are in sync."""
        await self.ask_only(name, *commands)
        await self.until_in_sync()

    async def ask_only(self, name: str, *commands: cmd.AnyMemberCommand) -> None:
        """Have `name` send all these at once; wait for the answers."""
        async with asyncio.timeout(LIMIT_S):
            asked = (self.connections[name].ask(command) for command in commands)
            for answer in await asyncio.gather(*asked, return_exceptions=True):
                match answer:
                    case Done():
                        self.answers.append((name, answer.seq, "done"))
                    case CommandRefused():
                        self.answers.append((name, 0, answer.code))
                    case _:
                        raise answer

    async def play(self, name: str, move: str | None = None) -> None:
        """Have `name` play `move`, or the first legal one, in the seat to move."""
        state = self.room.state
        assert state is not None
        assert state.to_move is not None
        assert self.room.seats[state.to_move].member == name
        move = move or state.game.format_move(state.legal_moves()[0])
        number = self.room.game_number
        await self.ask(name, cmd.Play(1, state.to_move, move, state.ply, number))

    async def until_to_move(self, seat: int) -> None:
        """Wait until bots have played and `seat` is to move."""
        async with asyncio.timeout(LIMIT_S):
            while self.room.state is None or self.room.state.to_move != seat:  # noqa: ASYNC110
                await asyncio.sleep(0)
        await self.until_in_sync()

    async def until_in_sync(self) -> None:
        """Wait until all members are connected, and know what the server knows."""
        async with asyncio.timeout(LIMIT_S):
            while not self._is_in_sync():  # noqa: ASYNC110
                await asyncio.sleep(0)

    def _is_in_sync(self) -> bool:
        return _session_count(self.place.server) == len(self.connections) and all(
            self.proxies[name].used_up < self.proxies[name].connections
            and self.room.is_connected(name)
            and _mirrors(connection.room, self.room, name)
            for name, connection in self.connections.items()
        )

    async def until_kicked(self, name: str) -> None:
        """Wait until the client of `name` knows that it was kicked."""
        *_, finished = await self._listening[name]
        assert isinstance(finished, SessionEnded)
        assert finished.code in ("kicked", "barred")
        del self.connections[name]
        await self.until_in_sync()

    def check(self) -> None:
        """Check that the log has every command that was answered `done`, and each of them once."""
        led_to = [(it.member, it.last_seq) for it in self.entries if it.command_id]
        answered = [(name, seq) for name, seq, how in self.answers if how == "done"]
        assert sorted(led_to) == sorted(answered)
        by_id = [(it.member, it.command_id) for it in self.entries if it.command_id]
        assert len(set(by_id)) == len(by_id)
        numbers = [it.seq + index for it in self.entries for index in range(len(it.events))]
        assert numbers == list(range(1, self.room.seq + 1))

    def comparable_events(self) -> list[ev.Event]:
        """Return the events of the log without what differs from run to run."""
        events = [event for entry in self.entries for event in entry.events]
        return [common for event in events if (common := _comparable(event)) is not None]


def _comparable(event: ev.Event) -> ev.Event | None:
    """Return `event` without times and random choices; None if a cut may have led to it.

    A spectator who is cut leaves and joins again.
    """
    match event:
        case ev.Dropped() | ev.Returned() | ev.Joined("Cid") | ev.Left("Cid"):
            return None
        case ev.Created():
            return replace(event, room="", log="")
        case ev.Joined():
            return replace(event, person="")
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


def _mirrors(known: Room | None, room: Room, me: str) -> bool:
    """Return True if `known` is what `me` may see of `room`: invariant 9 of room.md."""
    if known is None:
        return False
    seen = snapshot(room, room.audience(me))
    return snapshot(known, Audience.SPECTATOR) == seen and known.state == room.state


def _session_count(server: Server) -> int:
    return len(server._sessions)  # there is no public interface


@asynccontextmanager
async def scenario(
    place: Lobby, log: ReadableLog, code: str, allowances: Allowances
) -> AsyncIterator[Scenario]:
    """A scenario that hasn't begun, on a server that saves its rooms in `log`."""
    async with AsyncExitStack() as stack:
        proxies = {
            name: await stack.enter_async_context(
                cutting_proxy(place.server.port, allowances.get(name, ()))
            )
            for name in NAMES
        }
        yield await stack.enter_async_context(Scenario(place, log, code, proxies))


async def play_through(scenario: Scenario) -> None:
    """Play the scenario to its end, in which Cid is kicked."""
    await scenario.enter("Ann", Create(SETTINGS, room=scenario.code))
    await scenario.enter("Bob", Join(scenario.code))
    await scenario.enter("Cid", Join(scenario.code, watch=True))
    await _prepare(scenario)
    await _play_a_game(scenario)
    await _play_a_rematch(scenario)
    await _rearrange(scenario)


async def _prepare(scenario: Scenario) -> None:
    await scenario.ask("Bob", *(cmd.Say(1, f"line {number}") for number in range(3)))
    await scenario.ask("Cid", cmd.Sit(1), cmd.Stand(1))
    await scenario.ask("Bob", cmd.Start(1))
    await scenario.ask("Ann", cmd.SeatBot(1, "greedy"), cmd.Say(1, "ready?"))
    await scenario.ask("Ann", cmd.Start(1))  # alone: no player may be disconnected then


async def _play_a_game(scenario: Scenario) -> None:
    await scenario.play("Ann", "h0")
    await scenario.play("Bob", "h0")
    await scenario.ask("Cid", cmd.Say(1, "a blunder", ChatTo.SPECTATORS))
    scenario.place.clock.advance(CLOCK_S)
    await scenario.until_to_move(0)
    await scenario.play("Ann")


async def _play_a_rematch(scenario: Scenario) -> None:
    await scenario.ask("Ann", cmd.Rematch(1))
    await scenario.ask("Bob", cmd.Rematch(1))
    await scenario.play("Bob")
    await scenario.until_to_move(2)
    await scenario.ask("Ann", cmd.Resign(1, 2))
    await scenario.ask("Bob", cmd.Resign(1, 0))


async def _rearrange(scenario: Scenario) -> None:
    await scenario.ask("Ann", cmd.Unseat(1, 1))
    await scenario.ask("Ann", cmd.HandOver(1, "Bob"))
    await scenario.ask("Ann", cmd.Sit(1, 1, "Ann's friend"), cmd.Stand(1, 2))
    wider = Settings(options={"rows": 1, "cols": 2}, seats=3)
    await scenario.ask("Bob", cmd.Configure(1, RequestedSettings.of(wider)))
    await scenario.ask_only("Bob", cmd.Kick(1, "Cid"))
    await scenario.until_kicked("Cid")
