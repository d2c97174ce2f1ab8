"""Symmetries of boards, compared with those of known squares, cubes and distances."""

from itertools import product
from math import dist

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.noughts.symmetries import symmetries


@each(
    "sides, number",
    [
        ((1,), 2),
        ((4,), 2),
        ((3, 3), 8),
        ((2, 3), 4),
        ((3, 3, 3), 48),
        ((2, 2, 3), 16),
        ((3,) * 4, 384),
        ((2,) * 5, 1),
    ],
)
def test_number_of_symmetries(sides: tuple[int, ...], number: int) -> None:
    assert len(symmetries(sides)) == number


def test_a_square() -> None:
    identity, half_turn = (0, 1, 2, 3), (3, 2, 1, 0)
    right, left = (2, 0, 3, 1), (1, 3, 0, 2)
    mirrored = {(1, 0, 3, 2), (2, 3, 0, 1), (0, 2, 1, 3), (3, 1, 2, 0)}
    assert set(symmetries((2, 2))) == {identity, half_turn, right, left} | mirrored


@given(sides=st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple))
def test_cells_keep_their_distances(sides: tuple[int, ...]) -> None:
    """Symmetries are the permutations of all cells that preserve distances."""
    cells = list(product(*map(range, sides)))
    for image in symmetries(sides):
        assert sorted(image) == list(range(len(cells)))
        for (here, there), (one, other) in zip(
            product(cells, repeat=2), product(image, repeat=2), strict=True
        ):
            assert dist(here, there) == dist(cells[one], cells[other])


def test_all_symmetries_differ() -> None:
    for sides in (2, 2), (2, 3), (2, 2, 2):
        assert len(set(symmetries(sides))) == len(symmetries(sides))
