"""Whose turn it is: when to show the board, whom to call, when a piped move may go."""

from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Room


def my_seat_to_move(room: Room, me: str) -> Seat | None:
    """The seat to move, if `me` holds it and no bot stands in."""
    if room.phase is not Phase.PLAYING or room.state is None or room.state.to_move is None:
        return None
    seat = room.state.to_move
    holder = room.seats[seat]
    return seat if holder.member == me and holder.bot is None else None


def waits_for_me(room: Room, me: str) -> bool:
    """Whether a move of `me` is due, or there is no use in waiting until one is."""
    mine = room.seats_of(me)
    match room.phase:
        case Phase.WAITING:
            return not mine or room.host == me  # nobody else starts it
        case Phase.OVER:
            return True
        case Phase.PLAYING:
            assert room.state is not None
            is_out = all(seat in room.state.withdrawn for seat in mine)
            return is_out or room.state.to_move in mine


class Turns:
    """Calls people to their moves; the first time it says how a move is typed."""

    def __init__(self) -> None:
        self._has_explained = False

    def call(self, room: Room, me: str) -> tuple[str, ...]:
        """A line for `me`, if it is to move."""
        seat = my_seat_to_move(room, me)
        if seat is None or room.state is None:
            return ()
        example = ""
        if not self._has_explained:
            self._has_explained = True
            move = room.state.game.format_move(room.state.legal_moves()[0])
            example = f" Type a move, for example {move}."
        clock = f" You have {room.settings.clock_s} s." if room.settings.clock_s else ""
        return (f"Your turn, {room.seats[seat].name}.{example}{clock}",)

    def prompt(self, room: Room, me: str) -> str:
        """What stands before the line that `me` types."""
        seat = my_seat_to_move(room, me)
        if seat is not None:
            return f"{room.seats[seat].name}> "
        bot = room.bot_to_move()
        return f"({room.seats[bot[0]].name} thinks) > " if bot else "> "

    def is_worth_a_board(self, event: ev.Event, before: Room, after: Room, me: str) -> bool:
        """Whether `me` wants to see the board after `event`.

        A player sees it before every move of its own, a spectator after every turn, everybody
        at the start.
        """
        match event:
            case ev.Started():
                return True
            case ev.Played() | ev.Withdrew() if after.is_player(me):
                return my_seat_to_move(after, me) is not None
            case ev.Played() | ev.Withdrew():
                assert before.state is not None
                return event.to_move is not None and event.to_move != before.state.to_move
            case ev.TookBack():
                return my_seat_to_move(after, me) == event.seat
            case _:
                return False
