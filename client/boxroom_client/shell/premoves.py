"""Premoves: moves that a player gives before the turn, kept until it comes.

Only the client knows them: at the turn a premove is played like any other move. Nothing here waits
or draws; a shell keeps the premove, shows it, and asks after each update if it is still valid.
"""

from dataclasses import dataclass

from boxroom_client.shell.turns import my_seat_to_move
from boxroom_common.phrases import say
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.room.room import Room


@dataclass(frozen=True, slots=True)
class Premove:
    """A move that waits for the turn of one seat."""

    seat: Seat
    text: str
    """The move as its game formats it."""
    game: int
    """Number of the game."""
    history: str
    """Moves of the game when it was given; the position must follow on them."""

    def obstacle(self, room: Room, me: str) -> str | None:
        """Return why `me` can't play it any more; None if it is legal at the seat's turn."""
        state, holder = room.running, room.seats[self.seat]
        if state is None or room.game_number != self.game:
            return say("terminal.premove.over")
        if not f"{room.history} ".startswith(f"{self.history} "):
            return say("terminal.premove.undone")
        if holder.member != me or holder.bot is not None:
            return say("terminal.premove.no_seat")
        try:
            state.with_to_move(self.seat).play(state.game.parse_move(self.text))
        except MoveError as error:
            return str(error)
        return None

    def is_due(self, room: Room, me: str) -> bool:
        """Whether the turn has come for which it was given."""
        return my_seat_to_move(room, me) == self.seat

    def move_in(self, room: Room) -> Move | None:
        """Return the move for the board of `room`; None if no game runs there."""
        return None if room.running is None else room.running.game.parse_move(self.text)


def premove(room: Room, me: str, text: str) -> Premove | None:
    """Return the move `text` as a premove for the seat of `me` whose turn is next.

    None: it is the turn of `me`, or no turn will come.
    """
    state = room.running
    if state is None or state.to_move is None or my_seat_to_move(room, me) is not None:
        return None
    seats = len(room.seats)
    for after in range(1, seats):
        seat = Seat((state.to_move + after) % seats)
        holder = room.seats[seat]
        if holder.member == me and holder.bot is None and seat not in state.withdrawn:
            return Premove(seat, text, room.game_number, room.history)
    return None
