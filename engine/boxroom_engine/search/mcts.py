"""Monte Carlo tree search: UCT with random playouts, a solver, and scores of any range.

The tree grows by repeating these steps:

1. Selection: follow the tree from the root, at each position to the child with the greatest upper
   confidence bound (UCB1) for the seat to move: a good mean, *or* few visits.
2. Expansion and playout: add the first position that isn't in the tree, and play random moves from
   there to the end of the game.
3. Backpropagation: add the final scores to all positions on the path.

So good moves get more and more visits, and their means approach those of good play. Each seat
maximises its own score, so the search is for any number of players.

**Solver.** The end of a game has known scores, and so has a position all of whose moves lead to
known ones: those that the seat to move prefers, as in `max_n`. Known positions aren't visited
again, but the seat to move before one counts on at least its score. So on a small game the tree is
completed, and its result is that of exact search.

Scores may be wins or boxes. The standard deviation of the scores so far scales the exploration
term. The difference between the best and the worst possible score, which serves for wins, would
make all visits about equally frequent where boxes count: in Dots and Boxes 5×5 it is 50, while
random games end some 12 boxes from their mean.

Sources: Levente Kocsis and Csaba Szepesvári, "Bandit Based Monte-Carlo Planning" (ECML 2006);
Peter Auer, Nicolò Cesa-Bianchi and Paul Fischer, "Finite-time Analysis of the Multiarmed Bandit
Problem" (Machine Learning 47, 2002), for the use of variance; Mark Winands, Yngvi Björnsson and
Jahn-Takeshi Saito, "Monte-Carlo Tree Search Solver" (CG 2008).
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.search.max_n import Scores, best_scores, scores_at_end
from boxroom_engine.stopping import PositionCounter, SearchStopped, Stop, never

MOST_PLAYOUTS = 1 << 40
"""No limit in practice."""


@dataclass(frozen=True, slots=True)
class RootMove:
    """A move at the root, with its statistics."""

    move: Move
    visits: int
    value: float
    """Mean final score of the seat to move; its exact score if `scores` are known."""
    scores: Scores | None = None
    """Final score of each seat with best play; None if it isn't known."""


@dataclass(frozen=True, slots=True)
class UctResult:
    """The result of a search that was stopped or has completed its tree."""

    root_moves: tuple[RootMove, ...]
    """The visited moves, ascending."""
    playouts: int
    is_exact: bool
    """Whether the tree is complete, so that the position's value is known."""

    @property
    def best(self) -> RootMove | None:
        """The move to play: the most visited one, or a known one of at least its value.

        None if there was no time for any.
        """
        open_ones = (root_move for root_move in self.root_moves if root_move.scores is None)
        known_ones = (root_move for root_move in self.root_moves if root_move.scores is not None)
        most_tried = max(open_ones, key=lambda root_move: root_move.visits, default=None)
        surest = max(known_ones, key=lambda root_move: root_move.value, default=None)
        if most_tried is None or surest is None:
            return most_tried or surest
        return surest if surest.value >= most_tried.value else most_tried


def uct_search(
    state: State,
    rng: random.Random,
    *,
    stop: Stop = never,
    most_playouts: int = MOST_PLAYOUTS,
) -> UctResult:
    """Search a position by UCT until the tree is complete or a limit is reached.

    Args:
        state: a position that isn't over.
        rng: chooses the random moves; the same seed and number of playouts give the same tree.
        stop: the stop condition, checked now and then.
        most_playouts: the largest number of playouts.
    """
    tree = _Tree(state, rng, stop)
    playouts = 0
    try:
        while playouts < most_playouts and tree.root.known is None:
            tree.play_out()
            playouts += 1
    except SearchStopped:
        pass
    return UctResult(tuple(tree.root_moves()), playouts, tree.root.known is not None)


