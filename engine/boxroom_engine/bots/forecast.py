"""What a position comes to in which every move gives something away, as far as one can say at once.

Of chains and loops alone the value is known (`games.dots.endgame`). Chains that meet in joints are
harder: when one is opened and taken, its joints lose an edge each, and what is left at a joint of
two edges is one longer chain, or a loop. The forecast is that both players always open what is
shortest, until no joint is left, and that each time the other takes all or deals double, whichever
is worth more to them. That is a guess, not a bound: often it is better to open another chain.

This knows no board, only how many boxes lie between which joints; so it costs little more than
taking a position apart.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from boxroom_engine.games.dots.theory.endgame import Opening, opening_value
from boxroom_engine.games.dots.theory.strings import End, Parts


def forecast(parts: Parts) -> int:
    """The margin to come for the seat to move, of two, in a position of these parts.

    Nothing may be on offer in it and no neutral edge left. Exact where there are no joints.
    """
    strings = _Strings(parts)
    openings: list[_String] = []
    while strings.joints:
        openings.append(strings.open_shortest())
    value = opening_value(strings.lengths(is_loop=False), strings.lengths(is_loop=True))
    for opened in reversed(openings):
        opening = Opening.of_loop if opened.is_loop else Opening.of_chain
        value = opening(opened.length).margin(value)
    return value


@dataclass(frozen=True, slots=True, eq=False)
class _String:
    """A chain or a loop. Without `eq`, because there can be two of the same length and ends."""

    length: int
    ends: tuple[End, End] = (None, None)
    is_loop: bool = False


class _Strings:
    """What is left of the chains and loops.

    Attributes:
        joints: for each joint how many ends of chains lead to it, three or more.
    """

    def __init__(self, parts: Parts) -> None:
        self._left = [_String(chain.length, chain.ends) for chain in parts.chains]
        self.joints = Counter(end for chain in self._left for end in chain.ends if end is not None)
        self._left += [_String(loop.length, is_loop=True) for loop in parts.loops]

    def lengths(self, *, is_loop: bool) -> Iterable[int]:
        """The lengths of the loops, or of the chains."""
        return (string.length for string in self._left if string.is_loop == is_loop)

    def open_shortest(self) -> _String:
        """Take away what gives away least, and join what it held apart.

        That is the shortest string, but never a chain from a joint of three back to itself: with
        it the joint would go and the chain that leads there, which can also be opened alone.
        """
        shortest = min(filter(self._goes_alone, self._left), key=lambda string: string.length)
        self._left.remove(shortest)
        joints = [end for end in shortest.ends if end is not None]
        self.joints.subtract(joints)
        for joint in dict.fromkeys(joints):
            if self.joints[joint] == 2:
                self._join_at(joint)
        return shortest

    def _goes_alone(self, string: _String) -> bool:
        first, last = string.ends
        return first is None or first != last or self.joints[first] > 3

    def _join_at(self, joint: int) -> None:
        """Make one string of a joint and the two ends of chains that are left there."""
        del self.joints[joint]
        chains = [string for string in self._left if joint in string.ends]
        for chain in chains:
            self._left.remove(chain)
        length = 1 + sum(chain.length for chain in chains)
        if len(chains) == 1:
            self._left.append(_String(length, is_loop=True))
        else:
            first, last = (_other_end(chain, joint) for chain in chains)
            self._left.append(_String(length, (first, last)))


def _other_end(chain: _String, joint: int) -> End:
    first, last = chain.ends
    return last if first == joint else first
