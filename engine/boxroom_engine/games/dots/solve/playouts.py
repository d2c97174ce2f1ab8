"""Monte-Carlo tree search (UCT) over whole turns: boxroom_engine/kernel/tree.hpp in Python.

It is for boards and numbers of players that exact play can't reach. Each player wants to share in
the win, and beyond that to be ahead. A branch is a whole turn: a neutral edge; or a string that is
opened, of which the next player takes all, or all but the last boxes where there is that choice,
which is then a branching of its own. The order of neutral moves doesn't matter, so positions that
are reached in several ways are one node, and a branch is also judged by the playouts in which any
player drew its edge later, the less the more playouts of its own it has.

Sources: Levente Kocsis and Csaba Szepesvári, "Bandit based Monte-Carlo planning" (2006), for the
choice of branches; Nathan Sturtevant, "An analysis of UCT in multi-player games" (2008); Benjamin
Childs, James Brodeur and Levente Kocsis, "Transpositions and move groups in Monte Carlo tree
search" (2008); Mark Winands, Yngvi Björnsson and Jahn-Takeshi Saito, "Monte-Carlo tree search
solver" (2008), for positions whose result is proven; Sylvain Gelly and David Silver, "Monte-Carlo
tree search and rapid action value estimation in computer Go" (2011), for edges drawn later.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.dots.solve.playout_field import Field, final_shares
from boxroom_engine.games.dots.solve.result import OfferChoice, PlayoutBranch
from boxroom_engine.games.dots.theory.endgame import Opening
from boxroom_engine.games.dots.theory.strings import LONG
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import StopToken

Oracle = Callable[[Field, int, int], tuple[bool | None, int]]
"""Search that tells whether the margin to come of the player to move reaches a goal.