class _Node:
    """A position in the tree."""

    __slots__ = ("children", "known", "state", "totals", "untried", "visits")

    def __init__(self, state: State, rng: random.Random) -> None:
        moves = state.legal_moves()
        self.state = state
        self.untried = rng.sample(moves, len(moves))
        """Moves without a child in the tree, in random order."""
        self.children: dict[Move, _Node] = {}
        """Positions after the tried moves."""
        self.visits = 0
        """Number of playouts through this position."""
        self.totals = [0.0] * state.game.seats
        """For each seat, the sum of its final scores in them."""
        self.known: Scores | None = scores_at_end(state) if state.is_over else None
        """Final score of each seat with best play; None if it isn't known."""

    def select_child(self, deviations: Sequence["_RunningDeviation"]) -> "_Node":
        """Return the unknown child with the greatest upper confidence bound."""
        seat, log_visits = self._to_move(), math.log(self.visits)
        deviation = deviations[seat].value
        return max(
            (node for node in self.children.values() if node.known is None),
            key=lambda node: (
                node.totals[seat] / node.visits + deviation * math.sqrt(log_visits / node.visits)
            ),
        )

    def add_playout(self, scores: Scores) -> Scores:
        """Add a playout's scores, and return the scores to propagate to the parent.

        For the seat to move these are at least the scores that it can get for certain.
        """
        if self.known is None:
            scores = self._at_least_known(scores)
        self.visits += 1
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        return scores

    def _at_least_known(self, scores: Scores) -> Scores:
        known = [node.known for node in self.children.values() if node.known is not None]
        if not known:
            return scores
        surest = best_scores(self.state, known)
        if len(known) == len(self.children) and not self.untried:
            self.known = surest
            return surest
        seat = self._to_move()
        return surest if surest[seat] > scores[seat] else scores

    def _to_move(self) -> Seat:
        assert self.state.to_move is not None
        return self.state.to_move


class _RunningDeviation:
    """The standard deviation of one seat's scores, updated score by score.

    Attributes:
        value: the standard deviation; 0 before the first score.
    """

    __slots__ = ("_count", "_mean", "_squares", "value")

    def __init__(self) -> None:
        self._count = 0
        self._mean = self._squares = self.value = 0.0

    def add(self, score: float) -> None:
        """Add one more score (B. Welford, Technometrics 4, 1962)."""
        self._count += 1
        surprise = score - self._mean
        self._mean += surprise / self._count
        self._squares += surprise * (score - self._mean)
        self.value = math.sqrt(self._squares / self._count)


class _Tree:
    """The tree so far, with what its playouts need."""

    def __init__(self, state: State, rng: random.Random, stop: Stop) -> None:
        self.root = _Node(state, rng)
        self._rng = rng
        self._counter = PositionCounter(stop)  # counts positions, and checks the stop condition
        # The spread of the final scores, by seat.
        self._deviations = [_RunningDeviation() for _ in range(state.game.seats)]

    def play_out(self) -> None:
        """Run one iteration: selection, expansion, playout, backpropagation.

        Raises:
            SearchStopped: the stop condition was met; the tree is unchanged, but for at most one
                child without visits.
        """
        self._counter.count()
        path = self._expanded_path()
        scores = path[-1].known or self._play_randomly(path[-1].state)
        for deviation, score in zip(self._deviations, scores, strict=True):
            deviation.add(score)
        for node in reversed(path):
            scores = node.add_playout(scores)

    def root_moves(self) -> Iterator[RootMove]:
        """Yield the visited moves of the root."""
        seat = self.root.state.to_move
        assert seat is not None
        for move, node in sorted(self.root.children.items()):
            if node.known is not None:
                yield RootMove(move, node.visits, node.known[seat], node.known)
            elif node.visits:
                yield RootMove(move, node.visits, node.totals[seat] / node.visits)

    def _expanded_path(self) -> list[_Node]:
        """Return the path from the root to a new node, which is added to the tree."""
        path = [self.root]
        while not path[-1].untried:
            path.append(path[-1].select_child(self._deviations))
        node = path[-1]
        move = node.untried.pop()
        node.children[move] = _Node(node.state.play(move), self._rng)
        return [*path, node.children[move]]

    def _play_randomly(self, state: State) -> Scores:
        """Play random moves to the end of the game, and return the scores."""
        while not state.is_over:
            self._counter.count()
            state = state.play(self._rng.choice(state.legal_moves()))
        return scores_at_end(state)
