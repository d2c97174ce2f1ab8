"""A room whose members come back between any two commands: after a restart, or elsewhere.

What one of them does, all others have heard before the next command.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from tests.server.manual_clock import ManualClock
from tests.server.stores import Ended, Store, lobby_on
from tests.server.talk import Lobby, Talk, lobby, say_hello

from boxroom_engine.room.room import Room
from boxroom_server.clock import SystemClock

KNOWS = ("takebacks", "requests", "pauses", "talk", "series", "seats")
"""All parts of the protocol."""


class MovingRoom(ABC):
    """The attic, which Ada creates and hosts."""

    def __init__(self) -> None:
        self.talks: dict[str, Talk] = {}
        """The connection of each member, who knows all events."""

    @property
    def seen(self) -> Room:
        """The room as Ada sees it."""
        return self.talks["Ada"].seen

    async def create(self, **settings: Any) -> None:
        """Have Ada create the room."""
        ada = self.talks["Ada"] = await self._call("Ada")
        await ada.do("create_room", token="token of Ada", room="attic", settings=settings)

    async def enters(self, *names: str) -> None:
        """Have people come in, or come back."""
        for name in names:
            talk = self.talks[name] = await self._call(name)
            await self._all_hear(await talk.do("join_room", room="attic"))

    async def do(self, name: str, kind: str, /, **fields: Any) -> None:
        """Have `name` give a command that is accepted."""
        await self._all_hear(await self.talks[name].do_once_saved(kind, **fields))

    async def refusal(self, name: str, kind: str, /, **fields: Any) -> str:
        """Return the code with which a command of `name` is refused."""
        return await self.talks[name].refusal(kind, **fields)

    async def plays(self, *moves: str) -> None:
        """Have the people to move play `moves`."""
        for move in moves:
            room = self.seen
            assert room.state is not None
            seat = room.state.to_move
            assert seat is not None
            member = room.seats[seat].member
            assert member is not None
            fields = {"seat": seat, "move": move, "ply": room.ply, "game": room.game_number}
            await self.do(member, "play", **fields)

    async def all_vote(self) -> None:
        """Have all players vote for the next game, which thereby starts."""
        for name in dict.fromkeys(holder.member for holder in self.seen.seats):
            assert name is not None
            await self.do(name, "rematch")

    async def hears(self, holds: Callable[[Room], bool]) -> None:
        """Wait until that is so in the room as all see it."""
        for talk in self.talks.values():
            while not holds(talk.seen):
                await talk.hear()

    @abstractmethod
    def passes(self, seconds: float) -> None:
        """Let time pass."""

    @abstractmethod
    async def moves(self) -> None:
        """Have all members come back, after a restart or at another server."""

    @abstractmethod
    async def _place_of(self, name: str) -> Lobby:
        """Return the server at which `name` comes in now."""

    async def _call(self, name: str) -> Talk:
        talk = await (await self._place_of(name)).connect(name)
        await say_hello(talk, knows=KNOWS)
        assert (await talk.hear())["type"] == "welcome"
        return talk

    async def _all_hear(self, seq: int) -> None:
        for talk in self.talks.values():
            if talk.room is not None:
                await talk.until_seq(seq)


class RestartedRoom(MovingRoom):
    """The room of one server at a time, which ends, and another one goes on."""

    def __init__(self, store: Store, end: Ended, stack: AsyncExitStack) -> None:
        super().__init__()
        self._store = store
        self._end = end
        self._stack = stack  # closes the server that runs
        self._clock = ManualClock()
        self._place: Lobby | None = None

    async def moves(self) -> None:
        assert self._place is not None
        self._store = await self._end(self._place, self._store)
        await self._stack.aclose()
        self._place = None
        names, self.talks = list(self.talks), {}
        await self.enters(*names)

    def passes(self, seconds: float) -> None:
        self._clock.advance(seconds)

    async def _place_of(self, name: str) -> Lobby:
        if self._place is None:
            opened = lobby_on(self._store, self._clock)
            self._place = await self._stack.enter_async_context(opened)
        return self._place


class SharedRoom(MovingRoom):
    """The room of two servers: of two people who come in one after the other, each has its own."""

    def __init__(self, places: tuple[Lobby, Lobby]) -> None:
        super().__init__()
        self._places = places
        self._at: dict[str, int] = {}  # the index of the server of each member

    async def moves(self) -> None:
        await self.enters(*self.talks)

    def passes(self, seconds: float) -> None:
        for place in self._places:
            place.clock.advance(seconds)

    async def _place_of(self, name: str) -> Lobby:
        before = self._at.get(name, len(self._at))
        self._at[name] = 1 - before % 2
        return self._places[self._at[name]]


@asynccontextmanager
async def restarted(store: Store, end: Ended) -> AsyncIterator[RestartedRoom]:
    """Yield a room in `store` that a server hosts which is ended by `end`."""
    async with AsyncExitStack() as stack:
        yield RestartedRoom(store, end, stack)


@asynccontextmanager
async def shared(store: Store) -> AsyncIterator[SharedRoom]:
    """Yield a room of two servers on one `store`."""
    async with AsyncExitStack() as stack:
        places = []
        for _ in range(2):
            storage = await stack.enter_async_context(store.opened(SystemClock()))
            places.append(await stack.enter_async_context(lobby(storage=storage)))
        yield SharedRoom((places[0], places[1]))
