"""Judgement of a game: the worth of each position, and the loss of each move.

A *judge* estimates the worth of a position, exactly, about, or not at all. The loss of a move is
the worth of its position less the part that it kept, both for the seat that moved. Where everything
is exact, best moves lose nothing and all others something, and the losses of the first seat less
those of the other are the value of the first position less the margin at the end.

Worth is counted in *margins to come*: the boxes that a seat still gets less those that the other
still gets, both playing best. With more than two seats in play there is no best play against all
others. Worth is then counted in the boxes that the seat still gets if every seat plays for its own
boxes (max^n): a convention, under which the others may do something else. A single player gets them
all.

For what moves do besides, see `facts`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from boxroom_engine.games.abilities import Judgement
from boxroom_engine.games.protocol import Move, Seat, State

_COSTLY = 1.0
"""A move that loses less of a margin is none to speak of. Exact losses are whole numbers."""

COSTLY_RESULT = 0.1
"""A move that loses less of a result, 5 % of a win, is within the error of a search."""


JudgePosition = Callable[[Any], Judgement | None]
"""Asked about positions in which a seat is to move; None: can't tell."""

_NOTHING_TO_COME = Judgement(0.0, exact=True, best_moves=())


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move of a game, with what is known of the positions before and after it."""

    number: int
    """Its place in the record, from 1, where withdrawals have numbers too."""
    move: Move
    before: State
    after: State
    judgement: Judgement | None
    """Of the position before; None if that couldn't be judged."""
    judgement_after: Judgement | None
    """Of the position after, in the same way."""

    @property
    def seat(self) -> Seat:
        """Seat that played it."""
        assert self.before.to_move is not None
        return self.before.to_move

    @property
    def value(self) -> float | None:
        """The margin to come that the seat could have had; None if that isn't known."""
        return None if self.judgement is None else self.judgement.value

    @property
    def kept(self) -> float | None:
        """The margin to come that the move led to, for the same seat; None if not known."""
        if self.judgement_after is None:
            return None
        if self.judgement_after.shares is not None:
            return len(self.after.taken) + self.judgement_after.shares[self.seat]
        if self._only_the_win_counts and self.after.is_over:
            return self.after.evaluate(self.seat)
        moves_again = self.after.to_move in (self.seat, None)
        to_come = self.judgement_after.value
        taken = 0 if self._only_the_win_counts else len(self.after.taken)
        return taken + (to_come if moves_again else -to_come)

    @property
    def lost(self) -> float | None:
        """Loss of margin by the move, 0 or more; None if that isn't known."""
        if self.judgement is None or self.kept is None:
            return None
        lost = self.judgement.value - self.kept
        if self.exact:
            return lost
        return 0.0 if self.move in self.judgement.best_moves else max(lost, 0.0)

    @property
    def lost_boxes(self) -> float | None:
        """Boxes that its player gets less by it; None if that isn't known.

        Between two in play a box less is one more for the other: a margin of two.
        """
        if self.lost is None or self.judgement is None:
            return None
        return self.lost / 2 if self.judgement.shares is None else self.lost

    @property
    def exact(self) -> bool:
        """Whether its loss is known, and no estimate."""
        judgements = self.judgement, self.judgement_after
        return all(judgement is not None and judgement.exact for judgement in judgements)

    @property
    def is_costly(self) -> bool:
        """Whether it lost something to speak of."""
        costly = COSTLY_RESULT if self._only_the_win_counts else _COSTLY
        return self.lost is not None and self.lost >= costly

    @property
    def _only_the_win_counts(self) -> bool:
        return self.before.game.kind.only_the_win_counts

    @property
    def better(self) -> tuple[Move, ...]:
        """The best moves, if this is costly; else none."""
        return self.judgement.best_moves if self.judgement and self.is_costly else ()


