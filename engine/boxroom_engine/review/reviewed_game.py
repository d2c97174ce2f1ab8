"""A game that is over, its review, and the position that is shown. Pure.

One steps through the game, or through a *line*: best play from a costly move on, or from the better
one. Position 0 is before the first move, and position N after the Nth.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from boxroom_engine.games.errors import GameError, MoveError
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.review.lead import Lead, lead_in
from boxroom_engine.review.review import Finding, Review


@dataclass(frozen=True, slots=True)
class Line:
    """Best play from the costly move of a finding on, or from the better one."""

    finding: Finding
    is_better: bool

    @property
    def moves(self) -> tuple[str, ...]:
        """Its moves, by their texts."""
        return self.finding.better_line if self.is_better else self.finding.line


@dataclass(frozen=True)
class ReviewedGame:
    """A position among those of a game, or of a line of its review; methods return others."""

    positions: tuple[State, ...]
    review: Review
    at: int
    """Number of the position that is shown."""
    line: Line | None = None
    """The line that is stepped through; None: the game."""
    best: tuple[Move, ...] = ()
    """Best moves of the position that is shown, if it was judged by itself."""

    @cached_property
    def shown(self) -> tuple[State, ...]:
        """The positions of the game, or those up to a costly move and then those of the line."""
        if self.line is None:
            return self.positions
        before = self.positions[: self.line.finding.number]
        return (*before, *_played(before[-1], self.line.moves))

    @property
    def position(self) -> State:
        """The position that is shown."""
        return self.shown[self.at]

    @property
    def finding(self) -> Finding | None:
        """The finding about the next move, or the one of whose lines one is shown."""
        if self.line is not None:
            return self.line.finding
        return next((each for each in self._findings if each.number == self.at + 1), None)

    @property
    def better(self) -> Move | None:
        """The move that was better than the next one of the game; None if none is known."""
        if self.finding is None or self.line is not None:
            return None
        try:
            return self.position.game.parse_move(self.finding.better)
        except MoveError:  # of a server that isn't ours
            return None

    @property
    def marked(self) -> tuple[Move, ...]:
        """The moves that are marked on the board: the best ones that are known."""
        better = () if self.better is None else (self.better,)
        return self.best or better

    @property
    def leads(self) -> tuple[Lead, ...]:
        """The lead in each position of the game."""
        margins = self.review.margins
        if len(margins) != len(self.positions):  # of a server that tells none
            margins = (None,) * len(self.positions)
        return tuple(map(lead_in, self.positions, margins))

    @property
    def costly(self) -> frozenset[int]:
        """The numbers of the moves that cost something."""
        return frozenset(each.number for each in self._findings)

    @property
    def _findings(self) -> tuple[Finding, ...]:
        """The findings that are about moves of this game, as those of our servers are."""
        last = len(self.positions) - 1
        return tuple(each for each in self.review.findings if 1 <= each.number <= last)

    def moved(self, by: int) -> "ReviewedGame":
        """Go on or back by so many moves, at most to an end of the game or the line."""
        first = 0 if self.line is None else self.line.finding.number - 1
        return replace(self, at=max(first, min(self.at + by, len(self.shown) - 1)), best=())

    def judged(self, ply: int, best: Iterable[str]) -> "ReviewedGame":
        """Show the position of the game after `ply` moves, and mark these legal moves."""
        moves = tuple(map(self.positions[ply].game.parse_move, best))
        return replace(self, at=ply, line=None, best=moves)

    def to_costly(self, by: int) -> "ReviewedGame":
        """Go to before the next costly move of the game, or with -1 to before the one before."""
        at = self.left().at
        starts = sorted(number - 1 for number in self.costly)
        others = [each for each in starts if (each > at if by > 0 else each < at)]
        if not others:
            return self
        return replace(self, at=others[0 if by > 0 else -1], line=None, best=())

    def following(self, *, is_better: bool) -> "ReviewedGame":
        """Show the first move of a line of the finding, if there is one."""
        if self.finding is None:
            return self
        line = Line(self.finding, is_better)
        before = replace(self, at=self.finding.number - 1, line=line, best=())
        followed = before.moved(1)
        return self if followed == before else followed

    def left(self) -> "ReviewedGame":
        """Go back from a line to the position of the game in which it begins."""
        if self.line is None:
            return self
        return replace(self, at=self.line.finding.number - 1, line=None)


def _played(position: State, moves: tuple[str, ...]) -> Iterator[State]:
    """Yield the positions after each of `moves`, as far as they are legal."""
    for move in moves:
        try:
            position = position.play(position.game.parse_move(move))
        except (GameError, ValueError):  # of a server that isn't ours
            return
        yield position
