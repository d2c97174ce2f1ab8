"""The member's turn: whether it is due, and when a board is worth printing."""

from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Room

PROMPT_END = "> "
"""The end of every prompt."""


def my_seat_to_move(room: Room, me: str) -> Seat | None:
    """Return the seat to move if `me` holds it and no bot stands in; else None.

    In a pause no seat is to move, nor before the moves with which a game begins.
    """
    if room.pause is not None or room.is_in_opening:
        return None
    if room.phase is not Phase.PLAYING or room.state is None or room.state.to_move is None:
        return None
    seat = room.state.to_move
    holder = room.seats[seat]
    return seat if holder.member == me and holder.bot is None else None


def waits_for_me(room: Room, me: str) -> bool:
    """Whether a move of `me` is due, or it is no use to wait for one."""
    mine = room.seats_of(me)
    match room.phase:
        case Phase.WAITING:
            return not mine or room.host == me  # only the host can start the game
        case Phase.OVER:
            return True
        case Phase.PLAYING:
            assert room.state is not None
            is_out = all(seat in room.state.withdrawn for seat in mine)
            return is_out or (room.pause is None and room.state.to_move in mine)


def should_show_board(event: ev.Event, before: Room, after: Room, me: str) -> bool:
    """Whether line mode prints the board for `me` after `event`.

    A player sees it before each of its own moves, a spectator when the turn changes, and all
    members at the start, after the opening if there is one, and after a pause.
    """
    match event:
        case ev.Undone():
            return True
        case ev.Started() | ev.Played(by=ev.OPENING):
            return not after.is_in_opening
        case ev.Unpaused():
            return event.member is not None
        case ev.Played() | ev.Withdrew() if after.is_player(me):
            return my_seat_to_move(after, me) is not None
        case ev.Played() | ev.Withdrew():
            assert before.state is not None
            return event.to_move is not None and event.to_move != before.state.to_move
        case ev.TookBack():
            return my_seat_to_move(after, me) == event.seat
        case _:
            return False


def prompt(room: Room, me: str) -> str:
    """Return the prompt of the line that `me` types."""
    seat = my_seat_to_move(room, me)
    if seat is not None:
        return f"{room.seats[seat].name}{PROMPT_END}"
    bot = room.bot_to_move()
    if bot is None:
        return PROMPT_END
    name = called(room.seats[bot[0]].name or "")
    return f"({say('terminal.turn.thinks', name=name)}) {PROMPT_END}"
