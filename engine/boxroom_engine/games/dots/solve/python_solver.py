"""The solver for two in Python: the same search as the kernel's, plain instead of fast.

The kernel is tested against it, and it plays where there is no C++ compiler. It finds strings by
itself, on sets of edges: it is faster so, and independent of the theory that the tests compare it
with. A position is the set of undrawn edges; the kernel also identifies positions that differ only
in the course of their chains. Null-window alpha-beta: every search asks whether the value is at
least some `goal`. The sources of the prunings:

- Berlekamp: The Dots and Boxes Game (2000), whose words these are, see `theory.captures`
- BCG: Berlekamp, Conway & Guy, Winning Ways, chapter 16
- Barker & Korf: Solving Dots-and-Boxes (AAAI 2012)
- Buzzard & Ciere: Playing simple loony dots and boxes endgames optimally (2014)
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots.rules.grid import Border, grid_of, select
from boxroom_engine.games.dots.rules.symmetry import Symmetry
from boxroom_engine.games.dots.solve.playouts import Playouts
from boxroom_engine.games.dots.solve.result import PlayoutBranch
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import StopToken

_ENTRY_BYTES = 256
"""About what a position in the table takes."""

_NODES_BETWEEN_STOPS = 64

_MOST_DEPTH = 128
"""A search that is deeper is stopped: the interpreter's stack has room for no more."""


_MOST_PLAYOUTS = 10_000
"""So many tell the share in the win to half a percent; for a tree of more there is the kernel."""


class Pruning(Enum):
    """Prunings, none of which changes a result; tests switch them off one by one."""

    CAPTURES = auto()
    ENDINGS = auto()
    ONE_OF_CHAIN = auto()
    SHORTEST = auto()
    PAIRS = auto()
    SAME_SIDES = auto()
    SYMMETRY = auto()


class CaptureResult(NamedTuple):
    """The position after all captures but perhaps the last boxes.

    The mover takes `taken` boxes and moves in `rest`, or leaves the last `declinable` of them to
    the opponent, who takes those and moves in `rest`.
    """

    taken: int
    declinable: int
    rest: int

    def value(self, rest: int) -> int:
        """The value if that of the rest is `rest` (BCG's double-dealing move)."""
        return self.taken + (max(rest, -2 * self.declinable - rest) if self.declinable else rest)


class MaskedString(NamedTuple):
    """A chain or loop: its set of edges, its number of boxes, whether it touches no joint."""

    edges: int
    length: int
    is_loop: bool
    is_isolated: bool
    middle: int
    """The edges between its boxes."""


class _Stopped(BoxroomError):
    pass


@dataclass
class _Progress:
    """Progress of one call of `solve` or `bounded`."""

    least: int = 0
    most: int = 0
    stop: StopToken = field(default_factory=StopToken)
    most_nodes: float = math.inf
    nodes: int = 0
    depth: int = 0
    best: list[Move] = field(default_factory=list)

    def solved(self, *, exact: bool) -> Solved[int]:
        return Solved(self.least, self.most, tuple(sorted(self.best)), self.nodes, exact)


