"""The pieces on a board, and what a move does to them."""

from typing import NamedTuple

from boxroom_engine.games.draughts.board import Board, Squares
from boxroom_engine.games.draughts.moves import Side, Step
from boxroom_engine.games.draughts.rules import RuleSet
from boxroom_engine.games.turn_order import Seat


class Pieces(NamedTuple):
    """The men and the kings, each a set of squares for seat 0 and one for seat 1."""

    men: tuple[Squares, Squares]
    kings: tuple[Squares, Squares]

    def of(self, seat: int) -> Squares:
        """Return all pieces of a seat."""
        return self.men[seat] | self.kings[seat]

    def side(self, seat: Seat, rules: RuleSet) -> Side:
        """Return the pieces as the player in `seat` sees them."""
        others = self.of(1 - seat)
        return Side(self.men[seat], self.kings[seat], others, rules.moves_down(seat))

    def after(self, step: Step, seat: Seat, crowning: Squares) -> "Pieces":
        """Return the pieces after a move of `seat`, whose men become kings on `crowning`."""
        start, end = step.path[0], step.path[-1]
        men, kings = self.men[seat] & ~start, self.kings[seat] & ~start
        if self.men[seat] & start and not end & crowning:
            men |= end
        else:
            kings |= end
        other_men = self.men[1 - seat] & ~step.captured
        other_kings = self.kings[1 - seat] & ~step.captured
        if seat == 0:
            return Pieces((men, other_men), (kings, other_kings))
        return Pieces((other_men, men), (other_kings, kings))

    def ending_plies(self, rules: RuleSet) -> int | None:
        """Return how many plies an ending with these pieces lasts at most; None: no limit.

        It is one if a player has a king and nothing else.
        """
        for weak, strong in ((0, 1), (1, 0)):
            alone = (self.men[weak], self.kings[weak].bit_count()) == (0, 1)
            if alone and self.kings[strong]:
                return rules.ending_plies.get(self.of(strong).bit_count())
        return None


def at_start(board: Board, rules: RuleSet) -> Pieces:
    """Return the pieces before the first move: all rows but the two in the middle are full."""
    rows = board.size // 2 - 1
    top, bottom = sum(board.rows[:rows]), sum(board.rows[-rows:])
    return Pieces((top, bottom) if rules.moves_down(Seat(0)) else (bottom, top), (0, 0))
