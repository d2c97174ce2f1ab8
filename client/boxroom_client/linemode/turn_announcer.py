"""Announcements of turns, which the full screen shows in its bars instead."""

from dataclasses import dataclass

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

    def announce(self, room: Room, me: str, now_ms: int | None = None) -> tuple[str, ...]:
        """Return the announcement if `me` is to move; else nothing.

        `now_ms` is the server's time; None: it isn't known, and the turn counts as just begun.
        """
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
            sentences.append(say("terminal.turn.clock", seconds=_seconds_left(room, now_ms)))
        return (" ".join(sentences),)


def _seconds_left(room: Room, now_ms: int | None) -> int:
    """Return the seconds on the clock of the player to move; after a pause some have passed."""
    if now_ms is None or room.deadline_ms is None:
        return room.settings.clock_s or 0
    return max(0, round((room.deadline_ms - now_ms) / 1000))


@dataclass(frozen=True, slots=True)
class SlowTurn:
    """The turn of another person, which is told of once if it takes long."""

    name: str
    game: int
    ply: int
    since_ms: int | None
    after_s: int
    """Seconds of thinking after which others may let a bot play."""

    def told(self, room: Room, me: str) -> str:
        """Return the announcement for `me`, with what `me` can do."""
        time = "{}:{:02}".format(*divmod(self.after_s, 60))
        line = say("terminal.turn.slow", name=self.name, time=time)
        may_let_play = me == room.host or me in room.others_in_game()
        advice = "terminal.turn.slow_advice" if may_let_play else "terminal.turn.nudge_advice"
        return f"{line} {say(advice, name=self.name)}"


def slow_turn(room: Room, me: str) -> SlowTurn | None:
    """Return the turn that is on; None if no other person is to move, or a clock runs."""
    state = room.running
    if state is None or state.to_move is None or room.pause is not None or room.settings.clock_s:
        return None
    holder = room.seats[state.to_move]
    if holder.bot is not None or holder.member in (None, me):
        return None
    after_s = room.settings.stand_in_s
    return SlowTurn(holder.name or "", room.game_number, room.ply, room.turn_since_ms, after_s)
