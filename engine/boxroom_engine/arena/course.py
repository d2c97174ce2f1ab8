"""A game as it grows, and what is left of it when it is over."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from boxroom_engine.arena.playing import Fault, Leg
from boxroom_engine.arena.schedule import Match
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.record import Record, withdrawal_token


@dataclass(frozen=True, slots=True)
class Times:
    """How long somebody has thought about any number of moves."""

    moves: int = 0
    total_s: float = 0.0
    longest_s: float = 0.0
    late: int = 0
    """Moves that came after their limit, but early enough to count."""

    def __add__(self, other: "Times") -> "Times":
        return Times(
            self.moves + other.moves,
            self.total_s + other.total_s,
            max(self.longest_s, other.longest_s),
            self.late + other.late,
        )

    @property
    def mean_s(self) -> float | None:
        """A move takes so long; None if there was none."""
        return self.total_s / self.moves if self.moves else None


@dataclass(frozen=True, slots=True)
class Result:
    """A game that is over."""

    match: Match
    final: State
    tokens: tuple[str, ...]
    """The whole game, with its opening, as in a record."""
    faults: tuple[Fault, ...]
    times: tuple[Times, ...]
    """By seat."""

    def record(self, names: Sequence[str]) -> Record:
        """The record of it; `names` are the contenders'."""
        players = tuple(f"{names[each]} (bot)" for each in self.match.contenders)
        return Record(self.final.game, players, self.tokens)


@dataclass(slots=True)
class Course:
    """A game up to where it stands."""

    match: Match
    state: State
    limit_s: float
    tokens: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    times: list[Times] = field(default_factory=list)

    @classmethod
    def begun(cls, match: Match, start: State, opening: Sequence[Move], limit_s: float) -> "Course":
        """The game of `match` after its opening."""
        course = cls(match, start, limit_s, times=[Times()] * start.game.seats)
        for move in opening:
            course._play(move)
        return course

    def follow(self, leg: Leg) -> None:
        """Add a stretch; the seat of a fault is out, and the others go on if there are any."""
        for turn in leg.turns:
            self._play(turn.move)
            late = int(turn.seconds > self.limit_s)
            self.times[turn.seat] += Times(1, turn.seconds, turn.seconds, late)
        if leg.fault is not None:
            self.faults.append(leg.fault)
            self._withdraw(leg.fault.seat)

    def result(self) -> Result:
        """The game, which must be over."""
        assert self.state.is_over
        return Result(
            self.match, self.state, tuple(self.tokens), tuple(self.faults), tuple(self.times)
        )

    def _play(self, move: Move) -> None:
        self.tokens.append(self.state.game.format_move(move))
        self.state = self.state.play(move)

    def _withdraw(self, seat: Seat) -> None:
        self.tokens.append(withdrawal_token(seat))
        self.state = self.state.withdraw(seat)
