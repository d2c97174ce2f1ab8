"""An agent as the move source of a robot: it follows the games of the room, and chooses moves."""

import uuid
from typing import Self

from boxroom_client.link.errors import Disconnected, Unreachable
from boxroom_client.servers.address import Address
from boxroom_engine.arena.playing import FaultKind
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.room.text import clean
from boxroom_lab.agents.connection import AgentConnection
from boxroom_lab.agents.game_feed import GameFeed, unsupported_reason
from boxroom_lab.agents.messages import InvalidMessage, NoSuchLine, decode_answer, move_of
from boxroom_lab.robots.process import GRACE_S, RobotFailed

_MOST_SHOWN = 200


class AgentMoveSource:
    """A `MoveSource` that asks the agent at `address`, with `limit_s` seconds for a move.

    Every game has a connection of its own. After a lost connection, the next event opens a new one,
    and the agent gets the game again under another name; likewise when it plays again after a bot
    has stood in for it.
    """

    def __init__(self, address: Address, limit_s: float) -> None:
        self._address = address
        self._limit_s = limit_s
        # The game that the agent follows; None without a connection.
        self._game: _Game | None = None
        # The reason, for the robot's author, why there is no connection.
        self._last_error = "it hasn't been told of the game"

    async def __aenter__(self) -> Self:
        connection = await AgentConnection.open(self._address)
        await connection.close()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connection."""
        await self._drop_game()

    async def follow(self, room: Room, me: str) -> None:
        seat = _seat_of_agent(room, me)
        if seat is None or (self._game is not None and not self._game.is_of(room)):
            await self._drop_game()
        if seat is None or (self._game is None and room.phase is not Phase.PLAYING):
            return
        try:
            if self._game is None:
                self._game = await _Game.start(self._address, self._limit_s, room, seat)
            await self._game.send_news(room)
        except (Disconnected, Unreachable, TimeoutError) as error:
            self._last_error = str(error) or _late_text(self._limit_s)
            await self._drop_game()
        else:
            if room.phase is Phase.OVER:
                await self._drop_game()

    async def choose(self, state: State) -> Move:
        position = state.game.format_position(state)
        reason = unsupported_reason(state.game)
        if reason is not None:
            raise RobotFailed(FaultKind.ERROR, f"the agent can't play here: {reason}")
        if self._game is None:
            raise RobotFailed(
                FaultKind.DIED, f"in {position} the agent isn't there: {self._last_error}"
            )
        assert isinstance(state, Position)
        try:
            text = await self._game.connection.receive(self._limit_s + GRACE_S)
        except TimeoutError:
            await self._drop_game()
            late = f"in {position} the agent gave no answer: {_late_text(self._limit_s)}"
            raise RobotFailed(FaultKind.TIME, late) from None
        except Disconnected as error:
            await self._drop_game()
            gone = f"in {position} the agent gave no answer: {error}"
            raise RobotFailed(FaultKind.DIED, gone) from None
        try:
            return _move(state, text)
        except (InvalidMessage, NoSuchLine, MoveError) as error:
            shown = clean(str(text)[:_MOST_SHOWN])
            wrong = f"in {position} the agent answered {shown}: {error}"
            raise RobotFailed(FaultKind.ILLEGAL, wrong) from None

    async def _drop_game(self) -> None:
        game, self._game = self._game, None
        if game is not None:
            await game.connection.close()


class _Game:
    """One game of a room, and the connection on which an agent follows it."""

    def __init__(self, connection: AgentConnection, feed: GameFeed, key: tuple[str, int]) -> None:
        self.connection = connection
        self._feed = feed
        self._key = key

    @classmethod
    async def start(cls, address: Address, limit_s: float, room: Room, seat: Seat) -> Self:
        """Connect to the agent at `address`, and send it the start of the game of `room`.

        Raises:
            Unreachable, Disconnected, TimeoutError: the agent doesn't answer, or has gone.
        """
        assert room.state is not None
        assert isinstance(room.state.game, Dots)
        feed = GameFeed(room.state.game, uuid.uuid4().hex, seat)
        connection = await AgentConnection.open(address)
        try:
            await connection.send(feed.start_message(limit_s))
            if seat == 0 and room.tokens:
                # It answers the start message, which is out of date: skip that answer.
                await connection.receive(limit_s + GRACE_S)
        except BaseException:
            await connection.close()
            raise
        return cls(connection, feed, _key(room))

    def is_of(self, room: Room) -> bool:
        """Whether this is the game that `room` plays, or has just finished."""
        return self._key == _key(room) and self._feed.is_prefix_of(room.tokens)

    async def send_news(self, room: Room) -> None:
        """Send messages about everything new in the game.

        Raises:
            Disconnected: the agent has closed the connection.
        """
        for message in self._feed.new_messages(room.tokens):
            await self.connection.send(message)


def _key(room: Room) -> tuple[str, int]:
    return room.log, room.game_number


def _seat_of_agent(room: Room, me: str) -> Seat | None:
    """Return the agent's seat; None if it can't play the game, or a bot stands in for it."""
    if room.state is None or unsupported_reason(room.state.game) is not None:
        return None
    playing = (seat for seat in room.seats_of(me) if room.seats[seat].bot is None)
    return next(playing, None)


def _move(state: Position, text: str | bytes) -> Move:
    """Return the legal move of the agent's answer `text`.

    Raises:
        InvalidMessage: it isn't an answer.
        NoSuchLine: the board has no such line.
        MoveError: the line can't be drawn now.
    """
    answer = decode_answer(text)
    move = move_of(state.game.grid, answer.location, answer.orientation)
    state.play(move)
    return move


def _late_text(limit_s: float) -> str:
    return f"it took more than {limit_s:g} s"
