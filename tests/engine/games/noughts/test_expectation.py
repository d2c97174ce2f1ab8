"""The expectation in noughts and crosses: open lines, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.noughts import Noughts, Position
from boxroom_engine.games.noughts.expectation import expected
from boxroom_engine.games.protocol import Move, Seat


def at(text: str, seats: int = 2) -> Position:
    return Noughts(seats=seats).parse_position(text)


def test_the_centre_has_more_lines_than_a_corner_and_that_more_than_a_side() -> None:
    first = Noughts(seats=2).initial()
    centre, corner, side = (expected(first.play(Move(cell)), Seat(0)) for cell in (4, 0, 1))
    assert centre > corner > side > 0


@each(
    "text, seats, seat, value",
    [
        ("........./0/-", 2, 0, 0),
        ("0......../1/-", 2, 0, 30 / 31),  # three open lines of one mark
        ("0......../1/-", 2, 1, -30 / 31),
        ("01......./0/-", 2, 0, (20 - 10) / 31),  # the row is closed to both
        ("00..1..../1/-", 2, 0, (110 - 20) / 131),
        ("01......./2/-", 3, 2, -20 / 21),
        ("01......./2/0", 3, 2, -10 / 11),  # who has withdrawn doesn't count
    ],
)
def test_it_is_the_lead_in_open_lines(text: str, seats: int, seat: int, value: float) -> None:
    assert expected(at(text, seats), Seat(seat)) == pytest.approx(value)


@given(st.permutations(range(9)), st.integers(0, 8))
def test_it_is_opposite_for_two(order: list[int], plies: int) -> None:
    position = Noughts(seats=2).initial()
    for cell in order[:plies]:
        if position.play(Move(cell)).is_over:
            break
        position = position.play(Move(cell))
    assert -1 < expected(position, Seat(0)) == -expected(position, Seat(1)) < 1