Its arguments are the position, the goal and the most nodes; it returns the answer, None if that
takes more nodes, and the number of nodes that it took."""

EXPLORATION = 0.07
"""Weight of having been tried seldom."""
EVEN = 1000
"""With so many visits, they and the playouts that drew the edge later count the same."""
AHEAD = 0.2
"""Weight of being ahead, beside winning."""
CHEAP, DEAR = 96, 1024
"""Nodes of a question to the oracle: fewer make it asked more often; and the most."""
AGAIN = 0.8
"""How much less must be undecided before it is asked again in one playout."""

_MASK = (1 << 64) - 1


class ProvenResult(IntEnum):
    """Proven result of a game for two, for the first player."""

    UNKNOWN = 0
    LOST = 1
    DRAWN = 2
    WON = 3

    def share(self, player: int) -> float:
        """The part of the win of `player`, 0 or 1, of a known result."""
        first = (self - ProvenResult.LOST) / 2
        return 1 - first if player else first


class SplitMix64:
    """SplitMix64 (Steele, Lea & Flood 2014), so that the kernel has the same numbers."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def below(self, end: int) -> int:
        """A number below `end`."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        return (_scrambled(self._state) >> 32) * end >> 32


def _scrambled(number: int) -> int:
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & _MASK
    return number ^ number >> 31


class _PlayoutState(NamedTuple):
    """State of a playout, from the root on; equal ones are the same node."""

    drawn: int
    """The edges drawn since the root."""
    player: int
    gained: tuple[int, ...]
    """Boxes won since the root, by player."""
    pending: Opening | None
    """Boxes on offer that the player takes or declines in part; None if there is no choice."""

    def next(self) -> int:
        return (self.player + 1) % len(self.gained)

    def gain(self, player: int, boxes: int) -> tuple[int, ...]:
        return (*self.gained[:player], self.gained[player] + boxes, *self.gained[player + 1 :])


@dataclass(slots=True, eq=False)
class _Branch:
    edge: int
    child: "_Node | None" = None
    visits: int = 0
    drawn: int = 0
    """Playouts through the node that drew the edge when it was neutral, here or later."""
    won: float = 0.0
    """Sum of what these were worth to the player to move at the node."""

    def estimate(self, player: int, unseen: float) -> float:
        """Return its worth, by its own playouts and those that drew its edge later."""
        visits = self.child.visits if self.child else 0
        own = self.child.mean(player) if self.child and visits else unseen
        if not self.drawn:
            return own
        part = math.sqrt(EVEN / (3.0 * visits + EVEN))
        return (1 - part) * own + part * (self.won / self.drawn)


@dataclass(slots=True, eq=False)
class _Node:
    won: list[float]
    boxes: list[int]
    branches: list[_Branch] | None = None
    visits: int = 0
    proven: ProvenResult = ProvenResult.UNKNOWN

    def mean(self, player: int) -> float:
        return self.won[player] / self.visits

    def share(self, player: int) -> float:
        return self.proven.share(player) if self.proven else self.mean(player)


class PlayoutTree:
    """One tree. `scores` are the boxes so far, in turn order, the player to move first."""

    def __init__(self, grid: Grid, scores: Sequence[int], oracle: Oracle | None) -> None:
        self._scores = scores
        self._players = len(scores)
        self._oracle = oracle if self._players == 2 else None
        # The oracle is asked while at most so many sides of joints are undrawn.
        self._asked_below = 30.0
        self._all_boxes = sum(scores)  # boxes that are taken or can be taken
        self._nodes: dict[_PlayoutState, _Node] = {}  # the tree, by state
        self._root = Field(grid)  # position at the root
        # Position and state of the running playout:
        self._field = self._root
        self._state = _PlayoutState(0, 0, (0,) * self._players, None)
        # Nodes of that playout, each with its player and the branch that was followed.
        self._path: list[tuple[_Node, int, _Branch | None]] = []
        self._drawn: set[int] = set()  # neutral edges that it drew before its result was known

    def run(
        self,
        drawn: Sequence[Move],
        declinable: int,
        playouts: int,
        seed: int,
        stop: StopToken | None,
    ) -> tuple[PlayoutBranch, ...]:
        for edge in drawn:
            self._root.draw(edge)
        self._all_boxes += sum(degree > 0 for degree in self._root.degree)
        offered = sum(self._root.take_from(edge)[0] for edge in drawn)
        start = self._state._replace(pending=Opening(offered, declinable))
        if not declinable:
            start = self._state._replace(gained=self._state.gain(0, offered))
        root, rng = self._node_at(start), SplitMix64(seed)
        for i in range(playouts):
            if root.proven or root.branches == [] or (i and stop is not None and stop.is_met(i)):
                break
            self._field, self._state = self._root.copy(), start
            self._simulate(root, rng)
        return tuple(self._summary_of(branch) for branch in root.branches or () if branch.visits)

    def _node_at(self, state: _PlayoutState) -> _Node:
        return self._nodes.setdefault(state, _Node([0.0] * self._players, [0] * self._players))

    def _simulate(self, node: _Node, rng: SplitMix64) -> None:
        self._path, self._drawn = [], set()
        while not self._is_leaf(node):
            if node.branches is None:
                node.branches = [_Branch(edge) for edge in self._ways()]
                continue
            branch = self._chosen(node, node.branches, rng)
            self._path.append((node, self._state.player, branch))
            self._follow(branch.edge)
            if branch.child is None:
                branch.child = self._node_at(self._state)
            node = branch.child
        if self._path and not node.proven:  # it is the root's moves that are to be proven
            node.proven = self._ask()
        self._path.append((node, self._state.player, None))
        self._back_up(*self._play_out(rng, node.proven))

    def _is_leaf(self, node: _Node) -> bool:
        if node.proven or node.branches == []:
            return True
        if node.branches is not None or self._state.pending or not self._path:
            return False
        return not node.visits or not self._field.joints

    def _ways(self) -> list[int]:
        """Neutral edges, chains of one and of two; when no edge is neutral, all strings."""
        if self._state.pending:
            return list(OfferChoice)
        neutral = self._field.neutral()
        strings = self._field.strings()
        return neutral + [each.opening for each in strings if not neutral or each.length < LONG]

    def _chosen(self, node: _Node, branches: list[_Branch], rng: SplitMix64) -> _Branch:
        """The branch to follow, by UCB: its mean so far, and more the less it was tried."""
        player = self._state.player
        width = EXPLORATION * math.sqrt(math.log(node.visits + 1.0))
        unseen = node.mean(player) if node.visits else 0.5
        best, chosen, ties = -1.0, branches[0], 0
        for branch in branches:
            proven = branch.child.proven if branch.child else ProvenResult.UNKNOWN
            if proven:
                worth = proven.share(player)
            else:
                worth = branch.estimate(player, unseen) + width / math.sqrt(branch.visits + 1.0)
            if worth > best:
                best, chosen, ties = worth, branch, 1
            elif worth == best:
                ties += 1
                if rng.below(ties) == 0:
                    chosen = branch
        return chosen

    def _follow(self, edge: int) -> None:
        state = self._state
        following = state.next()
        if edge == OfferChoice.TAKE_ALL:
            assert state.pending is not None
            gained = state.gain(state.player, state.pending.boxes)
            self._state = state._replace(gained=gained, pending=None)
        elif edge == OfferChoice.DECLINE:
            assert state.pending is not None
            boxes, left = state.pending
            kept = state._replace(gained=state.gain(state.player, boxes - left), pending=None)
            self._state = kept._replace(player=following, gained=kept.gain(following, left))
        elif self._field.is_neutral(edge):
            self._field.draw(edge)
            self._drawn.add(edge)
            drawn = state.drawn | self._field.grid.bits[edge]
            self._state = state._replace(drawn=drawn, player=following)
        else:
            self._open(edge, following)

    def _open(self, edge: int, following: int) -> None:
        grid, field, state = self._field.grid, self._field, self._state
        opened, edges = field.open(edge)
        drawn = state.drawn | sum(grid.bits[each] for each in edges)
        if opened.declinable:
            self._state = _PlayoutState(drawn, following, state.gained, opened)
        else:
            self._state = _PlayoutState(drawn, following, state.gain(following, opened.boxes), None)

    def _ask(self) -> ProvenResult:
        """Ask the oracle about the current position, unless too much is undecided in it.

        The limit for that is learnt, so that most answers are cheap.
        """
        if self._oracle is None or self._field.joint_sides > self._asked_below:
            return ProvenResult.UNKNOWN
        player = self._state.player
        scores = [s + g for s, g in zip(self._scores, self._state.gained, strict=True)]
        ahead = scores[player] - scores[1 - player]
        wins, nodes = self._oracle(self._field, 1 - ahead, DEAR)
        draws = wins
        if wins is False and self._all_boxes % 2 == 0:
            draws, more = self._oracle(self._field, -ahead, DEAR)
            nodes += more
        self._asked_below += -1 if nodes > CHEAP else 0.25
        if wins is None or draws is None:
            return ProvenResult.UNKNOWN
        if draws and not wins:
            return ProvenResult.DRAWN
        return ProvenResult.WON if wins == (player == 0) else ProvenResult.LOST

    def _play_out(self, rng: SplitMix64, proven: ProvenResult) -> tuple[list[float], list[int]]:
        """Draw neutral edges at random until there is none, and forecast the rest.

        The winner is known before, if it is `proven` or the oracle can tell on the way.
        """
        field, neutral = self._field, self._field.neutral()
        asked_at = 0.0 if proven else math.inf
        while neutral:
            i = rng.below(len(neutral))
            edge, neutral[i] = neutral[i], neutral[-1]
            neutral.pop()
            if not field.is_neutral(edge):
                continue
            field.draw(edge)
            if not proven:
                self._drawn.add(edge)
            self._state = self._state._replace(player=self._state.next())
            if not proven and field.joint_sides <= min(self._asked_below, AGAIN * asked_at):
                proven = self._ask()
                asked_at = float(field.joint_sides)
        boxes = list(self._state.gained)
        for i, share in enumerate(final_shares(field, self._players)):
            boxes[(self._state.player + i) % self._players] += share
        return self._won(boxes, proven), boxes

    def _won(self, boxes: list[int], proven: ProvenResult) -> list[float]:
        result = [score + more for score, more in zip(self._scores, boxes, strict=True)]
        most = max(result)
        won = []
        for player, own in enumerate(result):
            share = 1.0 / result.count(most) if own == most else 0.0
            if proven:
                share = proven.share(player)
            rival = max(result[:player] + result[player + 1 :])
            ahead = 0.5 + 0.5 * (own - rival) / self._all_boxes
            won.append((1 - AHEAD) * share + AHEAD * ahead)
        return won

    def _back_up(self, won: list[float], boxes: list[int]) -> None:
        for node, _, _ in self._path:
            node.visits += 1
            for player in range(self._players):
                node.won[player] += won[player]
                node.boxes[player] += boxes[player]
        proven = bool(self._path[-1][0].proven)
        for node, player, branch in reversed(self._path[:-1]):
            assert branch is not None
            branch.visits += 1
            for each in node.branches or ():
                if each.edge in self._drawn:
                    each.drawn += 1
                    each.won += won[player]
            proven = proven and _prove(node, player)

    def _summary_of(self, branch: _Branch) -> PlayoutBranch:
        node = branch.child
        assert node is not None
        move = Move(branch.edge) if branch.edge >= 0 else OfferChoice(branch.edge)
        shares = tuple(node.share(player) for player in range(self._players))
        return PlayoutBranch(
            move, branch.visits, shares, tuple(n / node.visits for n in node.boxes)
        )


def _prove(node: _Node, player: int) -> bool:
    """Prove a node's result by its children, if that is possible; whether it is proven."""
    children = [
        branch.child.proven if branch.child else ProvenResult.UNKNOWN
        for branch in node.branches or ()
    ]
    known = [child for child in children if child]
    win, best_of = (ProvenResult.LOST, min) if player else (ProvenResult.WON, max)
    best = best_of(known)
    if best is win or len(known) == len(children):
        node.proven = best
    return bool(node.proven)
