"""Who is ahead in a position, and how a chart shows it."""

from dataclasses import dataclass

from boxroom_engine.games.dots import Position
from boxroom_engine.games.protocol import Seat


@dataclass(frozen=True, slots=True)
class Lead:
    """Who is ahead of the others, and by how much."""

    seat: Seat | None
    """None: nobody."""
    boxes: float
    is_expected: bool
    """Whether this is how it ends if both play best from there on, and not the score so far."""
    seats: int
    """How many play."""

    @property
    def hangs(self) -> bool:
        """Whether its bar hangs down, so that one sees the margin of two go up and down."""
        return self.seats == 2 and self.seat == 1

    @property
    def is_dotted(self) -> bool:
        """Whether its bar is drawn faintly, as that of a score so far.

        Among more than two there is hardly any other.
        """
        return self.seats == 2 and self.seat is not None and not self.is_expected


def lead_in(position: Position, margin: float | None) -> Lead:
    """The lead at the end if the `margin` there is known (see `leader`), else by the score."""
    seats = position.game.seats
    if margin is not None:
        return Lead(leader(position, margin), abs(margin), is_expected=True, seats=seats)
    scores = position.scores
    second, most = sorted(scores)[-2:]
    seat = Seat(scores.index(most)) if most > second else None
    return Lead(seat, float(most - second), is_expected=False, seats=seats)


def leader(position: Position, margin: float) -> Seat | None:
    """Who is ahead if `margin` is that of the first of two seats in play over the other."""
    if not margin:
        return None
    seats = map(Seat, range(position.game.seats))
    first, other = (seat for seat in seats if seat not in position.withdrawn)
    return first if margin > 0 else other