@dataclass(frozen=True)
class JudgedGame:
    """All positions of a game, with a judgement of each that could be judged."""

    positions: tuple[State, ...]
    judgements: tuple[Judgement | None, ...]
    left_out: int = 0
    """Number of moves before the first of these positions."""

    @cached_property
    def moves(self) -> tuple[JudgedMove, ...]:
        """All moves; withdrawals are none."""
        judged = zip(self.positions, self.judgements, strict=True)
        return tuple(
            JudgedMove(
                number, _move_between(before, after), before, after, judgement, judgement_after
            )
            for number, ((before, judgement), (after, judgement_after)) in enumerate(
                pairwise(judged), self.left_out + 1
            )
            if before.withdrawn == after.withdrawn
        )

    def margins(self) -> tuple[float | None, ...]:
        """For each position the margin at the end if both play best from there on.

        It is the margin of the first seat in play over the other; None where it isn't known.
        """
        return tuple(map(_final_margin, self.positions, self.judgements))

    @property
    def turning_point(self) -> JudgedMove | None:
        """The last move that changed who would win, alone or together.

        None if no move is known to have, or if a player who gave up changed it after all moves;
        estimates don't count.
        """
        moves = {move.number: move for move in self.moves}
        numbered = enumerate(pairwise(self.expected_winners), self.left_out + 1)
        for number, (before, after) in reversed(list(numbered)):
            if before is None or after is None:
                return None
            if before != after:
                return moves.get(number)
        return None

    @cached_property
    def expected_winners(self) -> tuple[tuple[Seat, ...] | None, ...]:
        """For each position the seats that win if both play best from there on; None: not known."""
        return tuple(map(_expected_winners, self.positions, self.judgements))


@dataclass(frozen=True, slots=True)
class Losses:
    """Losses of one seat in a game, as far as its moves were judged."""

    judged: int
    """The moves that were judged."""
    costly: int
    """Those of them that lost something."""
    lost: float
    """Sum of their losses."""
    lost_boxes: float
    """The same in boxes."""
    exact: bool
    """Whether none of it is an estimate."""
    worst: JudgedMove | None
    """The first of those that lost most; None if none did."""


def losses(game: JudgedGame, seat: Seat) -> Losses:
    """The losses of `seat` in `game`."""
    moves = [move for move in game.moves if move.seat == seat and move.lost is not None]
    costly = [move for move in moves if move.is_costly]
    return Losses(
        judged=len(moves),
        costly=len(costly),
        lost=sum(move.lost or 0.0 for move in costly),
        lost_boxes=sum(move.lost_boxes or 0.0 for move in costly),
        exact=all(move.exact for move in moves),
        worst=max(costly, key=lambda move: move.lost or 0.0, default=None),
    )


def judgement_of(position: State, judge: JudgePosition) -> Judgement | None:
    """The worth of `position`; None if `judge` can't tell."""
    if not position.is_over:
        return judge(position)
    if len(in_play(position)) <= 2:
        return _NOTHING_TO_COME
    return replace(_NOTHING_TO_COME, shares=(0,) * position.game.seats)


def _move_between(before: State, after: State) -> Move:
    """The move that leads from one position to the next, by its own name."""
    # A move that is still legal has hardly been played; to play all takes long on a large board.
    still_legal = frozenset(after.legal_moves())
    likely_first = sorted(before.legal_moves(), key=still_legal.__contains__)
    return next(move for move in likely_first if before.play(move) == after)


def _final_margin(position: State, judgement: Judgement | None) -> float | None:
    if judgement is None or judgement.shares is not None or len(in_play(position)) != 2:
        return None
    first, other = in_play(position)
    lead = position.scores[first] - position.scores[other]
    return lead + (judgement.value if position.to_move in (first, None) else -judgement.value)


def _expected_winners(position: State, judgement: Judgement | None) -> tuple[Seat, ...] | None:
    """The seats that win if both play best from `position` on; None if they aren't known."""
    if position.outcome is not None:
        return position.outcome.winners
    margin = _final_margin(position, judgement)
    if margin is None or judgement is None or not judgement.exact:
        return None
    first, other = in_play(position)
    return tuple(seat for seat, lead in ((first, margin), (other, -margin)) if lead >= 0)


def in_play(position: State) -> tuple[Seat, ...]:
    return tuple(
        Seat(seat) for seat in range(position.game.seats) if seat not in position.withdrawn
    )
