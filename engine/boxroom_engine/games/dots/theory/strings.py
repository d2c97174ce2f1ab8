"""The parts of a position: chains, loops, opened strings, joints, neutral edges.

In the Nimstring picture boxes are vertices, and undrawn edges join them to each other and, at
the side of the board, to the ground. The *degree* of a box is the number of its undrawn sides.
Boxes of degree two line up in chains and loops; boxes of degree three or four are the *joints*
between them; a box of degree one can be taken, and then the whole string that it stands at the
end of. Every undrawn edge, and every box that isn't complete, belongs to exactly one part::

    part     its boxes                           its edges
    chain    a longest line of degree two        one more: its ends lead out of it
    loop     a circle of degree two              as many
    opened   1, 2, 2, … by degree: half-open     as many: the last leads out of it
             1, 2, 2, … 1: closed                one fewer
    joint    one of degree three or four         none
    neutral  none                                one: from joint to joint, or to the ground

What leads out of a string leads to the ground or to a joint.

Sources: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000), for chains, loops and
joints; Joseph Barker and Richard Korf, "Solving Dots-and-Boxes" (AAAI 2012), for half-open and
closed strings.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from boxroom_engine.games.dots.rules.grid import Grid, select
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.protocol import Move

LONG = 3
"""The fewest boxes that make a chain long, see `Chain.is_long`."""

End = int | None
"""End of an edge that leads out of a string: the box that is the joint, or None, the ground."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A longest line of boxes of degree two."""

    boxes: tuple[int, ...]
    """From one end to the other."""
    edges: tuple[Move, ...]
    """In the same order, one more than the boxes; the first has a lower number than the last."""
    ends: tuple[End, End]
    """Ends of the first edge and of the last."""

    @property
    def length(self) -> int:
        """The number of boxes."""
        return len(self.boxes)

    @property
    def opening(self) -> Move:
        """The best edge to open it by; of two boxes the middle one, else any is as good."""
        return self.edges[1 if self.length == 2 else 0]

    @property
    def is_long(self) -> bool:
        """Whether it has three boxes or more.

        Whichever edge of a long chain is drawn, some two boxes of it can still be declined with
        a double-dealing move. A chain of two can be opened so that they can't.
        """
        return self.length >= LONG


@dataclass(frozen=True, slots=True)
class Loop:
    """A circle of boxes of degree two, joined to nothing else: on a grid 4, 6, 8 … of them."""

    boxes: tuple[int, ...]
    """All around, beginning with the lowest."""
    edges: tuple[Move, ...]
    """In the same order, as many: each leads from its box to the next, the last to the first."""

    @property
    def opening(self) -> Move:
        """An edge to open it by: any is as good."""
        return self.edges[0]

    @property
    def length(self) -> int:
        """The number of boxes."""
        return len(self.boxes)


@dataclass(frozen=True, slots=True)
class Opened:
    """A string of boxes all of which can be taken now, one after the other.

    A *half-open* one is what becomes of an opened chain: it can be taken from one end, and its
    last edge leads out of it. A *closed* one is what becomes of an opened loop: it can be taken
    from either end, and its last edge takes two boxes at once.
    """

    boxes: tuple[int, ...]
    """In an order in which they can be taken."""
    edges: tuple[Move, ...]
    """Those that take them, in the same order: as many, or one fewer if it is closed."""
    end: End
    """End of the last edge of a half-open string; None if it is closed."""

    @property
    def length(self) -> int:
        """The number of boxes."""
        return len(self.boxes)

    @property
    def is_closed(self) -> bool:
        """Whether it can be taken from both ends."""
        return len(self.edges) < len(self.boxes)

    @property
    def declined(self) -> int | None:
        """How many boxes the double-dealing move leaves, 2 or 4; None if there are too few.

        Two of a half-open string are left as a pair: one undrawn edge between them is all that
        they have. A closed one is left as two pairs.
        """
        declined = 4 if self.is_closed else 2
        return declined if self.length >= declined else None

    @property
    def double_dealing(self) -> tuple[Move, ...] | None:
        """The turn that takes all boxes but those `declined`, and ends with that move.

        The next player can take each pair with one move, a double-cross, and has to move again.
        """
        if self.declined is None:
            return None
        takes = self.edges[: self.length - self.declined]
        return (*takes, self.edges[-2] if self.is_closed else self.edges[-1])


