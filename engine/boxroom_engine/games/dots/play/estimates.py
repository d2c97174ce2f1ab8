"""Estimates of the moves of a position by playouts, in limited time.

Not exact play but a tree of playouts, for any number of players on any board (see
boxroom_engine/kernel/tree.hpp), asked about a whole position.
"""

import random
from dataclasses import dataclass, replace

from boxroom_engine.games.dots.play.offers import Offer, offer_in
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.solve.result import OfferChoice, PlayoutBranch
from boxroom_engine.games.dots.solve.solver import Solver, shared_solver
from boxroom_engine.games.protocol import Move
from boxroom_engine.games.turn_order import seat_after
from boxroom_engine.stopping import StopToken

MOST_PLAYOUTS = 1 << 40
"""More than there is ever time for: the time ends the playouts, or a proven result."""


@dataclass(frozen=True, slots=True)
class MoveEstimate:
    """A move, and its expected result for the seat to move."""

    move: Move
    visits: int
    share: float
    """The part of the win, 0 to 1; see `PlayoutBranch.shares`."""
    margin: float
    """The boxes from here on less those of the best other seat in play."""

    @property
    def preference(self) -> tuple[bool, bool, int, float]:
        """The greatest is best: a certain win, else the most tried that isn't a certain loss."""
        return self.share == 1.0, self.share > 0.0, self.visits, self.margin


def estimate_moves(
    position: Position,
    stop: StopToken,
    rng: random.Random,
    playouts: int = MOST_PLAYOUTS,
    solver: Solver | None = None,
) -> list[MoveEstimate]:
    """The moves worth considering in a position that isn't over, the best first; at least one.

    If something is on offer that costs nothing to take, that is the only move.

    Args:
        position: any that isn't over.
        stop: ends it after a few playouts more.
        rng: gives the seed; the same one and as many playouts give the same estimates by a solver
            that has learnt the same.
        playouts: at most so many.
        solver: one for this board; by default the shared one.
    """
    offer, grid, scores = offer_in(position), position.game.grid, scores_in_play(position)
    branches = (solver or shared_solver(grid.rows, grid.cols)).run_playouts(
        position.edges,
        scores,
        declinable=0 if offer is None else offer.declined or 0,
        playouts=playouts,
        seed=rng.getrandbits(64),
        stop=stop,
    )
    estimates = [_estimate(branch, offer) for branch in branches]
    estimates.sort(key=lambda each: each.preference, reverse=True)
    if offer is None or offer.decline is not None:
        return estimates
    if not estimates:  # to take it ends the game
        return [_last_estimate(offer, scores)]
    return [replace(estimates[0], move=offer.take)]


def scores_in_play(position: Position) -> tuple[int, ...]:
    """The boxes of each seat that hasn't withdrawn, in turn order, the seat to move first."""
    assert position.to_move is not None
    in_play = [position.to_move]
    seats, withdrawn = position.game.seats, position.withdrawn
    while (seat := seat_after(in_play[-1], seats, withdrawn)) != in_play[0]:
        in_play.append(seat)
    return tuple(position.scores[seat] for seat in in_play)


def _last_estimate(offer: Offer, scores: tuple[int, ...]) -> MoveEstimate:
    own, rivals = scores[0] + offer.boxes, scores[1:]
    share = 1 / (1 + rivals.count(own)) if own >= max(rivals) else 0.0
    return MoveEstimate(offer.take, 0, share, float(offer.boxes))


def _estimate(branch: PlayoutBranch, offer: Offer | None) -> MoveEstimate:
    own, *others = branch.boxes
    move = branch.move
    if isinstance(move, OfferChoice):
        assert offer is not None
        declined = offer.decline if move is OfferChoice.DECLINE else None
        move = offer.take if declined is None else declined
    return MoveEstimate(move, branch.visits, branch.shares[0], own - max(others))
