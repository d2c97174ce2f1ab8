"""A robot in a room over the network: it sits down, moves when it is its turn, and plays again.

A robot that makes a mistake gives that game up, as it loses it in the arena, and its author is
told. What happens is told line by line; the board isn't shown.
"""

from boxroom_client.linemode.choosing import choose_alone
from boxroom_client.linemode.page import Page
from boxroom_client.link.connection import RoomConnection
from boxroom_client.link.join_request import JoinRequest
from boxroom_client.link.updates import (
    ConnectionLost,
    EnteredRoom,
    EventApplied,
    SessionEnded,
    Update,
)
from boxroom_client.robots.mind import Mind
from boxroom_client.robots.process import RobotFailed
from boxroom_client.shell.endings import exit_for, last_words
from boxroom_client.shell.front import ListRooms
from boxroom_client.shell.join_options import JoinOptions
from boxroom_client.shell.link import Link
from boxroom_client.shell.output.narrate import narrate
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_common.exits import Exit
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Room
from boxroom_engine.wire.messages import Refused


class RobotFront:
    """A `Front` that has somebody's `mind` play."""

    def __init__(self, mind: Mind, page: Page) -> None:
        self._mind = mind
        self._page = page

    def say(self, *lines: str) -> None:
        """See `Front`."""
        self._page.say(lines)

    async def choose_room(
        self, list_rooms: ListRooms, join_options: JoinOptions, server: str
    ) -> JoinRequest | None:
        """The first room with an empty seat, or a new one."""
        return choose_alone(await list_rooms(), join_options, self._page)

    async def play(
        self,
        connection: RoomConnection,
        *,
        watching: bool = False,
        until_end: bool = False,
        told: int = 0,
    ) -> Exit:
        """See `Front`; a robot stays for as many games as others want."""
        return await RobotPlayer(connection, self._mind, self._page).run()


class RobotPlayer:
    """Plays in the room of `connection` until somebody ends it."""

    def __init__(self, connection: Link, mind: Mind, page: Page) -> None:
        self._connection = connection
        self._mind = mind
        self._page = page
        self._asked: tuple[int, int] | None = None
        """The number of the game and the ply for which the robot was asked last."""

    async def run(self) -> Exit:
        """Play until the room ends, then leave; how it ended."""
        try:
            async for happening in self._connection.updates():
                self._tell(happening)
                if isinstance(happening, SessionEnded):
                    return exit_for(happening)
                if isinstance(happening, EnteredRoom) and not await self._has_seat():
                    return Exit.FAILED
                room = self._room  # one and the same for both: meanwhile it may go on
                await self._mind.follow(room, self._me)
                await self._answer(happening, room)
            return Exit.DONE
        finally:
            await self._connection.leave()

    def _tell(self, happening: Update) -> None:
        match happening:
            case EnteredRoom(room=room, me=me, back=back):
                self._page.say([f"{me} is {'back ' if back else ''}in the room {room.code}."])
            case EventApplied():
                lines = narrate(happening.event, happening.before, happening.after, self._me)
                self._page.say(lines)
            case ConnectionLost():
                self._page.say([f"The connection is lost: {sentence(happening.reason)}"])
            case SessionEnded():
                self._page.say(last_words(happening))
            case _:
                pass  # nothing that the robot's author has to know

    async def _has_seat(self) -> bool:
        """Whether the robot sits, or finds an empty seat."""
        return self._room.is_player(self._me) or await self._ask(cmd.Sit(1))

    async def _answer(self, happening: Update, room: Room) -> None:
        """Do what is the robot's to do in `room`."""
        match happening:
            case EventApplied(event=ev.RematchWanted()) if self._may_agree(room):
                await self._ask(cmd.Rematch(1))
            case EnteredRoom() | EventApplied(event=ev.StoodIn()) if seats := _stood_in_for(
                room, self._me
            ):
                await self._ask(cmd.Sit(1, seats[0]))
            case _ if self._is_to_start(room):
                await self._ask(cmd.Start(1))
            case _:
                seat = my_seat_to_move(room, self._me)
                if seat is not None:
                    await self._move(room, seat)

    def _may_agree(self, room: Room) -> bool:
        """Whether a rematch is still to be agreed to."""
        return room.phase is Phase.OVER and self._me not in room.rematch

    def _is_to_start(self, room: Room) -> bool:
        """Whether all wait for the robot, which made the room."""
        is_full = not room.empty_seats()
        return room.phase is Phase.WAITING and room.host == self._me and is_full

    async def _move(self, room: Room, seat: Seat) -> None:
        """Play the robot's move, once for each position."""
        state = room.state
        assert state is not None
        if self._asked == (room.game_number, state.ply):
            return
        self._asked = room.game_number, state.ply
        try:
            move = await self._mind.choose(state)
        except RobotFailed as failed:
            self._page.say([sentence(str(failed)), "With that it gives this game up."])
            await self._ask(cmd.Resign(1, seat))
            return
        text = state.game.format_move(move)
        await self._ask(cmd.Play(1, seat, text, state.ply, room.game_number))

    async def _ask(self, command: cmd.AnyMemberCommand) -> bool:
        """Whether the room does it; if not, it is said why."""
        answer = await self._connection.ask(command)
        if isinstance(answer, Refused):
            self._page.say([sentence(answer.message)])
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
    """The seats of `me` in which a bot plays on: for somebody who was away, or too slow."""
    return [seat for seat in room.seats_of(me) if room.seats[seat].bot is not None]