String = Chain | Loop | Opened
"""A part whose edges give boxes away or take them."""

_S = TypeVar("_S", Opened, Chain | Loop)


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of one position; each kind in the order in which the board numbers them."""

    chains: tuple[Chain, ...]
    loops: tuple[Loop, ...]
    opened: tuple[Opened, ...]
    joints: tuple[int, ...]
    """The boxes of degree three or four."""
    neutral: tuple[Move, ...]
    """The edges that belong to no string."""

    @property
    def strings(self) -> tuple[String, ...]:
        """The chains, the loops and the opened strings."""
        return (*self.chains, *self.loops, *self.opened)

    @property
    def long_chains(self) -> tuple[Chain, ...]:
        """The chains of three boxes or more."""
        return tuple(chain for chain in self.chains if chain.is_long)


def parts_of(position: Position) -> Parts:
    """The parts of `position`, in time linear in the size of the board."""
    return parts_on(position.game.grid, position.edges)


def parts_on(grid: Grid, edges: int) -> Parts:
    """The parts of a board on which the set `edges` is drawn."""
    board = _Undrawn(grid, edges)
    opened = tuple(board.strings(1, board.opened_from))
    unopened = tuple(board.strings(2, board.unopened_through))
    return Parts(
        chains=tuple(string for string in unopened if isinstance(string, Chain)),
        loops=tuple(string for string in unopened if isinstance(string, Loop)),
        opened=opened,
        joints=tuple(box for box, degree in enumerate(board.degrees) if degree > 2),
        neutral=board.neutral(),
    )


class _Undrawn:
    """The graph of undrawn edges, and the boxes that were found to be in strings."""

    def __init__(self, grid: Grid, edges: int) -> None:
        self.grid = grid
        self.undrawn = grid.all_drawn & ~edges
        self.sides = [sides & self.undrawn for sides in grid.sides]
        """For each box the set of its undrawn sides."""
        self.degrees = [sides.bit_count() for sides in self.sides]
        """For each box the number of its undrawn sides."""
        self.in_strings: set[int] = set()
        """Boxes of the strings found so far."""

    def strings(self, degree: int, string_at: Callable[[int], _S]) -> Iterator[_S]:
        """The strings at the boxes of that degree, each once.

        Those of degree one have to come first, since the others of an opened string have two.
        """
        for box, its_degree in enumerate(self.degrees):
            if its_degree == degree and box not in self.in_strings:
                string = string_at(box)
                self.in_strings.update(string.boxes)
                yield string

    def opened_from(self, box: int) -> Opened:
        """The string that can be taken from `box` on, which has degree one."""
        beyond, edges, end = self._walk(box, self._lowest_side(box))
        if end is not None and self.degrees[end] == 1:
            return Opened((box, *beyond, end), tuple(edges), None)
        return Opened((box, *beyond), tuple(edges), end)

    def unopened_through(self, box: int) -> Chain | Loop:
        """The chain or loop through `box`, which has degree two and isn't in an opened string."""
        first = self._lowest_side(box)
        after, edges_after, last_end = self._walk(box, self._other_side(box, first))
        if last_end == box:
            return Loop((box, *after), tuple(edges_after))
        before, edges_before, first_end = self._walk(box, first)
        boxes = (*reversed(before), box, *after)
        edges = (*reversed(edges_before), *edges_after)
        if edges[0] < edges[-1]:
            return Chain(boxes, edges, (first_end, last_end))
        return Chain(boxes[::-1], edges[::-1], (last_end, first_end))

    def neutral(self) -> tuple[Move, ...]:
        """The edges that are a side of no box of degree one or two."""
        left = self.undrawn
        for sides, degree in zip(self.sides, self.degrees, strict=True):
            if degree <= 2:
                left &= ~sides
        return select(self.grid.moves, left)

    def _walk(self, box: int, edge: Move) -> tuple[list[int], list[Move], End]:
        """Leave `box` by `edge` and go on while the boxes have degree two.

        Returns:
            The boxes after `box`; `edge` and those after it; and what the last of them leads
            to: no box of degree two, or else `box` again.
        """
        start = box
        boxes: list[int] = []
        edges = [edge]
        while True:
            beyond = self._across(box, edge)
            if beyond is None or beyond == start or self.degrees[beyond] != 2:
                return boxes, edges, beyond
            box, edge = beyond, self._other_side(beyond, edge)
            boxes.append(box)
            edges.append(edge)

    def _across(self, box: int, edge: Move) -> End:
        """The box beyond `edge` as seen from `box`; None for the ground."""
        for other, _ in self.grid.boxes_beside[edge]:
            if other != box:
                return other
        return None

    def _lowest_side(self, box: int) -> Move:
        sides = self.sides[box]
        return self.grid.moves[(sides & -sides).bit_length() - 1]

    def _other_side(self, box: int, edge: Move) -> Move:
        """The undrawn side of `box`, which has degree two, that isn't `edge`."""
        return self.grid.moves[(self.sides[box] ^ self.grid.bits[edge]).bit_length() - 1]


