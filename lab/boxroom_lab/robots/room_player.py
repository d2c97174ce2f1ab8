"""A robot in a room over the network: it sits down, moves on its turn, and plays again.

A robot that makes a mistake gives up that game, and its author gets the reason. Output is one
line for each event; the board isn't shown.
"""

from boxroom_client.linemode.printer import Printer
from boxroom_client.linemode.rooms import choose_alone
from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import Create, JoinRequest
from boxroom_client.link.updates import (
    ConnectionLost,
    EnteredRoom,
    EventApplied,
    SessionEnded,
    Update,
)
from boxroom_client.shell.frontend import JoinOptions, Link, ListRooms, RefusedRoom
from boxroom_client.shell.output.narrate import narrate
from boxroom_client.shell.output.report import exit_for, final_lines
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_common.exits import Exit
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import Phase, Room, UndoRequest
from boxroom_engine.wire.messages import RoomListed
from boxroom_lab.robots.move_source import MoveSource
from boxroom_lab.robots.process import RobotFailed


class RobotFrontend:
    """A `Frontend` that plays the moves of `move_source`, and leaves after so many `games`."""

    def __init__(self, move_source: MoveSource, page: Printer, games: int | None = None) -> None:
        self._move_source = move_source
        self._page = page
        self._games = games

    def say(self, *lines: str) -> None:
        self._page.say(lines)

    @property
    def can_ask(self) -> bool:
        return False

    @property
    def is_robot(self) -> bool:
        return True

    async def ask_name(self, reason: str, suggestion: str) -> str | None:
        """Return None: see `can_ask`."""
        return None

    async def ask_password(self, reason: str) -> str | None:
        """Return None: see `can_ask`."""
        return None

    async def choose_room(
        self,
        list_rooms: ListRooms,
        join_options: JoinOptions,
        server: str,
        refused: RefusedRoom | None = None,
    ) -> JoinRequest | None:
        """Return the first room with an empty seat, or a new one."""
        return choose_alone(await list_rooms(), join_options, self._page)

    async def set_up_room(
        self, request: Create, hosted: RoomListed | None
    ) -> Create | RoomListed | None:
        return hosted or request

    async def play(
        self,
        connection: RoomConnection,
        *,
        watching: bool = False,
        until_end: bool = False,
        skip_until_seq: int = 0,
    ) -> Exit:
        """Play games; without a limit for as many as others want."""
        return await RobotPlayer(connection, self._move_source, self._page, self._games).run()


