"""A game in progress, and the result of a finished one."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from boxroom_engine.arena.playing import Fault, Segment
from boxroom_engine.arena.schedule import Match
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.record import Record, withdrawal_token


@dataclass(frozen=True, slots=True)
class Times:
    """Thinking times of one player over any number of moves."""

    moves: int = 0
    total_s: float = 0.0
    longest_s: float = 0.0
    late: int = 0
    """Number of moves after their limit, but within the grace, so that they count."""

    def __add__(self, other: "Times") -> "Times":
        return Times(
            self.moves + other.moves,
            self.total_s + other.total_s,
            max(self.longest_s, other.longest_s),
            self.late + other.late,
        )

    @property
    def mean_s(self) -> float | None:
        """Mean time of a move; None without a move."""
        return self.total_s / self.moves if self.moves else None


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game."""

    match: Match
    final: State
    tokens: tuple[str, ...]
    """The tokens of its record: the opening, all moves and withdrawals."""
    faults: tuple[Fault, ...]
    times: tuple[Times, ...]
    """By seat."""

    def without_record(self) -> "Result":
        """Return it without the tokens, which take most of its memory."""
        return replace(self, tokens=())

    def record(self, names: Sequence[str]) -> Record:
        """Return its record; `names` are the contenders'."""
        players = tuple(f"{names[each]} (bot)" for each in self.match.contenders)
        return Record(self.final.game, players, self.tokens)


@dataclass(frozen=True, slots=True)
class VoidGame:
    """A game that doesn't count, because of the machine or of the arena, not of its bots."""

    match: Match
    reason: str
    faults: ClassVar[tuple[Fault, ...]] = ()
    """None: those before don't count either."""

    def without_record(self) -> "VoidGame":
        """Return itself: it has no record."""
        return self


@dataclass(slots=True)
class RunningGame:
    """A game up to its present position."""

    match: Match
    state: State
    limit_s: float
    tokens: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    times: list[Times] = field(default_factory=list)

    @classmethod
    def after_opening(
        cls, match: Match, start: State, opening: Sequence[Move], limit_s: float
    ) -> "RunningGame":
        """Return the game of `match` after its opening."""
        game = cls(match, start, limit_s, times=[Times()] * start.game.seats)
        for move in opening:
            game._play(move)
        return game

    def add(self, segment: Segment) -> None:
        """Add a segment; a fault withdraws its seat, and the game is over if one seat is left."""
        for timed in segment.moves:
            self._play(timed.move)
            late = int(timed.seconds > self.limit_s)
            self.times[timed.seat] += Times(1, timed.seconds, timed.seconds, late)
        if segment.fault is not None:
            self.faults.append(segment.fault)
            self._withdraw(segment.fault.seat)

    def result(self) -> Result:
        """Return the result; the game must be over."""
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