@dataclass(slots=True, eq=False)  # not frozen: a forecast makes dozens, and that would take longer
class JoinableString:
    """A chain or a loop of a `StringGraph`, without its edges; it never changes.

    It is compared by identity, because there can be two of the same length and ends.
    """

    length: int
    """The number of boxes."""
    box: int
    """A box that tells it from all others: the lowest of the strings that it was joined of."""
    ends: tuple[End, End] = (None, None)
    """Ends of a chain."""
    is_loop: bool = False


class StringGraph:
    """The chains and loops of a position without neutral edges, and the joints between them.

    It knows no board, only how many boxes lie between which joints, so to open a string costs
    little: the joints at its ends lose an edge each, and a joint that has two edges left becomes
    part of one longer chain, or of a loop.
    """

    def __init__(self, strings: Iterable[JoinableString]) -> None:
        self.strings = list(strings)
        """In the order in which they were given, those that were joined behind the others."""
        self.joints = Counter(
            end for string in self.strings for end in string.ends if end is not None
        )
        """For each joint how many ends of chains lead to it, three or four."""

    @classmethod
    def of(cls, parts: "Parts") -> "StringGraph":
        """The graph of a position of these parts, none of which is opened or neutral."""
        chains = [JoinableString(each.length, min(each.boxes), each.ends) for each in parts.chains]
        loops = [JoinableString(each.length, each.boxes[0], is_loop=True) for each in parts.loops]
        return cls(chains + loops)

    def lengths(self, *, is_loop: bool) -> list[int]:
        """The lengths of the loops, or of the chains."""
        return [string.length for string in self.strings if string.is_loop == is_loop]

    def is_dipper(self, string: JoinableString) -> bool:
        """Whether it leads from a joint of three back to it: the third chain goes with it."""
        first, last = string.ends
        return first is not None and first == last and self.joints[first] == 3

    def open(self, string: JoinableString) -> int:
        """Take `string` away and join what it held apart; the number of boxes it gives away.

        Those are its own, and with a dipper the joint and the third chain there.
        """
        self.strings.remove(string)
        boxes = string.length
        joints = [end for end in string.ends if end is not None]
        self.joints.subtract(joints)
        for joint in dict.fromkeys(joints):
            if self.joints[joint] == 2:
                self._join_at(joint)
            elif self.joints[joint] == 1:
                del self.joints[joint]
                boxes += 1 + self._take_third_chain(joint)
        return boxes

    def _take_third_chain(self, joint: int) -> int:
        """Take the one chain that is left at a joint; its number of boxes."""
        chain = next(string for string in self.strings if joint in string.ends)
        self.strings.remove(chain)
        beyond = _other_end(chain, joint)
        if beyond is not None:
            self.joints[beyond] -= 1
            if self.joints[beyond] == 2:
                self._join_at(beyond)
        return chain.length

    def _join_at(self, joint: int) -> None:
        """Make one string of a joint and the two ends of chains that are left there."""
        del self.joints[joint]
        one, *others = (string for string in self.strings if joint in string.ends)
        self.strings.remove(one)
        if not others:
            self.strings.append(JoinableString(1 + one.length, one.box, is_loop=True))
            return
        (other,) = others
        self.strings.remove(other)
        ends = _other_end(one, joint), _other_end(other, joint)
        length = 1 + one.length + other.length
        self.strings.append(JoinableString(length, min(one.box, other.box), ends))


def _other_end(chain: JoinableString, joint: int) -> End:
    first, last = chain.ends
    return last if first == joint else first
