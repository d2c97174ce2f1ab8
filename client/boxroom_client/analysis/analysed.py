"""A game that was analysed, as it is reported."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import groupby

from boxroom_client.analysis.lead import Lead, lead_in
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.dots.theory.facts import facts_of, seats_in_play
from boxroom_engine.games.dots.theory.judging import JudgedGame, JudgedMove
from boxroom_engine.games.protocol import Move


class Unjudged(Enum):
    """Why it isn't known what a move lost."""

    MANY_SEATS = auto()
    """More than two players were in play."""
    TOO_EARLY = auto()
    """It would have taken too long."""
    INTERRUPTED = auto()
    """Somebody didn't wait."""


@dataclass(frozen=True)
class Analysed:
    """All that the text, the graphs and the JSON object are made of."""

    game: Dots
    players: tuple[str, ...]
    """One name a seat, such as terminals can be trusted with."""
    judged: JudgedGame
    limit_s: float
    """For each position."""
    is_whole: bool
    """Whether nobody interrupted it."""

    @property
    def last(self) -> Position:
        """The position after all moves."""
        return self.judged.positions[-1]

    def name(self, move: JudgedMove) -> str:
        """The text that people type for `move`."""
        return self.game.format_move(move.move)

    def advice(self, move: JudgedMove) -> Move:
        """One of the moves that had been better than this costly one.

        It is the first of those that do something else, or of all if none does.
        """
        facts = facts_of(move.before, move.move)
        differ = (each for each in move.better if facts_of(move.before, each) != facts)
        return next(differ, move.better[0])

    def unjudged(self) -> Iterator[tuple[Unjudged, list[JudgedMove]]]:
        """The runs of moves of which isn't known what they lost, and why."""
        for why, run in groupby(self.judged.moves, self._why_unjudged):
            if why is not None:
                yield why, list(run)

    def _why_unjudged(self, move: JudgedMove) -> Unjudged | None:
        if move.lost is not None:
            return None
        if seats_in_play(move.before) != 2:
            return Unjudged.MANY_SEATS
        return Unjudged.TOO_EARLY if self.is_whole else Unjudged.INTERRUPTED

    @cached_property
    def leads(self) -> tuple[Lead, ...]:
        """Who is ahead by how much, for each position."""
        return tuple(map(lead_in, self.judged.positions, self.judged.margins()))
