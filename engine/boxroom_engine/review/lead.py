"""The seat that is ahead in a position, and the look of its bar in a chart."""

from dataclasses import dataclass

from boxroom_engine.games.protocol import Seat, State


@dataclass(frozen=True, slots=True)
class Lead:
    """The seat that is ahead of the others, and by how many boxes."""

    seat: Seat | None
    """The seat that is ahead; None if none is."""
    boxes: float
    is_expected: bool
    """Whether it is the lead at the end with best play, not that of the score so far."""
    seats: int
    """Number of seats in the game."""

    @property
    def is_below(self) -> bool:
        """Whether its bar is below the axis: that of the second of two players."""
        return self.seats == 2 and self.seat == 1

    @property
    def is_dotted(self) -> bool:
        """Whether its bar is drawn faintly, because it shows the score so far.

        Among more than two players nearly all bars do, so none is faint.
        """
        return self.seats == 2 and self.seat is not None and not self.is_expected


def lead_in(position: State, margin: float | None) -> Lead:
    """Return the lead at the end if its `margin` is known (see `leader`), else by the score."""
    seats = position.game.seats
    if margin is not None:
        return Lead(leader(position, margin), abs(margin), is_expected=True, seats=seats)
    scores = position.scores
    second, most = sorted((0, *scores))[-2:]  # a single player is ahead of nobody, who has 0
    seat = Seat(scores.index(most)) if most > second else None
    return Lead(seat, float(most - second), is_expected=False, seats=seats)


def leader(position: State, margin: float) -> Seat | None:
    """Return the seat that is ahead, given the `margin` of the first of two seats in play."""
    if not margin:
        return None
    seats = map(Seat, range(position.game.seats))
    first, other = (seat for seat in seats if seat not in position.withdrawn)
    return first if margin > 0 else other