class RobotPlayer:
    """A robot's behaviour in the room of `connection`, until the room or the connection ends.

    With `games`, it leaves when so many that it plays in are over.
    """

    def __init__(
        self, connection: Link, move_source: MoveSource, page: Printer, games: int | None = None
    ) -> None:
        self._connection = connection
        self._move_source = move_source
        self._page = page
        self._games_left = games
        # Number of the game that the robot plays in; None between two of them.
        self._game: int | None = None
        # Game number and ply of the last move that the robot was asked for.
        self._asked: tuple[int, int] | None = None

    async def run(self) -> Exit:
        """Play until the room ends or all games are played, then leave; return the exit code."""
        try:
            async for happening in self._connection.updates():
                self._report(happening)
                if isinstance(happening, SessionEnded):
                    return exit_for(happening)
                if isinstance(happening, EnteredRoom) and not await self._has_seat():
                    return Exit.FAILED
                if self._ends_last_game(happening):
                    return Exit.DONE
                room = self._room  # the same one for both calls: it may change meanwhile
                await self._move_source.follow(room, self._me)
                await self._react(happening, room)
            return Exit.DONE
        finally:
            await self._connection.leave()

    def _report(self, happening: Update) -> None:
        match happening:
            case EnteredRoom(room=room, me=me, back=back):
                self._page.say([f"{me} is {'back ' if back else ''}in the room {room.code}."])
            case EventApplied():
                lines = narrate(happening.event, happening.before, happening.after, self._me)
                self._page.say(lines)
            case ConnectionLost():
                self._page.say([f"The connection is lost: {sentence(happening.reason)}"])
            case SessionEnded():
                self._page.say(final_lines(happening))
            case _:
                pass  # not of interest to the robot's author

    def _ends_last_game(self, happening: Update) -> bool:
        """Whether that ends the last of the games that the robot is to play."""
        match happening:
            case EnteredRoom(room=room) | EventApplied(after=room):
                plays = room.phase is Phase.PLAYING and room.is_player(self._me)
                before, self._game = self._game, room.game_number if plays else None
            case _:
                return False
        if self._games_left is None or before in (None, self._game):
            return False
        self._games_left -= 1
        return self._games_left == 0

    async def _has_seat(self) -> bool:
        """Whether the robot has a seat, or gets an empty one."""
        return self._room.is_player(self._me) or await self._ask(cmd.Sit(1))

    async def _react(self, happening: Update, room: Room) -> None:
        """Send the command that `happening` calls for: rematch, sit, start or move."""
        if isinstance(happening, EventApplied) and isinstance(happening.event, ev.Unpaused):
            self._asked = None  # a move that came during the pause was refused
        match happening:
            case EventApplied(event=ev.RematchWanted()) if self._may_agree(room):
                await self._ask(cmd.Rematch(1))
            case EnteredRoom() | EventApplied(event=ev.StoodIn()) if seats := _stood_in_for(
                room, self._me
            ):
                await self._ask(cmd.Sit(1, seats[0]))
            case EnteredRoom() | EventApplied(event=ev.UndoAsked()) if (
                asked := room.undo
            ) is not None and self._may_agree_to(asked, room):
                answer = cmd.AnswerUndo(1, asked.ply, agree=True, game=room.game_number)
                await self._ask(answer)
            case _ if self._is_to_start(room):
                await self._ask(cmd.Start(1))
            case _:
                seat = my_seat_to_move(room, self._me)
                if seat is not None:
                    await self._move(room, seat)

    def _may_agree(self, room: Room) -> bool:
        """Whether the robot hasn't agreed to a rematch yet."""
        return room.phase is Phase.OVER and self._me not in room.rematch

    def _may_agree_to(self, asked: UndoRequest, room: Room) -> bool:
        """Whether the robot is asked for a takeback, and hasn't agreed yet."""
        return self._me in room.deciding and self._me not in asked.agreed

    def _is_to_start(self, room: Room) -> bool:
        """Whether the room is full and waits for the robot, its host, to start."""
        is_full = not room.empty_seats()
        return room.phase is Phase.WAITING and room.host == self._me and is_full

    async def _move(self, room: Room, seat: Seat) -> None:
        """Ask for the robot's move, once for each position, and send it."""
        state = room.state
        assert state is not None
        if self._asked == (room.game_number, room.ply):
            return
        self._asked = room.game_number, room.ply
        try:
            move = await self._move_source.choose(state)
        except RobotFailed as failed:
            self._page.say([sentence(str(failed)), "With that it gives this game up."])
            await self._ask(cmd.Resign(1, seat))
            return
        text = state.game.format_move(move)
        await self._ask(cmd.Play(1, seat, text, room.ply, room.game_number))

    async def _ask(self, command: cmd.AnyMemberCommand) -> bool:
        """Send a command, and print the reason if it is refused; whether it was accepted."""
        try:
            await self._connection.ask(command)
        except CommandRefused as refused:
            self._page.say([sentence(str(refused))])
            return False
        return True

    @property
    def _room(self) -> Room:
        assert self._connection.room is not None
        return self._connection.room

    @property
    def _me(self) -> str:
        assert self._connection.me is not None
        return self._connection.me


def _stood_in_for(room: Room, me: str) -> list[Seat]:
    """Return the seats of `me` in which a bot stands in, after an absence or timeouts."""
    return [seat for seat in room.seats_of(me) if room.seats[seat].bot is not None]
