"""An agent as the mind of a robot: it is told of the games in the room, and asked for moves."""

import uuid
from types import TracebackType
from typing import Self

from boxroom_client.agents.account import Account, hindrance
from boxroom_client.agents.link import AgentLink
from boxroom_client.agents.messages import NoLine, NoMessage, decode_answer, edge_of
from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.robots.process import GRACE_S, RobotFailed
from boxroom_client.servers.address import Address
from boxroom_common.exits import Exit, Failure
from boxroom_engine.arena.playing import FaultKind
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.text import clean

_MOST_SHOWN = 200


class AgentMind:
    """A `Mind` that asks the agent at `address`, with so many seconds for a move.

    Every game has a connection of its own. When it is lost, there is a new one when next something
    happens, and the agent is told of the game again, under another name; likewise when it plays
    again after a bot has stood in for it.
    """

    def __init__(self, address: Address, limit_s: float) -> None:
        self._address = address
        self._limit_s = limit_s
        self._game: _Game | None = None
        self._trouble = "it hasn't been told of the game"

    async def __aenter__(self) -> Self:
        """See `Mind`."""
        try:
            link = await AgentLink.open(self._address)
        except Unreachable as error:
            raise Failure(str(error), Exit.UNREACHABLE) from None
        await link.close()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connection."""
        await self._let_go()

    async def follow(self, room: Room, me: str) -> None:
        """See `Mind`."""
        seat = _seat_of_agent(room, me)
        if seat is None or (self._game is not None and not self._game.is_of(room)):
            await self._let_go()
        if seat is None or (self._game is None and room.phase is not Phase.PLAYING):
            return
        try:
            if self._game is None:
                self._game = await _Game.begun(self._address, self._limit_s, room, seat)
            await self._game.tell(room)
        except (Disconnected, Unreachable, TimeoutError) as error:
            self._trouble = str(error) or _late(self._limit_s)
            await self._let_go()
        else:
            if room.phase is Phase.OVER:
                await self._let_go()

    async def choose(self, state: State) -> Move:
        """See `Mind`."""
        position = state.game.format_position(state)
        hindered = hindrance(state.game)
        if hindered is not None:
            raise RobotFailed(FaultKind.ERROR, f"the agent can't play here: {hindered}")
        if self._game is None:
            raise RobotFailed(
                FaultKind.DIED, f"in {position} the agent isn't there: {self._trouble}"
            )
        assert isinstance(state, Position)
        try:
            text = await self._game.link.answer(self._limit_s + GRACE_S)
        except TimeoutError:
            await self._let_go()
            late = f"in {position} the agent gave no answer: {_late(self._limit_s)}"
            raise RobotFailed(FaultKind.TIME, late) from None
        except Disconnected as error:
            await self._let_go()
            gone = f"in {position} the agent gave no answer: {error}"
            raise RobotFailed(FaultKind.DIED, gone) from None
        try:
            return _move(state, text)
        except (NoMessage, NoLine, MoveError) as error:
            shown = clean(str(text)[:_MOST_SHOWN])
            wrong = f"in {position} the agent answered {shown}: {error}"
            raise RobotFailed(FaultKind.ILLEGAL, wrong) from None

    async def _let_go(self) -> None:
        game, self._game = self._game, None
        if game is not None:
            await game.link.close()


class _Game:
    """One game of a room, and the connection over which an agent is told of it."""

    def __init__(self, link: AgentLink, account: Account, key: tuple[str, int]) -> None:
        self.link = link
        self._account = account
        self._key = key

    @classmethod
    async def begun(cls, address: Address, limit_s: float, room: Room, seat: Seat) -> Self:
        """The running game of `room`, of which the agent at `address` has been told the start.

        Raises:
            Unreachable, Disconnected, TimeoutError: it isn't there, or isn't any more.
        """
        assert room.state is not None
        assert isinstance(room.state.game, Dots)
        account = Account(room.state.game, uuid.uuid4().hex, seat)
        link = await AgentLink.open(address)
        try:
            await link.tell(account.start(limit_s))
            if seat == 0 and room.tokens:
                # It answers the start, whatever has happened since.
                await link.answer(limit_s + GRACE_S)
        except BaseException:
            await link.close()
            raise
        return cls(link, account, _key(room))

    def is_of(self, room: Room) -> bool:
        """Whether it is the game that `room` plays, or has just played."""
        return self._key == _key(room) and self._account.leads_to(room.tokens)

    async def tell(self, room: Room) -> None:
        """Tell what has happened.

        Raises:
            Disconnected: the agent isn't there any more.
        """
        for news in self._account.news(room.tokens):
            await self.link.tell(news)


def _key(room: Room) -> tuple[str, int]:
    return room.log, room.game_number


def _seat_of_agent(room: Room, me: str) -> Seat | None:
    """Where the agent plays, or has played: None if it can't, or a bot stands in for it."""
    if room.state is None or hindrance(room.state.game) is not None:
        return None
    playing = (seat for seat in room.seats_of(me) if room.seats[seat].bot is None)
    return next(playing, None)


def _move(state: Position, text: str | bytes) -> Move:
    """The legal move that the agent answers with `text`.

    Raises:
        NoMessage: it isn't an answer.
        NoLine: there is no such line on the board.
        MoveError: it can't be drawn now.
    """
    answer = decode_answer(text)
    move = edge_of(state.game.grid, answer.location, answer.orientation)
    state.play(move)
    return move


def _late(limit_s: float) -> str:
    return f"it took more than {limit_s:g} s"
