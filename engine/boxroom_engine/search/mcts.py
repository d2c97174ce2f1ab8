"""A tree that grows where it matters, from games that are played out at random (UCT).

Nothing is guessed here, and not every move looked at. Again and again

1. from the root the tree is followed down, at each position to the move that promises most to
   the seat to move, *or* was hardly tried: the upper end of a confidence interval (UCB1);
2. where a position isn't in the tree yet it is added, and the game played out from there, by any
   moves at random;
3. what each seat ended with is counted in all positions that led there.

So what is good is tried more and more, and its mean becomes that of good play. For each seat its
own score counts, so the tree is for any number of players.

**What is known.** The end of a game is known, and so is a position whose moves all lead to known
ones: it is worth what the seat to move chooses, as in `max_n`. What is known isn't tried again, but
whoever is to move before it can count on it. So on a small game the tree comes to an end, and says
what exact search says.

Scores may be wins or boxes. How much trying weighs against promise is measured by how far the
scores met so far scatter: by their standard deviation. By the difference between the best and the
worst, which serves for wins, all moves would be tried about equally often where boxes count: at
Dots and Boxes 5×5 it is 50, while games at random end some 12 boxes from their mean.

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
from boxroom_engine.search.max_n import Scores, choice, scores_at_end
from boxroom_engine.search.stopping import Counter, Stop, Stopped, never

MOST_PLAYOUTS = 1 << 40
"""More than there is ever time for."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A move at the root, and what came of it."""

    move: Move
    visits: int
    value: float
    """What the seat to move ended with on average; what it ends with if `is_known`."""
    is_known: bool


@dataclass(frozen=True, slots=True)
class Grown:
    """What a tree says, once it was given up or is complete."""

    branches: tuple[Branch, ...]
    """The moves that were tried, ascending."""
    playouts: int
    is_exact: bool
    """Whether the tree is complete, and so every move's value known."""

    @property
    def best(self) -> Branch | None:
        """The move to play: the most tried one, or a known one that is worth as much.

        None if there was no time for any.
        """
        open_ones = (branch for branch in self.branches if not branch.is_known)
        known_ones = (branch for branch in self.branches if branch.is_known)
        most_tried = max(open_ones, key=lambda branch: branch.visits, default=None)
        surest = max(known_ones, key=lambda branch: branch.value, default=None)
        if most_tried is None or surest is None:
            return most_tried or surest
        return surest if surest.value >= most_tried.value else most_tried


def grow(
    state: State,
    rng: random.Random,
    *,
    stop: Stop = never,
    most_playouts: int = MOST_PLAYOUTS,
) -> Grown:
    """Grow a tree from a position that isn't over, until it is complete or the limits say so.

    Args:
        state: any that isn't over.
        rng: plays the games out; the same one and as many playouts give the same tree.
        stop: asked now and then whether to come to an end.
        most_playouts: at most so many.
    """
    tree = _Tree(state, rng, stop)
    playouts = 0
    try:
        while playouts < most_playouts and tree.root.known is None:
            tree.play_out()
            playouts += 1
    except Stopped:
        pass
    return Grown(tuple(tree.branches()), playouts, tree.root.known is not None)


class _Node:
    """A position in the tree.

    Attributes:
        untried: the moves that have led nowhere yet.
        after: the positions after those that were tried.
        visits: how many games went through it.
        totals: for each seat the sum of what it ended with in them.
        known: what each seat ends with, if that is known.
    """

    __slots__ = ("after", "known", "state", "totals", "untried", "visits")

    def __init__(self, state: State, rng: random.Random) -> None:
        moves = state.legal_moves()
        self.state = state
        self.untried = rng.sample(moves, len(moves))
        self.after: dict[Move, _Node] = {}
        self.visits = 0
        self.totals = [0.0] * state.game.seats
        self.known: Scores | None = scores_at_end(state) if state.is_over else None

    def most_promising(self, scatter: Sequence["_Scatter"]) -> "_Node":
        """The position after a tried move that isn't known and has the greatest upper bound."""
        seat, log_visits = self._to_move(), math.log(self.visits)
        deviation = scatter[seat].deviation
        return max(
            (node for node in self.after.values() if node.known is None),
            key=lambda node: (
                node.totals[seat] / node.visits + deviation * math.sqrt(log_visits / node.visits)
            ),
        )

    def take_in(self, scores: Scores) -> Scores:
        """Count a game that went through here, and give what it comes to for those before.

        That is not less, for the seat to move, than what it can get for certain.
        """
        if self.known is None:
            scores = self._made_sure(scores)
        self.visits += 1
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        return scores

    def _made_sure(self, scores: Scores) -> Scores:
        known = [node.known for node in self.after.values() if node.known is not None]
        if not known:
            return scores
        seat = self._to_move()
        surest = choice(seat, known)
        if len(known) == len(self.after) and not self.untried:
            self.known = surest
            return surest
        return surest if surest[seat] > scores[seat] else scores

    def _to_move(self) -> Seat:
        assert self.state.to_move is not None
        return self.state.to_move


class _Scatter:
    """How far the scores of one seat are from their mean.

    Attributes:
        deviation: their standard deviation; 0 before there are any.
    """

    __slots__ = ("_count", "_mean", "_squares", "deviation")

    def __init__(self) -> None:
        self._count = 0
        self._mean = self._squares = self.deviation = 0.0

    def add(self, score: float) -> None:
        """Take in one more (B. Welford, Technometrics 4, 1962)."""
        self._count += 1
        surprise = score - self._mean
        self._mean += surprise / self._count
        self._squares += surprise * (score - self._mean)
        self.deviation = math.sqrt(self._squares / self._count)


class _Tree:
    """What has grown so far."""

    def __init__(self, state: State, rng: random.Random, stop: Stop) -> None:
        self.root = _Node(state, rng)
        self._rng = rng
        self._counter = Counter(stop)
        self._scatter = [_Scatter() for _ in range(state.game.seats)]

    def play_out(self) -> None:
        """Play one more game.

        Raises:
            Stopped: it was given up; the tree is as it was but for a move without visits.
        """
        self._counter.count()
        path = self._way_down()
        scores = path[-1].known or self._end_from(path[-1].state)
        for scatter, score in zip(self._scatter, scores, strict=True):
            scatter.add(score)
        for node in reversed(path):
            scores = node.take_in(scores)

    def branches(self) -> Iterator[Branch]:
        """The moves at the root that were tried."""
        seat = self.root.state.to_move
        assert seat is not None
        for move, node in sorted(self.root.after.items()):
            if node.known is not None:
                yield Branch(move, node.visits, node.known[seat], is_known=True)
            elif node.visits:
                mean = node.totals[seat] / node.visits
                yield Branch(move, node.visits, mean, is_known=False)

    def _way_down(self) -> list[_Node]:
        """From the root to a position that is new in the tree."""
        path = [self.root]
        while not path[-1].untried:
            path.append(path[-1].most_promising(self._scatter))
        node = path[-1]
        move = node.untried.pop()
        node.after[move] = _Node(node.state.play(move), self._rng)
        return [*path, node.after[move]]

    def _end_from(self, state: State) -> Scores:
        """What all seats end with if every move is a random one."""
        while not state.is_over:
            self._counter.count()
            state = state.play(self._rng.choice(state.legal_moves()))
        return scores_at_end(state)
