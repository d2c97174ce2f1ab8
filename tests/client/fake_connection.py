"""A connection without sockets, to a room in the same process, with bots that answer at once."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace
from tests.engine.room.hosting import HostedRoom

from boxroom_client.linemode.lines import never
from boxroom_client.link.updates import (
    EnteredRoom,
    EventApplied,
    HintReceived,
    SessionEnded,
    Update,
)
from boxroom_client.profile.ignored import IgnoredPeople
from boxroom_client.servers.address import Address
from boxroom_client.shell.recording import record_of
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.protocol import State
from boxroom_engine.phrases import verbatim
from boxroom_engine.review.position import JudgedPosition
from boxroom_engine.review.review import Review, obstacle_to_review
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.powers import Power, powers
from boxroom_engine.room.room import Phase, Room, Settings
from boxroom_engine.room.rules.playing import check_judging
from boxroom_engine.room.view import view
from boxroom_engine.stopping import Limit
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.messages import (
    Done,
    GameOffered,
    RoomListed,
    Welcome,
)
from boxroom_server.bots.jobs import JudgePosition, ReviewGame

LIMITS = RoomLimits(bots={"dots": ("random", "greedy"), "noughts": ("random", "greedy")})
WELCOME = Welcome(
    1,
    "boxroom",
    "Ada",
    (
        GameOffered("dots", "Dots and Boxes", ("random", "greedy")),
        GameOffered("noughts", "Noughts and Crosses", ("random", "greedy")),
    ),
    now_ms=0,
    message_bytes=16_384,
)


PAD, CODE = "a-pad-of-the-test", "5d41402abc4b2a76b9719d911017c592"
"""Pad and code of the offer of an identity."""


class FakeConnection:
    """Ada's connection to a room that she hosts; the test controls the other members."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        bots: Sequence[str] = (),
        others: Sequence[str] = (),
        watch: bool = False,
        start: bool = False,
        me: str = "Ada",
    ) -> None:
        self.me = me
        self.welcome: Welcome | None = WELCOME
        self.rooms: list[RoomListed] | None = []
        """Rooms that the server lists; None if it is unreachable."""
        self.instead_of_hint: Update | None = None
        """Update that Ada gets when she asks for a hint; None for the hint."""
        self.judged = asyncio.Event()
        """Cleared while the server judges a game that is to be reviewed."""
        self.judged.set()
        self.guests_address: Address | None = None
        self.guests_page: PageUrl | None = None
        self.left = False
        self.ignored = IgnoredPeople()
        self.other_rooms: dict[str, tuple[HostedRoom, str | None]] = {}
        """The rooms to which Ada can go, with their passwords."""
        self._hosted = HostedRoom(settings or small(), limits=LIMITS, watch=watch, others=others)
        self._updates: asyncio.Queue[Update] = asyncio.Queue()
        self._rng = random.Random(1)
        self._ids = iter(range(1000, 2000))
        for bot in bots:
            self._hosted.ask("Ada", cmd.SeatBot, bot=bot)
        if start:
            self._hosted.ask("Ada", cmd.Start)
        self.room = self._hosted.room
        self.tell(EnteredRoom(self._hosted.room, me, self._hosted.room.audience(me), back=False))

    async def updates(self) -> AsyncIterator[Update]:
        self._let_bots_play()
        while True:
            yield await self._updates.get()

    async def ask(self, command: cmd.AnyMemberCommand) -> Done:
        command = replace(command, id=next(self._ids))
        answer = self._hosted.answer(cmd.FromMember(self.me, command))
        if isinstance(answer, CommandRefused):
            raise answer
        assert isinstance(answer, tuple)
        self._happen(answer)
        done = Done(command.id, self.room.seq)
        if isinstance(command, cmd.AskHint):
            self.tell(self.instead_of_hint or self._hint(command))
        self._let_bots_play()
        return done

    def _hint(self, asked: cmd.AskHint) -> HintReceived:
        move = bot_of("greedy").choose(self.state, Limit(5.0, lambda: 0.0), self._rng)
        text = self.state.game.format_move(move)
        return HintReceived(asked.seat, text, asked.ply, self.room.game_number, "greedy")

    async def review(self) -> Review:
        room = self.room
        if room.state is None or room.phase is not Phase.OVER:
            raise CommandRefused("not_over", verbatim("a game can be reviewed when it is over"))
        if (obstacle := obstacle_to_review(room.state.game)) is not None:
            raise CommandRefused("no_review", obstacle)
        await self.judged.wait()
        return ReviewGame(str(record_of(room)))(60.0)

    async def judge(self, ply: int, move: str | None, *, all_moves: bool) -> JudgedPosition:
        room = self.room
        if room.state is None or room.record is None:
            raise refusal("not_started")
        if room.phase is not Phase.OVER:
            check_judging(room, self.me, ply)
        positions = [each for each in room.record.positions() if not each.is_over]
        if ply >= len(positions):
            raise refusal("no_such_ply", ply=ply, last=len(positions) - 1)
        position = positions[ply]
        named = None if move is None else position.game.parse_move(move)
        await self.judged.wait()
        judged = JudgePosition(position, ply, named, all_moves)(60.0)
        assert judged is not None
        return judged

    async def powers(self) -> tuple[Power, ...]:
        return powers(self.room, self.me, self._hosted.now_ms, LIMITS)

    async def list_rooms(self) -> tuple[RoomListed, ...]:
        if self.rooms is None:
            raise CommandRefused("gave_up", verbatim("nothing answers at kiwa:8765"))
        return tuple(self.rooms)

    async def offer_identity(self) -> tuple[str, str]:
        if self.rooms is None:
            raise CommandRefused("gave_up", verbatim("nothing answers at kiwa:8765"))
        return PAD, CODE

    async def go_to(self, room: str, password: str | None = None) -> None:
        if room not in self.other_rooms:
            raise CommandRefused("no_such_room", verbatim(f"there is no room {room}"))
        hosted, wanted = self.other_rooms[room]
        if wanted not in (None, password):
            raise CommandRefused("wrong_password", verbatim("that isn't its password"))
        self._hosted, self.room = hosted, hosted.room
        self.tell(EnteredRoom(self.room, self.me, self.room.audience(self.me), back=False))

    async def rename(self, name: str) -> None:
        answer = self._hosted.answer(cmd.Enter(name, former_name=self.me))
        if isinstance(answer, CommandRefused):
            raise answer
        self.me, self.room = name, self._hosted.room
        self.tell(EnteredRoom(self.room, name, self.room.audience(name), back=True))

    async def leave(self) -> None:
        self.left = True

    # For tests

    def tell(self, update: Update) -> None:
        """Send `update` to the shell."""
        self._updates.put_nowait(update)

    def does(self, member: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any) -> None:
        """Have another member send a command."""
        self._happen(self._hosted.ask(member, kind, **fields))
        self._let_bots_play()

    def plays(self, member: str, move: str) -> None:
        """Have another member play a move."""
        self._happen(self._hosted.plays(member, move))
        self._let_bots_play()

    def waits(self, seconds: int) -> None:
        """Let time pass."""
        self._hosted.now_ms += 1000 * seconds

    def misses_the_clock(self) -> None:
        """Let the clock of the player to move run out, so that a bot plays instead."""
        self._happen(self._hosted.misses_the_clock(self.free()[0]))
        self._let_bots_play()

    def enters(self, member: str, **fields: Any) -> None:
        """Have a member enter, or return."""
        self._happen(self._hosted.enter(member, **fields))

    def drops(self, member: str) -> None:
        """Have a member lose the connection."""
        self._happen(self._hosted.drop(member))

    def let_guests_in(self, address: Address) -> str:
        """Have guests reach the server at `address`; return the link of the room's page."""
        self.guests_address, self.guests_page = address, address.page
        assert self.guests_page is not None
        return self.guests_page.to_room(self.room.code)

    @property
    def state(self) -> State:
        """The state of the game that has begun."""
        assert self.room.state is not None
        return self.room.state

    def free(self) -> list[str]:
        """Return the legal moves."""
        state = self.state
        return [state.game.format_move(move) for move in state.legal_moves()]

    def _happen(self, events: Sequence[ev.Event]) -> None:
        for event in events:
            before = self.room
            seen = view(event, before.audience(self.me))
            self.room = evolve(before, seen, self._hosted.now_ms)
            self.tell(EventApplied(self.room.seq, seen, before, self.room, self._hosted.now_ms))

    def _let_bots_play(self) -> None:
        while (to_move := self._hosted.room.bot_to_move()) is not None:
            move = bot_of(to_move[1]).choose(self.state, Limit(1.0, lambda: 0.0), self._rng)
            self._happen(self._hosted.bot_plays(self.state.game.format_move(move)))


