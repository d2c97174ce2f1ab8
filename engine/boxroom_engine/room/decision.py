"""Decisions about commands: the events that a command leads to.

A rule that leads to several events adds them one by one and reads the room in between, so
that each event takes the earlier ones into account.
"""

from collections.abc import Sequence

from msgspec import Struct

from boxroom_engine.games.protocol import Seat, State, listed_moves
from boxroom_engine.phrases import LocalizedError, Phrase, Value
from boxroom_engine.room import events as ev
from boxroom_engine.room.effects.games import with_move, with_undone
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import OnDrop, Room
from boxroom_engine.standings import points_of, series_winner


class CommandRefused(LocalizedError):
    """A command or request isn't allowed, and has changed nothing.

    Its phrase says what is wrong, and what people can do instead.
    """

    def __init__(self, code: str, said: Phrase) -> None:
        super().__init__(said)
        self.code = code
        """One of the codes in docs/reference/protocol.md, for programs."""


def refusal(key: str, /, **values: Value) -> CommandRefused:
    """Return a refusal that says the phrase `refusal.<key>` with its values.

    `key` is the code of the refusal or, if the code has several phrases, `<code>.<variant>`.
    """
    return CommandRefused(key.partition(".")[0], Phrase(f"refusal.{key}", values))


class Decision(Struct):
    """The events decided on so far, and the room after them."""

    room: Room
    """The room after all of `events`."""
    now_ms: int
    limits: RoomLimits
    events: list[ev.Event] = []
    link: str = ""
    """Random name for a game that begins; without it the game has none."""

    @property
    def time_ms(self) -> int:
        """The room's time, which stands still in a pause."""
        return self.room.time_ms(self.now_ms)

    def add(self, event: ev.Event) -> None:
        """Append `event`, and apply it to the room."""
        self.events.append(event)
        self.room = evolve(self.room, event, self.now_ms)

    def add_move(self, event: ev.Played, after: State) -> None:
        """Append a move that leads to the position `after`, without playing it once more."""
        self.events.append(event)
        self.room = with_move(self.room, event, after, self.now_ms)

    def add_undone(self, member: str, keeps: int, after: State) -> None:
        """Append a takeback by `member` that leads to the position `after`, without replaying."""
        assert after.to_move is not None
        turn = after.to_move, after.scores, after.movable, listed_moves(after)
        event = ev.Undone(member, keeps, self.room.ply + 1, *turn)
        self.events.append(event)
        self.room = with_undone(self.room, event, after, self.now_ms)

    def deadline_ms(self, to_move: Seat | None) -> int | None:
        """Return when the clock of `to_move` runs out if its turn begins now; None without one.

        The clock doesn't run for bots, nor for people who are gone.
        """
        room = self.room
        clock_s = room.settings.clock_s
        if clock_s is None or to_move is None:
            return None
        holder = room.seats[to_move]
        if holder.bot is not None or holder.member is None or room.is_gone(holder.member):
            return None
        return self.time_ms + clock_s * 1000

    def end_if_over(self) -> None:
        """End the game if its state is over, and reveal the chat of the spectators."""
        state = self.room.running
        outcome = state.outcome if state is not None else None
        if state is None or outcome is None:
            return
        self._end_pause()
        points: tuple[int, ...] = ()
        if len(outcome.scores) > 1:
            win_counts = state.game.kind.only_the_win_counts
            points = points_of(
                outcome.scores, outcome.winners, state.withdrawn, only_the_win_counts=win_counts
            )
        self.add(ev.Ended(outcome.scores, tuple(outcome.winners), points))
        winner = series_winner(self.room.series, self.room.settings.best_of)
        if winner is not None:
            self.add(ev.SeriesWon(winner))
        self._vacate(_substitutes(self.room))
        self._reveal()

    def abort(self, member: str) -> None:
        """End the running game without a winner, as `member` asked."""
        self._end_pause()
        substitutes = _substitutes(self.room)
        self.add(ev.Aborted(member))
        self._vacate(substitutes)
        self._reveal()

    def _vacate(self, seats: Sequence[Seat]) -> None:
        for seat in seats:
            self.add(ev.Vacated(seat))

    def _end_pause(self) -> None:
        """Let the room's time go on, before the game ends."""
        if self.room.pause is not None:
            self.add(ev.Unpaused())

    def _reveal(self) -> None:
        if self.room.unrevealed:
            self.add(ev.Revealed(self.room.unrevealed))

    def withdraw(self, seat: Seat, why: ev.WithdrawalReason) -> None:
        """Withdraw `seat` from the running game, unless it has withdrawn already."""
        state = self.room.running
        if state is None or seat in state.withdrawn:
            return
        after = state.withdraw(seat)
        deadline_ms = self.room.deadline_ms
        if after.to_move != state.to_move:
            deadline_ms = self.deadline_ms(after.to_move)
        self.add(ev.Withdrew(seat, why, after.to_move, after.scores, deadline_ms))
        self.end_if_over()

    def drop_out(self, seat: Seat) -> None:
        """Apply the room's `on_drop` policy to a seat whose person has stopped playing."""
        state = self.room.running
        if state is None or seat in state.withdrawn or self.room.seats[seat].bot is not None:
            return
        match self.room.settings.on_drop:
            case OnDrop.BOT:
                self.add(ev.StoodIn(seat, self.limits.stand_in))
            case OnDrop.FORFEIT:
                self.withdraw(seat, ev.WithdrawalReason.FORFEITED)
            case OnDrop.WAIT:
                pass

    def take_back(self, seat: Seat) -> None:
        """Return `seat` to its person, with a fresh clock if it is to move."""
        to_move = self.room.state.to_move if self.room.state is not None else None
        holder = self.room.seats[seat]
        is_stopped = seat == to_move and self.room.deadline_ms is None
        if holder.bot is None and not is_stopped:
            return
        back = evolve(self.room, ev.TookBack(seat), self.now_ms)
        deadline_ms = Decision(back, self.now_ms, self.limits).deadline_ms(seat)
        if holder.bot is not None or deadline_ms is not None:
            self.add(ev.TookBack(seat, deadline_ms if seat == to_move else None))

    def pass_host_on(self, leaving: str) -> None:
        """Make another member the host if `leaving` is it.

        The next host is the connected player who has sat longest, else the connected member
        who has been in the room longest, else None.
        """
        if self.room.host != leaving:
            return
        others = (name for name in self.room.members if self.room.is_connected(name))
        heirs = (name for name in (*self.room.connected_players(), *others) if name != leaving)
        self.add(ev.HostPassed(next(heirs, None)))


def _substitutes(room: Room) -> tuple[Seat, ...]:
    """Return the seats of bots that play on for people who were sent out of this game."""
    seats = enumerate(zip(room.seats, room.players, strict=True))
    return tuple(Seat(n) for n, (held, name) in seats if held.is_bot and held.name != name)
