"""Playouts in Python: flat Monte-Carlo search of whole turns, for where there is no kernel.

Python plays out far fewer games in its time than the kernel, which grows a tree of what they tell
(boxroom_engine/kernel/tree.hpp). So only the ways to go on from the position itself are compared.
Each is a whole turn: a neutral edge; or a string that is opened. Which one is played out next is
chosen by UCB1, and a neutral edge is also judged by the playouts in which any player drew it later,
the less the more playouts of its own it has. Each player wants to share in the win, and beyond that
to be ahead.

Sources: Peter Auer, Nicolò Cesa-Bianchi and Paul Fischer, "Finite-time Analysis of the Multiarmed
Bandit Problem" (2002), for the choice; Sylvain Gelly and David Silver, "Monte-Carlo tree search and
rapid action value estimation in computer Go" (2011), for edges drawn later.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.dots.solve.playout_field import Field, final_shares
from boxroom_engine.games.dots.solve.result import OfferChoice, PlayoutBranch
from boxroom_engine.games.dots.theory.endgame import Opening
from boxroom_engine.games.dots.theory.strings import LONG
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import StopToken

EXPLORATION = 0.07
"""Weight of having been tried seldom."""
EVEN = 1000
"""With so many visits, they and the playouts that drew the edge later count the same."""
AHEAD = 0.2
"""Weight of being ahead, beside winning."""


@dataclass(slots=True, eq=False)
class _Way:
    """A way to go on, with sums over its playouts; players in turn order, the one to move first."""

    edge: int
    players: int
    visits: int = 0
    won: list[float] = field(init=False)
    boxes: list[int] = field(init=False)
    drawn: int = 0
    """Playouts that drew the edge, now or later."""
    won_drawn: float = 0.0
    """Sum of what these were worth to the player to move."""

    def __post_init__(self) -> None:
        self.won, self.boxes = [0.0] * self.players, [0] * self.players

    def bound(self, unseen: float, width: float) -> float:
        """Return its upper confidence bound; `unseen` is the mean of all ways."""
        mean = self.won[0] / self.visits if self.visits else unseen
        if self.drawn:
            part = math.sqrt(EVEN / (3.0 * self.visits + EVEN))
            mean = (1 - part) * mean + part * (self.won_drawn / self.drawn)
        return mean + width / math.sqrt(self.visits + 1.0)

    def branch(self) -> PlayoutBranch:
        """Return its statistics."""
        move = Move(self.edge) if self.edge >= 0 else OfferChoice(self.edge)
        shares = tuple(won / self.visits for won in self.won)
        return PlayoutBranch(move, self.visits, shares, tuple(n / self.visits for n in self.boxes))


class Playouts:
    """Playouts of one position. `scores` are the boxes so far, the player to move first."""

    def __init__(
        self, grid: Grid, scores: Sequence[int], drawn: Sequence[Move], declinable: int
    ) -> None:
        self._scores = scores
        self._players = len(scores)
        self._root = Field(grid)
        for edge in drawn:
            self._root.draw(edge)
        self._all_boxes = sum(scores) + sum(degree > 0 for degree in self._root.degree)
        self._offered = sum(self._root.take_from(edge)[0] for edge in drawn)
        self._declinable = declinable
        self._ways = {edge: _Way(edge, self._players) for edge in self._edges_of_ways()}

    def run(self, playouts: int, seed: int, stop: StopToken | None) -> tuple[PlayoutBranch, ...]:
        """Return the ways that were tried; the arguments are those of `Solver.run_playouts`."""
        rng = random.Random(seed)
        for i in range(playouts if self._ways else 0):
            if i and stop is not None and stop.is_met(i):
                break
            self._play_out(self._chosen(i, rng), rng)
        return tuple(way.branch() for way in self._ways.values() if way.visits)

    def _edges_of_ways(self) -> list[int]:
        """Neutral edges, chains of one and of two; when no edge is neutral, all strings."""
        if self._declinable:
            return list(OfferChoice)
        neutral, strings = self._root.neutral(), self._root.strings()
        return neutral + [each.opening for each in strings if not neutral or each.length < LONG]

    def _chosen(self, playouts: int, rng: random.Random) -> _Way:
        """Return the way with the greatest bound; of those that have it, one at random."""
        ways = list(self._ways.values())
        unseen = sum(way.won[0] for way in ways) / playouts if playouts else 0.5
        width = EXPLORATION * math.sqrt(math.log(playouts + 1.0))
        bounds = [way.bound(unseen, width) for way in ways]
        most = max(bounds)
        return rng.choice([way for way, bound in zip(ways, bounds, strict=True) if bound == most])

    def _play_out(self, way: _Way, rng: random.Random) -> None:
        """Follow `way`, draw neutral edges at random until there is none, and forecast the rest."""
        position, boxes = self._root.copy(), [self._offered] + [0] * (self._players - 1)
        player, opened = self._follow(way.edge, position, boxes)
        drawn = [way.edge] if opened is None else []
        neutral = position.neutral()
        rng.shuffle(neutral)
        for edge in neutral:
            if position.is_neutral(edge):
                position.draw(edge)
                drawn.append(edge)
                player += 1
        rest = final_shares(position, self._players)
        if opened is not None and opened.declinable:  # then nothing was neutral
            rest, player = opened.shares(rest), 0
        for i, share in enumerate(rest):
            boxes[(player + i) % self._players] += share
        self._count(way, boxes, drawn)

    def _follow(self, edge: int, position: Field, boxes: list[int]) -> tuple[int, Opening | None]:
        """Go this way; return the player to move then, and the string that was opened, if one was.

        Boxes are counted, but for those of a string of which the next player can decline some.
        """
        if edge == OfferChoice.TAKE_ALL:
            return 0, None
        if edge == OfferChoice.DECLINE:
            boxes[0] -= self._declinable
            boxes[1] += self._declinable
            return 1, None
        if position.is_neutral(edge):
            position.draw(edge)
            return 1, None
        opened = position.open(edge)
        if not opened.declinable:
            boxes[1] += opened.boxes
        return 1, opened

    def _count(self, way: _Way, boxes: Sequence[int], drawn: Sequence[int]) -> None:
        won = self._won(boxes)
        way.visits += 1
        for player in range(self._players):
            way.won[player] += won[player]
            way.boxes[player] += boxes[player]
        for each in map(self._ways.get, drawn):
            if each is not None:
                each.drawn += 1
                each.won_drawn += won[0]

    def _won(self, boxes: Sequence[int]) -> list[float]:
        """The worth of these boxes to come to each player: its share in the win, and its lead."""
        result = [score + more for score, more in zip(self._scores, boxes, strict=True)]
        most = max(result)
        won = []
        for player, own in enumerate(result):
            share = 1.0 / result.count(most) if own == most else 0.0
            rival = max(result[:player] + result[player + 1 :])
            ahead = 0.5 + 0.5 * (own - rival) / self._all_boxes
            won.append((1 - AHEAD) * share + AHEAD * ahead)
        return won
