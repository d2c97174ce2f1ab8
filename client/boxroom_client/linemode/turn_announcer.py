"""Announcements of a member's turns, which the full screen shows in its bars instead."""

from boxroom_client.shell.output.board_in_words import turn_in_words
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_common.phrases import say
from boxroom_engine.room.room import Room


class TurnAnnouncer:
    """Announces a member's turns; the first time it adds how to type a move.

    `in_words` tells what can be played, too, to a person who doesn't see the board.
    """

    def __init__(self, *, in_words: bool = False) -> None:
        self._in_words = in_words
        self._has_explained = False  # whether it has told how to type a move

    def announce(self, room: Room, me: str) -> tuple[str, ...]:
        """Return the announcement if `me` is to move; else nothing."""
        seat = my_seat_to_move(room, me)
        if seat is None or room.state is None:
            return ()
        sentences = [f"{say('your_turn_as', name=room.seats[seat].name or '')}."]
        if self._in_words:
            sentences += filter(None, [turn_in_words(room.state)])
        if not self._has_explained:
            self._has_explained = True
            move = room.state.game.format_move(room.state.legal_moves()[0])
            sentences.append(say("terminal.turn.example", move=move))
        if room.settings.clock_s:
            sentences.append(say("terminal.turn.clock", seconds=room.settings.clock_s))
        return (" ".join(sentences),)
