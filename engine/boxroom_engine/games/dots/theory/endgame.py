"""Values of positions in which only chains and loops are left, for any number of players.

Every move opens one then, or takes what was opened, and of each only its length matters. For two
this is perfect play, and values are margins: the boxes that the player to move takes from now on,
less those of the other. Opening a chain of `n` gives the other `n − 2` boxes and the choice what to
do with the last two: to take them and move in the rest, or to decline them with a double-dealing
move, so that the first takes them and moves in the rest. Of a loop it is the last four. With `r`
for the value of the rest, opening is worth

    a chain of 1                 −(1 + r)
    a chain of 2, in the middle  −(2 + r)
    a chain of n ≥ 2             −(n − 2 + |2 + r|)
    a loop of n                  −(n − 4 + |4 + r|)

and the value of the whole is the best of these. For more players values are `Shares`, the boxes of
each; the recursion, `_best_openings`, is the same. Only two openings are tried, of the shortest
chain and of the shortest loop. For two players that is enough, after pairs of equal chains of one
or two were left out; for more it is an estimate:

- Two equal short chains change no value: when one is opened, take it and open the other in
  the middle. For the same reason a chain of one and one of two change a value by at most one.
- Making one of the long chains longer by `d` changes a value by at most `d`. So does making a
  chain of one a chain of two, or one of the loops longer. (By induction: each line above
  changes by no more than its `r` does, or by `d` if it opens that very string.) So of two that
  differ by `d` it is worth as much or more to open the shorter, and leave the longer.
- Let `s` be the shortest of the short chains, `b` a long chain and `H` whatever else there is.
  To open `s` is worth as much as to open `b`, or more, if `s + V(H+b) ≤ b − 2 + |2 + V(H+s)|`.
  Both sides have the same parity and the right one is at least 1, so it holds if the left one
  is at most 2; as it is when the best move in `H+b` opens a loop or a long chain, which is worth
  0 or less. Else that move opens a short chain `y ≥ s`. Let `K` be `H` without `y`. The left
  side is then `s − y − V(K+b)`, at most `s − y + b − 2 + |2 + V(K)|`, because `b` can be opened
  in `K+b`. And `V(H+s)`, which is `V(K+y+s)`, differs from `V(K)` by at most `y − s`.

Sources: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000); Kevin Buzzard and Michael
Ciere, "Playing simple loony dots and boxes endgames optimally" (Integers 14, 2014), and Daniel
Allcock, "Best play in Dots & Boxes endgames" (arXiv:1811.10747, 2018), where the chains are long.
The proofs above, and that other moves are no better on a board, are checked by the tests against
plain search.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeVar

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import degrees
from boxroom_engine.games.dots.theory.strings import (
    LONG,
    Opened,
    Parts,
    parts_of,
)
from boxroom_engine.games.protocol import Move
from boxroom_engine.preference import preference

Shares = list[int]
"""Boxes that each player gets, in turn order from the player who has to open a string."""

_Worth = TypeVar("_Worth", int, Shares)


class Opening(NamedTuple):
    """The boxes that opening a string gives to the next player."""

    boxes: int
    declinable: int
    """How many of them, the last, the next player may leave to the one after: 2 of a chain, 4 of a
    loop, 0 where there is no such choice."""

    @classmethod
    def of_chain(cls, length: int) -> Self:
        """The opening of a chain; one of two is opened in the middle, which leaves no choice."""
        return cls(length, 2 if length >= LONG else 0)

    @classmethod
    def of_loop(cls, length: int) -> Self:
        """The opening of a loop."""
        return cls(length, 4)

    def margin(self, rest: int) -> int:
        """The margin for the player who opens it, of two, if opening the rest is worth `rest`."""
        if not self.declinable:
            return -(self.boxes + rest)
        return -(self.boxes - self.declinable + abs(self.declinable + rest))

    def shares(self, rest: Shares) -> Shares:
        """The shares if `rest` are the shares, counted from the player who opens the rest.

        The next player takes all and opens the rest, or leaves the last boxes to the one after,
        who then opens the rest: whichever the next player prefers (`preference`).
        """
        players = len(rest)
        take = [rest[i - 1] for i in range(players)]
        take[1] += self.boxes
        if not self.declinable:
            return take
        leave = [rest[i - 2] for i in range(players)]
        leave[1] += self.boxes - self.declinable
        leave[2 % players] += self.declinable
        return leave if preference(leave, 1) > preference(take, 1) else take


def opening_shares(chains: Iterable[int], loops: Iterable[int], players: int) -> Shares:
    """The boxes of each player, in turn order from the one who has to open one of these.

    Each plays by `preference`; only the shortest chain and the shortest loop are considered.
    For two players this is exact.
    """
    return _best_openings(
        [Opening.of_chain(length) for length in sorted(chains, reverse=True)],
        [Opening.of_loop(length) for length in sorted(loops, reverse=True)],
        [0] * players,
        Opening.shares,
        lambda shares: preference(shares, 0),
    )


def opening_value(chains: Iterable[int], loops: Iterable[int]) -> int:
    """The margin for the player who has to open one of these chains and loops.

    Args:
        chains: their lengths in boxes, each at least 1, in any order.
        loops: their lengths in boxes, each at least 4.
    """
    lengths = sorted(chains, reverse=True)
    long_first = [length for length in lengths if length >= LONG]
    long_first += [short for short in (2, 1) if lengths.count(short) % 2]
    return _best_openings(
        [Opening.of_chain(length) for length in long_first],
        [Opening.of_loop(length) for length in sorted(loops, reverse=True)],
        0,
        Opening.margin,
    )


def is_endgame(position: Position) -> bool:
    """Whether only chains and loops are left, opened or not: no box has more than degree two."""
    return max(degrees(position)) <= 2


@dataclass(frozen=True, slots=True)
class TakeOrDecline:
    """Values of the two ways to end a turn, from its start, for the seat to move."""

    take_all: int
    """Value of taking every box on offer and moving in the rest."""
    decline: int | None
    """Value of taking all but the last boxes of one opened string, which a double-dealing move
    declines: two if it can be two, else four. None if no opened string is long enough."""

    @property
    def value(self) -> int:
        """Value of the better one."""
        return self.take_all if self.decline is None else max(self.take_all, self.decline)


def take_or_decline(position: Position) -> TakeOrDecline:
    """The values of taking all and of declining some, if both play perfectly afterwards.

    Where nothing is on offer, to take all means to open something.

    Raises:
        ValueError: it is no endgame, or not two seats are in play.
    """
    parts = _endgame_parts(position)
    return _take_or_decline(parts.opened, _on_offer(parts), _rest(parts))


def endgame_value(position: Position) -> int:
    """The margin to come for the seat to move if both play perfectly from here on.

    Raises:
        ValueError: it is no endgame, or not two seats are in play.
    """
    return take_or_decline(position).value


def best_endgame_moves(position: Position) -> tuple[Move, ...]:
    """All moves with which the seat to move can still get the `endgame_value`, ascending.

    Raises:
        ValueError: it is no endgame, or not two seats are in play.
    """
    parts = _endgame_parts(position)
    worth = _worth_of_taking(parts) if parts.opened else _worth_of_opening(parts)
    most = max(worth.values(), default=0)
    return tuple(sorted(move for move in worth if worth[move] == most))


def _best_openings(
    chains: Sequence[Opening],
    loops: Sequence[Opening],
    nothing: _Worth,
    worth: Callable[[Opening, _Worth], _Worth],
    rank: Callable[[_Worth], Any] | None = None,
) -> _Worth:
    """The worth of chains and loops to the player who has to open one, the last of each first.

    Args:
        chains: the longest first.
        loops: likewise.
        nothing: the worth when none is left.
        worth: of opening one, by the worth of the rest.
        rank: the greater, the better for the player who opens; by default the worth itself.
    """
    row: list[_Worth] = []  # row[j] is the worth of the chains up to this and the first j loops
    for chain in (None, *chains):
        row_above, row = row, []
        for loop in (None, *loops):
            if chain and loop:
                by_chain, by_loop = worth(chain, row_above[len(row)]), worth(loop, row[-1])
                row.append(max(by_chain, by_loop, key=rank))
            elif chain:
                row.append(worth(chain, row_above[0]))
            else:
                row.append(worth(loop, row[-1]) if loop else nothing)
    return row[-1]


def _endgame_parts(position: Position) -> Parts:
    if not is_endgame(position):
        raise ValueError("a box with three or four undrawn sides is left")
    if position.game.seats - len(position.withdrawn) != 2:
        raise ValueError("values are margins between two seats in play")
    return parts_of(position)


def _rest(parts: Parts) -> int:
    """The value of the strings that aren't opened yet."""
    chains = (chain.length for chain in parts.chains)
    loops = (loop.length for loop in parts.loops)
    return opening_value(chains, loops)


