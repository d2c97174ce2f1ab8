"""A decision in the making: events, and the room as it would be after them.

Rules that lead to several events add them one by one and look at the room in between, so
that the last event is decided in the light of the first.
"""

from msgspec import Struct

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.room import events as ev
from boxroom_engine.room.evolve import evolve, played
from boxroom_engine.room.house import RoomLimits
from boxroom_engine.room.room import OnDrop, Room


class Draft(Struct):
    """Events to be, and the room after them."""

    room: Room
    """The room as it will be after all events so far."""
    now_ms: int
    house: RoomLimits
    events: list[ev.Event] = []

    def add(self, event: ev.Event) -> None:
        """Let `event` happen next."""
        self.events.append(event)
        self.room = evolve(self.room, event)

    def add_move(self, event: ev.Played, after: State) -> None:
        """Let a move happen next, of which it is known already that it leads to `after`."""
        self.events.append(event)
        self.room = played(self.room, event, after)

    def deadline_ms(self, to_move: Seat | None) -> int | None:
        """When the clock of `to_move` runs out if its turn begins now; None without a clock.

        The clock doesn't run for bots, nor for people who are gone.
        """
        room = self.room
        clock_s = room.settings.clock_s
        if clock_s is None or to_move is None:
            return None
        holder = room.seats[to_move]
        if holder.bot is not None or holder.member is None or room.is_gone(holder.member):
            return None
        return self.now_ms + clock_s * 1000

    def end_if_over(self) -> None:
        """Once the game's state is over: say so, and reveal what spectators said."""
        state = self.room.running
        outcome = state.outcome if state is not None else None
        if outcome is None:
            return
        self.add(ev.Ended(outcome.scores, tuple(outcome.winners)))
        if self.room.unrevealed:
            self.add(ev.Revealed(self.room.unrevealed))

    def withdraw(self, seat: Seat, why: ev.Why) -> None:
        """Take `seat` out of the running game, unless it is out already."""
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
        """Apply the room's policy to a seat whose person isn't playing any more."""
        state = self.room.running
        if state is None or seat in state.withdrawn or self.room.seats[seat].bot is not None:
            return
        match self.room.settings.on_drop:
            case OnDrop.BOT:
                self.add(ev.StoodIn(seat, self.house.stand_in))
            case OnDrop.FORFEIT:
                self.withdraw(seat, ev.Why.FORFEITED)
            case OnDrop.WAIT:
                pass

    def take_back(self, seat: Seat) -> None:
        """Let the person in `seat` play again, with a fresh clock if it is their turn."""
        to_move = self.room.state.to_move if self.room.state is not None else None
        holder = self.room.seats[seat]
        stopped = seat == to_move and self.room.deadline_ms is None
        if holder.bot is None and not stopped:
            return
        back = evolve(self.room, ev.TookBack(seat))
        deadline_ms = Draft(back, self.now_ms, self.house).deadline_ms(seat)
        if holder.bot is not None or deadline_ms is not None:
            self.add(ev.TookBack(seat, deadline_ms if seat == to_move else None))

    def pass_host_on(self, leaving: str) -> None:
        """Pass the host's powers on if `leaving` has them.

        To the connected player who has sat longest, else to the connected member who has
        been here longest, else to nobody.
        """
        if self.room.host != leaving:
            return
        others = (name for name in self.room.members if self.room.is_connected(name))
        heirs = (name for name in (*self.room.connected_players(), *others) if name != leaving)
        self.add(ev.HostPassed(next(heirs, None)))
