"""Play for three and more by the rules alone: every game from a position is played to its end."""

from collections.abc import Iterator
from functools import cache

from hypothesis import assume
from hypothesis import strategies as st

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Move, Seat

Boxes = tuple[int, ...]
"""Boxes to come, by seat."""

BOARDS = [(1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3)]


def wish(position: Position, boxes: Boxes) -> tuple[int, int]:
    """Preference of the player to move for boxes to come: its own, then few for the best other."""
    mover = position.to_move
    assert mover is not None
    others = (boxes[s] for s in range(len(boxes)) if s != mover and s not in position.withdrawn)
    return boxes[mover], -max(others)


@cache  # by whole positions, with who owns what
def by_the_rules(position: Position) -> Boxes:
    """The boxes that each seat still gets, by playing every game to its end."""
    if position.to_move is None:
        return (0,) * position.game.seats
    outcomes = [outcome for _, outcome in outcomes_by_the_rules(position)]
    first = position.to_move

    def preference(boxes: Boxes) -> tuple[tuple[int, int], Boxes]:
        return wish(position, boxes), boxes[first:] + boxes[:first]

    return max(outcomes, key=preference)


def outcomes_by_the_rules(position: Position) -> Iterator[tuple[Move, Boxes]]:
    for move in position.legal_moves():
        after = position.play(move)
        won = [now - before for now, before in zip(after.scores, position.scores, strict=True)]
        yield move, tuple(map(sum, zip(won, by_the_rules(after), strict=True)))


def best_by_the_rules(position: Position) -> tuple[Move, ...]:
    wishes = {move: wish(position, boxes) for move, boxes in outcomes_by_the_rules(position)}
    return tuple(move for move in wishes if wishes[move] == max(wishes.values()))


@st.composite
def unfinished(
    draw: st.DrawFn, seats: st.SearchStrategy[int], most_undrawn: int, fewest_in_play: int = 2
) -> Position:
    """Positions near their end, in which some may have withdrawn."""
    rows, cols = draw(st.sampled_from(BOARDS))
    border = draw(st.sampled_from(Border))
    assume((rows, cols, border) != (1, 1, Border.FULL))
    position = Dots(rows, cols, border, draw(seats)).initial()
    order = list(position.legal_moves())
    draw(st.randoms(use_true_random=False)).shuffle(order)
    for move in order[draw(st.integers(1, min(len(order), most_undrawn))) :]:
        position = position.play(move)
    leavers = draw(st.permutations(range(position.game.seats)))
    for seat in leavers[: draw(st.integers(0, position.game.seats - fewest_in_play))]:
        position = position.withdraw(Seat(seat))
    return position
