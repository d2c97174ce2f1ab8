"""What a solver of Dots and Boxes finds out, and what it is to those who ask it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from boxroom_engine.games.dots.solve.playout_result import Branch
from boxroom_engine.games.protocol import Move

Stop = Callable[[], bool]
"""Asked every now and then whether to give up, such as `Limit.expired`."""


@dataclass(frozen=True, slots=True)
class Solved:
    """What is known of one position.

    The *value* is the margin to come: the boxes that the player to move still gets less those
    that the opponent still gets, both playing best. The score so far has no part in it.
    """

    least: int
    """The value is at least this."""
    most: int
    """The value is at most this."""
    best_moves: tuple[Move, ...]
    """Moves with which the player gets `least` or more, ascending: all of them if `exact` and they
    were asked for, else one or more, or none as long as `least` goes without saying."""
    nodes: int
    """How many positions were searched."""
    exact: bool
    """Whether everything that was asked for is known: the search wasn't stopped."""

    @property
    def value(self) -> int:
        """The margin to come, which must be known: `least` and `most` are the same."""
        assert self.least == self.most, "the search was stopped before it knew the value"
        return self.least


class Solver(Protocol):
    """Exact play for two on boards of one size. Keeps what it learns from one call to the next."""

    @property
    def table_bytes(self) -> int:
        """The memory for what it learns: at most what it was made with."""

    def solve(
        self,
        drawn: int,
        *,
        moves: bool = True,
        first_goal: int | None = None,
        stop: Stop | None = None,
    ) -> Solved:
        """The value of the position with this set of drawn edges, and its best moves.

        Args:
            drawn: numbered as in `games.dots.grid`, with what the border draws.
            moves: whether all best moves are wanted; else it is content with one.
            first_goal: what is asked first is whether the value is at least this, such as the
                margin to come that wins the game. It changes no result but that of a search
                that is stopped.
            stop: ends the search when it says so; what was known by then is right and is given
                back, with the best move known. So do positions from which the search goes deeper
                than 128 moves, which large boards have long before their end.
        """

    def bounded(self, drawn: int, goal: int, most_nodes: int) -> Solved:
        """Whether the value is at least `goal`, if that can be said after at most so many nodes.

        It is at least `goal` if `least` is, and less if `most` is; otherwise neither is known,
        and `exact` is false. No moves are looked for. What was learnt serves later calls.
        """

    def grow(
        self,
        drawn: int,
        scores: Sequence[int],
        *,
        declined: int,
        playouts: int,
        seed: int,
        stop: Stop | None = None,
    ) -> tuple[Branch, ...]:
        """What a tree of playouts says of the ways to go on, for any number of players.

        Args:
            drawn: as for `solve`. All that is on offer is taken first, by the player to move.
            scores: boxes so far, in turn order, the player to move first; two or more.
            declined: how many of the boxes on offer, 2 or 4, can be left to the next player; 0 if
                none. If it isn't 0 the ways to go on are those of `Taking`.
            playouts: at most so many.
            seed: of the random numbers, 64 bits.
            stop: asked every few playouts, and not before the first.

        Returns:
            The ways that were tried; none only if nothing is left when all on offer is taken. With
            the same arguments they are the same, but for two players they also depend on what this
            solver has learnt before.
        """
