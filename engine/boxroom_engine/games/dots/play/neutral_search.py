"""Minimax over neutral moves: the player that has to open a string first, and its result.

As long as there are neutral moves both players make them. Their choice determines the number of
long chains, and so the player in control: that is the long chain rule (`theory.control`). The
search goes to the end of every run of neutral moves and asks the `forecast` there, which counts
boxes and so knows the rule and also when control isn't worth it. The idea is that of the
student's General Solution (https://github.com/ArthurConmy/EPQ).

It is alpha-beta with a table. A position is the set of undrawn edges; which of them are neutral
is carried along, because it changes only beside the edge that is drawn.
"""

from boxroom_engine.games.dots.rules.grid import Grid
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import neutral
from boxroom_engine.games.dots.theory.forecast import forecast
from boxroom_engine.games.dots.theory.neutral import longest_neutral_run
from boxroom_engine.games.dots.theory.strings import parts_on
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import SearchStopped, Stop

_MOST_LOST = 5
"""The most edges that one neutral move makes not neutral: the one that is drawn, and of each box
beside it two more, if it has no other edges left."""


def can_stay_neutral(position: Position, moves: float) -> bool:
    """Whether more than so many neutral moves can follow one another.

    They are only counted where that isn't obvious: on large boards it takes long.
    """
    edges = len(neutral(position))
    if edges <= moves or edges > _MOST_LOST * moves:
        return edges > moves
    return len(longest_neutral_run(position)) > moves


class NeutralSearch:
    """The search on one board, for one turn: it remembers all positions that it sees."""

    def __init__(self, grid: Grid, stop: Stop) -> None:
        """`stop` is asked at every position whether to give up, such as `Limit.expired`."""
        self._grid = grid
        self._stop = stop
        self._most = grid.boxes + 1  # more than any value
        # Bounds of the values of positions searched so far, by their undrawn edges.
        self._bounds: dict[int, tuple[int, int]] = {}

    def value(self, position: Position) -> int:
        """The margin to come for the seat to move, of two, if neutral moves come first.

        Raises:
            SearchStopped: `stop` said so.
        """
        return self._value(*self._sets(position), -self._most, self._most)

    def best(self, position: Position, moves: list[Move]) -> Move:
        """The first of the neutral `moves` with which the seat to move gets the most.

        If the search is stopped, the first best of those that were searched.
        """
        best, most = moves[0], -self._most
        undrawn, neutrals = self._sets(position)
        try:
            for move in moves:
                value = -self._value(*self._drawn(undrawn, neutrals, move), -self._most, -most)
                if value > most:
                    best, most = move, value
        except SearchStopped:
            pass
        return best

    def _value(self, undrawn: int, neutrals: int, low: int, high: int) -> int:
        """The value if it is between `low` and `high`, else a bound beyond the nearer of them."""
        least, most = self._bounds.get(undrawn, (-self._most, self._most))
        if least == most or least >= high:
            return least
        if most <= low:
            return most
        if self._stop():
            raise SearchStopped
        if neutrals:
            found = self._search(undrawn, neutrals, low, high)
        else:
            found = forecast(parts_on(self._grid, self._grid.all_drawn ^ undrawn))
            low, high = -self._most, self._most  # this is no bound
        self._bounds[undrawn] = (
            least if found <= low else found,
            most if found >= high else found,
        )
        return found

    def _search(self, undrawn: int, neutrals: int, low: int, high: int) -> int:
        found = -self._most
        left = neutrals
        while left and found < high:
            move = left.bit_length() - 1
            left ^= self._grid.bits[move]
            after = self._drawn(undrawn, neutrals, move)
            found = max(found, -self._value(*after, -high, -max(low, found)))
        return found

    def _drawn(self, undrawn: int, neutrals: int, move: int) -> tuple[int, int]:
        """The undrawn edges and the neutral ones among them after a neutral move."""
        undrawn ^= self._grid.bits[move]
        neutrals ^= self._grid.bits[move]
        for _, sides in self._grid.boxes_beside[move]:
            left = sides & undrawn
            if left.bit_count() == 2:
                neutrals &= ~left
        return undrawn, neutrals

    def _sets(self, position: Position) -> tuple[int, int]:
        """The undrawn edges, and the neutral ones among them."""
        neutrals = sum(self._grid.bits[edge] for edge in neutral(position))
        return self._grid.all_drawn ^ position.edges, neutrals
