"""Boxes on offer to a player, and the choice to take or decline them, for two players.

To take a box costs nothing as long as enough is left to be declined: two boxes of a half-open
string, four of a closed one (see `theory.strings`). So a player takes all strings but one, and
that one down to what can be declined. Only then there is a choice: to take the rest as well and
move on elsewhere, or to decline it with a double-dealing move and have the other move on there.

Which of the two is better depends on the value of what remains, and that isn't judged here.

Sources: Elwyn Berlekamp, The Dots and Boxes Game (A K Peters, 2000); Joseph Barker and Richard
Korf, "Solving Dots-and-Boxes" (AAAI 2012), for positions with several strings.
"""

from dataclasses import dataclass

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import captures
from boxroom_engine.games.dots.theory.strings import Opened, parts_of
from boxroom_engine.games.protocol import Move


@dataclass(frozen=True, slots=True)
class Offer:
    """The boxes that the seat to move can take, and the moves that take or decline them."""

    boxes: int
    """How many can be taken in this turn."""
    declined: int | None
    """How many of them, 2 or 4, can be left by a double-dealing move; None if none can."""
    take: Move
    """A move that takes a box, or two; nothing is better if `decline` is None."""
    decline: Move | None
    """The double-dealing move, if it can be played at once without giving more away."""

    def value(self, rest: int) -> int:
        """The margin to come for the seat to move, if `rest` is that of the player who goes on.

        Either way is open to it: `boxes + rest`, or `boxes - 2 * declined - rest`.
        """
        if self.declined is None:
            return self.boxes + rest
        return self.boxes - self.declined + abs(self.declined + rest)

    def is_worth_taking(self, rest: int) -> bool:
        """Whether it is as good to take all as to decline some, or better; `rest` as above."""
        return self.declined is None or rest >= -self.declined


def offer_in(position: Position) -> Offer | None:
    """The offer in `position`; None if nothing can be taken."""
    boxes = len(captures(position))
    if not boxes:
        return None
    free, choice = _free_takes(position), _choice_at_last(position)
    declined = None if choice is None else choice.declined
    if free:
        return Offer(boxes, declined, free[0], None)
    assert choice is not None
    assert choice.double_dealing is not None
    return Offer(boxes, declined, choice.edges[0], choice.double_dealing[0])


def _choice_at_last(position: Position) -> Opened | None:
    """The string that is left, to be taken or declined, when all is taken that costs nothing.

    This has to be played: two strings that are too short may lead to a joint that is taken with
    them, and on into a chain.
    """
    while takes := _free_takes(position):
        for take in takes:
            position = position.play(take)
    return next(iter(parts_of(position).opened), None)


def _free_takes(position: Position) -> list[Move]:
    """Moves in a row that each take a box, after which as much can be declined as before.

    Of several strings that lead to the same joint only one is taken: the others may get longer.
    """
    opened = parts_of(position).opened
    long_enough = (string for string in opened if string.declined)
    kept = min(long_enough, key=lambda string: string.declined or 0, default=None)
    takes: list[Move] = []
    joints: set[int] = set()
    for string in opened:
        if string is kept:
            takes += string.edges[: string.length - (string.declined or 0)]
        elif string.end not in joints:
            takes += string.edges
            if string.end is not None:
                joints.add(string.end)
    return takes