class PythonSolver:
    """A `Solver` for boards of any size."""

    def __init__(
        self,
        rows: int,
        cols: int,
        table_bytes: int,
        without: frozenset[Pruning] = frozenset(),
    ) -> None:
        self._grid = grid_of(rows, cols, Border.NONE)
        self._uses = frozenset(Pruning) - without  # prunings that are switched on
        # Positions that are equivalent have one entry in the table.
        self._symmetry = Symmetry(
            self._grid,
            turned=Pruning.SYMMETRY in self._uses,
            same_sides=Pruning.SAME_SIDES in self._uses,
        )
        self._most_entries = max(1, table_bytes // _ENTRY_BYTES)
        # Bounds of the values of canonical positions, the oldest first.
        self._table: dict[int, tuple[int, int]] = {}
        self._progress = _Progress()  # of the search that is running

    @property
    def table_bytes(self) -> int:
        """The memory for what it learns, about."""
        return self._most_entries * _ENTRY_BYTES

    def solve(
        self,
        drawn: int,
        *,
        moves: bool = True,
        first_goal: int | None = None,
        most_nodes: float = math.inf,
        stop: StopToken | None = None,
    ) -> Solved[int]:
        undrawn = self._grid.all_drawn & ~drawn
        left = len(self._live(undrawn))
        found = self._progress = _Progress(-left, left, stop or StopToken(), most_nodes)
        try:
            self._find_value(undrawn, first_goal)
            if moves:
                self._find_moves(undrawn)
        except _Stopped:
            return found.solved(exact=False)
        return found.solved(exact=True)

    def bounded(
        self, drawn: int, goal: int, most_nodes: int, stop: StopToken | None = None
    ) -> Solved[int]:
        undrawn = self._grid.all_drawn & ~drawn
        left = len(self._live(undrawn))
        found = self._progress = _Progress(-left, left, stop or StopToken(), most_nodes)
        try:
            if self._reaches(undrawn, goal):
                found.least = max(goal, -left)
            else:
                found.most = min(goal - 1, left)
        except _Stopped:
            return found.solved(exact=False)
        return found.solved(exact=True)

    def run_playouts(
        self,
        drawn: int,
        scores: Sequence[int],
        *,
        declinable: int,
        playouts: int,
        seed: int,
        stop: StopToken | None = None,
    ) -> tuple[PlayoutBranch, ...]:
        edges = select(self._grid.moves, drawn)
        most = min(playouts, _MOST_PLAYOUTS)
        return Playouts(self._grid, scores, edges, declinable).run(most, seed, stop)

    def _find_value(self, undrawn: int, first_goal: int | None) -> None:
        """The value has the parity of the boxes that are left, so the window steps by two."""
        found = self._progress
        goal = (found.least + found.most) // 2 if first_goal is None else first_goal
        while found.least < found.most:
            goal = min(max(goal, found.least + 1), found.most)
            goal += (found.most - goal) % 2
            if self._reaches(undrawn, goal):
                found.best = [self._move_reaching(undrawn, goal)]
                found.least = goal
            else:
                found.most = goal - 2
            goal = (found.least + found.most) // 2
        if undrawn and not found.best:
            found.best = [self._move_reaching(undrawn, found.least)]

    def _move_reaching(self, undrawn: int, goal: int) -> Move:
        edges = select(self._grid.moves, undrawn)
        return next(edge for edge in edges if self._reaches_by(undrawn, edge, goal))

    def _find_moves(self, undrawn: int) -> None:
        """Every other edge that reaches the value as well."""
        found = self._progress
        for edge in select(self._grid.moves, undrawn):
            if edge not in found.best and self._reaches_by(undrawn, edge, found.least):
                found.best.append(edge)

    def _reaches_by(self, undrawn: int, edge: int, goal: int) -> bool:
        """Whether the value is `goal` or more for the player to move, drawing `edge`."""
        after = undrawn ^ self._grid.bits[edge]
        won = sum(not sides & after for _, sides in self._grid.boxes_beside[edge])
        return self._reaches(after, goal - won) if won else not self._reaches(after, 1 - goal)

    def _reaches(self, undrawn: int, goal: int) -> bool:
        """Whether the value of any position is `goal` or more."""
        if Pruning.CAPTURES not in self._uses:
            return self._at_least(undrawn, goal)
        taken, declinable, rest = self._take_captures(undrawn)
        if declinable and taken - declinable >= goal:
            return True
        return self._at_least(rest, goal - taken) or (
            declinable > 0 and not self._at_least(rest, taken - 2 * declinable - goal + 1)
        )

    def _at_least(self, undrawn: int, goal: int) -> bool:
        """Whether the value is `goal` or more, of a position in which nothing can be taken."""
        if Pruning.PAIRS in self._uses:
            undrawn = self._without_pairs(undrawn)
        left = len(self._live(undrawn))
        if not -left < goal <= left:
            return goal <= -left
        key = self._symmetry.canonical(undrawn)
        least, most = self._table.get(key, (-left, left))
        if not least < goal <= most:
            return goal <= least
        self._enter()
        reached = self._search(undrawn, goal)
        self._progress.depth -= 1
        if len(self._table) >= self._most_entries and key not in self._table:
            del self._table[next(iter(self._table))]
        least, most = self._table.get(key, (-left, left))
        self._table[key] = (max(least, goal), most) if reached else (least, min(most, goal - 1))
        return reached

    def _enter(self) -> None:
        found = self._progress
        if found.nodes >= found.most_nodes or found.depth >= _MOST_DEPTH:
            raise _Stopped
        found.depth += 1
        found.nodes += 1
        if found.nodes % _NODES_BETWEEN_STOPS == 0 and found.stop.is_met(found.nodes):
            raise _Stopped

    def _search(self, undrawn: int, goal: int) -> bool:
        if Pruning.ENDINGS in self._uses:
            chains = self._chains(undrawn)
            if all(self._degree(box, undrawn) == 2 for box in self._live(undrawn)):
                return value_of_isolated(chains) >= goal
        return any(self._reaches_by(undrawn, edge, goal) for edge in self._moves(undrawn))

    # ------------------------------------------------------------------ what a position is

    def _degree(self, box: int, undrawn: int) -> int:
        return (self._grid.sides[box] & undrawn).bit_count()

    def _live(self, undrawn: int) -> list[int]:
        """The boxes that aren't taken."""
        return [box for box, sides in enumerate(self._grid.sides) if sides & undrawn]

    def _neighbours(self, box: int, undrawn: int) -> Iterator[int]:
        """The boxes that undrawn edges join to one."""
        for edge in self._grid.edges_of[box]:
            if self._grid.bits[edge] & undrawn:
                yield from (other for other, _ in self._grid.boxes_beside[edge] if other != box)

    def _chains(self, undrawn: int) -> list[MaskedString]:
        two = {box for box in self._live(undrawn) if self._degree(box, undrawn) == 2}
        found = []
        while two:
            boxes, ends = set[int](), [two.pop()]
            while ends:
                boxes.add(box := ends.pop())
                ends += [near for near in self._neighbours(box, undrawn) if near in two]
                two.difference_update(ends)
            found.append(self._chain(boxes, undrawn))
        return found

    def _without_pairs(self, undrawn: int) -> int:
        """The position without two isolated chains of one box each, or of two, which cancel.

        The player who gains without them ignores them, and answers the opening of one by
        taking it and opening the other, in the middle, which leaves the opponent no choice. Each
        gets one of them, and it is the same player's turn as before. To pass the boxes up is no
        better (Barker & Korf). Once nothing else is left, the two are worth 0.
        """
        unpaired: dict[int, int] = {}
        for chain in self._chains(undrawn):
            if chain.is_isolated and chain.length <= 2:
                if other := unpaired.pop(chain.length, 0):
                    undrawn &= ~(chain.edges | other)
                else:
                    unpaired[chain.length] = chain.edges
        return undrawn

    def _chain(self, boxes: set[int], undrawn: int) -> MaskedString:
        edges = middle = 0
        for box in boxes:
            middle |= edges & self._grid.sides[box]
            edges |= undrawn & self._grid.sides[box]
        near = {other for box in boxes for other in self._neighbours(box, undrawn)}
        is_loop = middle.bit_count() == len(boxes)
        return MaskedString(edges, len(boxes), is_loop, near <= boxes, middle)

    # ------------------------------------------------------------------ captures

    def _take_captures(self, undrawn: int) -> CaptureResult:
        """Take what can be taken.

        First, one after another, what is safe to take: a player who passes it up can be copied by
        one who takes it and is two boxes ahead (Barker & Korf). Then everything else: in which
        order makes no difference (Berlekamp), and the last two boxes of a chain or four of a
        loop can be left. It is a chain if an edge leads out of what was taken, to the ground
        or to a joint: that edge can be kept until the end.
        """
        taken = 0
        while edge := self._safe_capture(undrawn):
            after = undrawn ^ edge
            taken += sum(bool(sides & edge and not sides & after) for sides in self._grid.sides)
            undrawn = after
        rest = undrawn
        while last_sides := self._last_sides(rest):
            rest &= ~sum(set(last_sides.values()))
        captured = set(self._live(undrawn)) - set(self._live(rest))
        if not captured:
            return CaptureResult(taken, 0, rest)
        beside = select(self._grid.boxes_beside, undrawn ^ rest)
        leads_out = any(sum(box in captured for box, _ in boxes) == 1 for boxes in beside)
        return CaptureResult(taken + len(captured), 2 if leads_out else 4, rest)

    def _last_sides(self, undrawn: int) -> dict[int, int]:
        """The boxes that can be taken, each with the edge that takes it."""
        left = {box: sides & undrawn for box, sides in enumerate(self._grid.sides)}
        return {box: edges for box, edges in left.items() if edges.bit_count() == 1}

    def _safe_capture(self, undrawn: int) -> int:
        """An edge that takes a box and opens none of degree two, but one that is taken anyway.

        That one is the middle of a chain of three of which both ends can be taken.
        """
        last_sides = self._last_sides(undrawn)
        for box, edge in last_sides.items():
            opened = [
                beyond
                for near in self._neighbours(box, undrawn)
                if self._degree(near, undrawn) == 2
                and (beyond := self._grid.sides[near] & undrawn & ~edge) not in last_sides.values()
            ]
            if not opened:
                return edge
        return 0

    # ------------------------------------------------------------------ moves

    def _moves(self, undrawn: int) -> list[Move]:
        """The moves worth searching: those that give nothing away, then the smallest gifts."""
        if Pruning.CAPTURES not in self._uses and self._last_sides(undrawn):
            return list(select(self._grid.moves, undrawn))
        chains = self._chains(undrawn)
        in_chains = 0
        for chain in chains:
            in_chains |= chain.edges
        openings = 0
        for chain in self._worth_opening(chains):
            openings |= _opening(chain) if Pruning.ONE_OF_CHAIN in self._uses else chain.edges
        neutral = self._symmetry.one_of_each(undrawn & ~in_chains, undrawn)
        return [*select(self._grid.moves, neutral), *select(self._grid.moves, openings)]

    def _worth_opening(self, chains: list[MaskedString]) -> list[MaskedString]:
        """All chains that touch joints, and of the isolated ones the shortest of each kind.

        A box more in an isolated chain of three or more, or in an isolated loop, changes the
        value of any position by at most one (induction over the moves), so opening the
        shorter one loses nothing (Buzzard & Ciere for positions of nothing else).
        """
        if Pruning.SHORTEST not in self._uses:
            return chains
        shortest: dict[tuple[bool, int], MaskedString] = {}
        for chain in sorted(chains, key=lambda chain: chain.length):
            if chain.is_isolated:
                shortest.setdefault((chain.is_loop, min(chain.length, 3)), chain)
        joined = [chain for chain in chains if not chain.is_isolated]
        return [*shortest.values(), *joined]


def value_of_isolated(chains: list[MaskedString]) -> int:
    """The value of a position of nothing but isolated chains and loops.

    To open a shortest chain or a shortest loop is best (Buzzard & Ciere), so the positions
    that can come up differ by how many of each were opened.
    """
    lengths = sorted((chain.length for chain in chains if not chain.is_loop), reverse=True)
    loops = sorted((chain.length for chain in chains if chain.is_loop), reverse=True)
    values: list[int] = []  # for the longest 0, 1, … loops beside the longest `chains` chains
    for opened in [0, *lengths]:
        before, values = values, []
        for loop in [0, *loops]:
            ways = [value_of_opening_chain(opened, before[len(values)])] if opened else []
            if loop:
                ways.append(4 - loop - abs(4 + values[-1]))
            values.append(max(ways, default=0))
    return values[-1]


def value_of_opening_chain(length: int, rest: int) -> int:
    """The value of opening an isolated chain if the rest is worth `rest`.

    The opponent can leave two boxes of three or more; a chain of two is opened in the middle,
    which leaves no such choice (Berlekamp's hard-hearted handout).
    """
    return -(length + rest) if length < 3 else 2 - length - abs(2 + rest)


def _opening(chain: MaskedString) -> int:
    """One edge for all of the chain: whichever is drawn, the rest is the same.

    In a chain of two it is the middle one, which leaves the opponent no choice.
    """
    edges = chain.middle if chain.length == 2 else chain.edges
    return edges & -edges