OVER = SessionEnded("closed", verbatim("that was all"))


def is_over(room: Room) -> bool:
    return room.phase is Phase.OVER


class ClosingConnection(FakeConnection):
    """A connection that closes as soon as `is_enough` is true of the room."""

    def __init__(
        self,
        settings: Settings,
        *,
        is_enough: Callable[[Room], bool] = is_over,
        **others: Any,
    ) -> None:
        self._is_enough = is_enough
        # Set by every event.
        self._changed = asyncio.Event()
        super().__init__(settings, **others)

    async def until(self, is_so: Callable[[Room], bool]) -> None:
        """Wait until `is_so` is true of the room."""
        async with asyncio.timeout(20):
            while not is_so(self.room):
                self._changed.clear()
                await self._changed.wait()

    def _happen(self, events: Sequence[ev.Event]) -> None:
        super()._happen(events)
        self._changed.set()
        if self._is_enough(self.room):
            self.tell(OVER)


class Pipe:
    """Input lines as from a pipe: one after the other, then the end."""

    is_terminal = False

    def __init__(self, *lines: str) -> None:
        self._lines = iter(lines)

    @contextmanager
    def opened(self) -> Iterator[None]:
        yield

    async def next(
        self, prompt: Callable[[], str], is_secret: Callable[[], bool] = never
    ) -> str | None:
        return next(self._lines, None)

    def clear(self) -> None:
        pass


class Keyboard:
    """Input lines as a person types them; the test types them."""

    is_terminal = True

    def __init__(self) -> None:
        self._typed: asyncio.Queue[str | Exception | None] = asyncio.Queue()
        self.prompt: Callable[[], str] = lambda: ""
        self.is_secret: Callable[[], bool] = never
        self.is_cleared = False

    @contextmanager
    def opened(self) -> Iterator[None]:
        yield

    def type(self, *lines: str | Exception | None) -> None:
        """Type `lines`; None is Ctrl-D, and an exception is raised."""
        for line in lines:
            self._typed.put_nowait(line)

    async def next(
        self, prompt: Callable[[], str], is_secret: Callable[[], bool] = never
    ) -> str | None:
        self.prompt, self.is_secret = prompt, is_secret
        typed = await self._typed.get()
        if isinstance(typed, Exception):
            raise typed
        return typed

    def clear(self) -> None:
        self.is_cleared = True


def small(rows: int = 1, cols: int = 2, seats: int = 2, **others: Any) -> Settings:
    """Return settings with a small board of Dots and Boxes."""
    return Settings(options={"rows": rows, "cols": cols}, seats=seats, **others)
