"""Perfect play for two when only chains and loops are left, as many and as long as may be.

Every move opens one then, or takes what was opened, and of each only its length matters. Values
are margins: the boxes that the player to move takes from now on, less those of the other. Who
opens a chain of `n` gives the other `n − 2` boxes and the choice what to do with the last two:
to take them and move in the rest, or to decline them with a double-dealing move, so that the
first takes them and moves in the rest. Of a loop it is the last four. With `r` for the value of
the rest, opening is worth

    a chain of 1                 −(1 + r)
    a chain of 2, in the middle  −(2 + r)
    a chain of n ≥ 2             −(n − 2 + |2 + r|)
    a loop of n                  −(n − 4 + |4 + r|)

and the value of the whole is the best of these. Only two of them need be tried, the shortest
chain and the shortest loop, after pairs of equal chains of one or two were left out:

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

Sources: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000), for controlled values;
Kevin Buzzard and Michael Ciere, "Playing simple loony dots and boxes endgames optimally"
(Integers 14, 2014), and Daniel Allcock, "Best play in Dots & Boxes endgames" (arXiv:1811.10747,
2018), where the chains are long. The proofs above, and that other moves are no better on a
board, are checked by the tests against plain search.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import degrees
from boxroom_engine.games.dots.theory.strings import LONG, Opened, Parts, parts_of
from boxroom_engine.games.protocol import Move


def opening_value(chains: Iterable[int], loops: Iterable[int]) -> int:
    """The margin for the player who has to open one of these chains and loops.

    Args:
        chains: their lengths in boxes, each at least 1, in any order.
        loops: their lengths in boxes, each at least 4.
    """
    lengths = sorted(chains, reverse=True)
    long_first = [length for length in lengths if length >= LONG]
    long_first += [short for short in (2, 1) if lengths.count(short) % 2]
    loops_long_first = sorted(loops, reverse=True)
    row: list[int] = []
    for i in range(len(long_first) + 1):
        row_above, row = row, []  # row[j] is the value of the first i chains and the first j loops
        for j in range(len(loops_long_first) + 1):
            options = []
            if i:
                options.append(opening_chain(long_first[i - 1], row_above[j]))
            if j:
                options.append(opening_loop(loops_long_first[j - 1], row[j - 1]))
            row.append(max(options, default=0))
    return row[-1]


def controlled_value(chains: Sequence[int], loops: Sequence[int]) -> int:
    """The margin for the player in control who keeps it to the end, at whatever cost.

    These are all boxes, less twice the two that are declined in each chain and the four in each
    loop, plus the *terminal bonus*, since nothing is declined in the last one: the other player
    opens them in the order in which that is least. If every chain is long and the controlled
    value is at least 2, then nobody can do better, and `opening_value` is its negative.

    Source: Berlekamp; Buzzard and Ciere.
    """
    boxes = sum(chains) + sum(loops)
    return boxes - 4 * len(chains) - 8 * len(loops) + _terminal_bonus(chains, loops)


def is_endgame(position: Position) -> bool:
    """Whether only chains and loops are left, opened or not: no box has more than degree two."""
    return max(degrees(position)) <= 2


@dataclass(frozen=True, slots=True)
class Choice:
    """What the two ways to end a turn are worth, from its start, to the seat to move."""

    take_all: int
    """To take every box on offer and move in the rest."""
    deal_double: int | None
    """To take all but the last of one opened string, which a double-dealing move declines: two
    boxes if it can be two, else four. None if no opened string is long enough."""

    @property
    def value(self) -> int:
        """What the better one is worth."""
        return self.take_all if self.deal_double is None else max(self.take_all, self.deal_double)


def choice(position: Position) -> Choice:
    """What it is worth to take all, and to deal double, if both play perfectly afterwards.

    Where nothing is on offer, to take all means to open something.

    Raises:
        ValueError: it is no endgame, or not two seats are in play.
    """
    parts = _endgame_parts(position)
    return _choice(parts.opened, _on_offer(parts), _rest(parts))


def endgame_value(position: Position) -> int:
    """The margin to come for the seat to move if both play perfectly from here on.

    Raises:
        ValueError: it is no endgame, or not two seats are in play.
    """
    return choice(position).value


def best_moves(position: Position) -> tuple[Move, ...]:
    """All moves with which the seat to move can still get the `endgame_value`, ascending.

    Raises:
        ValueError: it is no endgame, or not two seats are in play.
    """
    parts = _endgame_parts(position)
    worth = _worth_of_taking(parts) if parts.opened else _worth_of_opening(parts)
    most = max(worth.values(), default=0)
    return tuple(sorted(move for move in worth if worth[move] == most))


def opening_chain(length: int, rest: int) -> int:
    """What it is worth to open a chain in the best way, by the value of the rest."""
    return -(length + rest) if length < LONG else _opening_with_choice(length, 2, rest)


def opening_loop(length: int, rest: int) -> int:
    return _opening_with_choice(length, 4, rest)


def _opening_with_choice(length: int, declined: int, rest: int) -> int:
    """What it is worth to open a string of which the other may decline so many boxes."""
    return -(length - declined + abs(declined + rest))


def _terminal_bonus(chains: Sequence[int], loops: Sequence[int]) -> int:
    if not loops:
        return 4 if chains else 0
    if not chains:
        return 8
    return 6 if max(chains) == LONG else 4


def _endgame_parts(position: Position) -> Parts:
    if not is_endgame(position):
        raise ValueError("a box with three or four undrawn sides is left")
    if position.game.seats - len(position.withdrawn) != 2:
        raise ValueError("values are margins between two seats in play")
    return parts_of(position)


def _rest(parts: Parts) -> int:
    """The value of what nobody has opened yet."""
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
        worth |= dict.fromkeys(chain.edges, opening_chain(chain.length, rest))
        if chain.length == 2:
            half_hearted = _opening_with_choice(2, 2, rest)
            worth |= {chain.edges[0]: half_hearted, chain.edges[-1]: half_hearted}
    for loop in parts.loops:
        worth |= dict.fromkeys(loop.edges, opening_loop(loop.length, rest_of_loop[loop.length]))
    return worth


def _on_offer(parts: Parts) -> int:
    """How many boxes can be taken in this turn."""
    return sum(opened.length for opened in parts.opened)


def _choice(opened: Iterable[Opened], on_offer: int, rest: int) -> Choice:
    """The choice with these opened strings left, in a turn with so many boxes on offer in all.

    To decline a box costs two, since the other player takes it, and has the other move on.
    """
    declined = min((string.declined for string in opened if string.declined), default=None)
    deal_double = None if declined is None else on_offer - 2 * declined - rest
    return Choice(on_offer + rest, deal_double)


def _worth_of_taking(parts: Parts) -> dict[Move, int]:
    """The margin that each move leads to which takes a box on offer, or deals double.

    The other moves are worth less: they leave more boxes on offer, for the other player to take.
    """
    rest, on_offer = _rest(parts), _on_offer(parts)
    worth: dict[Move, int] = {}
    for opened in parts.opened:
        others = [other for other in parts.opened if other != opened]
        shorter = Opened(opened.boxes[1:], opened.edges[1:], opened.end)
        after_taking = _choice([*others, shorter], on_offer, rest).value
        worth[opened.edges[0]] = after_taking
        if opened.is_closed:
            worth[opened.edges[-1]] = after_taking
        if opened.length == opened.declined and opened.double_dealing:
            worth[opened.double_dealing[0]] = -_choice(others, on_offer, rest).value
    return worth


def _without(lengths: Sequence[int], length: int) -> list[int]:
    """All of `lengths` but one that is `length`."""
    left = list(lengths)
    left.remove(length)
    return left