def _worth_of_opening(parts: Parts) -> dict[Move, int]:
    """The margin that each move leads to while nothing is on offer."""
    chains = [chain.length for chain in parts.chains]
    loops = [loop.length for loop in parts.loops]
    rest_of_chain = {
        length: opening_value(_without(chains, length), loops) for length in set(chains)
    }
    rest_of_loop = {length: opening_value(chains, _without(loops, length)) for length in set(loops)}
    worth: dict[Move, int] = {}
    for chain in parts.chains:
        rest = rest_of_chain[chain.length]
        worth |= dict.fromkeys(chain.edges, Opening.of_chain(chain.length).margin(rest))
        if chain.length == 2:
            half_hearted = Opening(2, 2).margin(rest)
            worth |= {chain.edges[0]: half_hearted, chain.edges[-1]: half_hearted}
    for loop in parts.loops:
        value = Opening.of_loop(loop.length).margin(rest_of_loop[loop.length])
        worth |= dict.fromkeys(loop.edges, value)
    return worth


def _on_offer(parts: Parts) -> int:
    """How many boxes can be taken in this turn."""
    return sum(opened.length for opened in parts.opened)


def _take_or_decline(opened: Iterable[Opened], on_offer: int, rest: int) -> TakeOrDecline:
    """The choice with these opened strings left, in a turn with so many boxes on offer in all.

    To decline a box costs two, since the other player takes it, and has the other move on.
    """
    declined = min((string.declined for string in opened if string.declined), default=None)
    decline = None if declined is None else on_offer - 2 * declined - rest
    return TakeOrDecline(on_offer + rest, decline)


def _worth_of_taking(parts: Parts) -> dict[Move, int]:
    """The margin that each move leads to which takes a box on offer, or deals double.

    The other moves are worth less: they leave more boxes on offer, for the other player to take.
    """
    rest, on_offer = _rest(parts), _on_offer(parts)
    worth: dict[Move, int] = {}
    for opened in parts.opened:
        others = [other for other in parts.opened if other != opened]
        shorter = Opened(opened.boxes[1:], opened.edges[1:], opened.end)
        after_taking = _take_or_decline([*others, shorter], on_offer, rest).value
        worth[opened.edges[0]] = after_taking
        if opened.is_closed:
            worth[opened.edges[-1]] = after_taking
        if opened.length == opened.declined and opened.double_dealing:
            worth[opened.double_dealing[0]] = -_take_or_decline(others, on_offer, rest).value
    return worth


def _without(lengths: Sequence[int], length: int) -> list[int]:
    """All of `lengths` but one that is `length`."""
    left = list(lengths)
    left.remove(length)
    return left
