"""The two sets of rules, and what differs between them.

Sources: World Checkers Draughts Federation, "Rules of Draughts" (section 1; draws in 1.32), for
`english`; Fédération Mondiale du Jeu de Dames, "Official FMJD rules for international draughts"
(annex 1; captures in article 4, draws in article 6), for `international`. Both give a player the
right to claim a draw; here it is one as soon as it could be claimed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from boxroom_engine.games.turn_order import Seat

MOST_PLIES = 2_000
"""A game that takes more moves, of both players together, is a draw.

The rules of the federations alone allow more than ten thousand; see ADR 28.
"""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One set of rules."""

    name: str
    usual_size: int
    """Number of rows on the usual board."""
    first_is_at_the_top: bool
    """Whether the seat that begins has the low numbers and moves down the board."""
    men_capture_backwards: bool
    kings_fly: bool
    """Whether kings move any distance; men and other kings move by one square."""
    takes_most: bool
    """Whether only captures of the greatest number of pieces are legal."""
    plies_without_progress: int
    """So many moves of kings without a capture, of both players together, are a draw."""
    ending_plies: Mapping[int, int]
    """Greatest number of moves, of both players together, in an ending of so many pieces, a king
    among them, against one king; then it is a draw."""

    def moves_down(self, seat: Seat) -> bool:
        """Whether the men of a seat move down the board, towards the high numbers."""
        return self.first_is_at_the_top == (seat == 0)


ENGLISH = RuleSet(
    name="english",
    usual_size=8,
    first_is_at_the_top=True,
    men_capture_backwards=False,
    kings_fly=False,
    takes_most=False,
    plies_without_progress=80,
    ending_plies={},
)
INTERNATIONAL = RuleSet(
    name="international",
    usual_size=10,
    first_is_at_the_top=False,
    men_capture_backwards=True,
    kings_fly=True,
    takes_most=True,
    plies_without_progress=50,
    ending_plies={1: 10, 2: 10, 3: 32},
)
RULE_SETS: Mapping[str, RuleSet] = {rules.name: rules for rules in (ENGLISH, INTERNATIONAL)}
"""The sets of rules by name."""
