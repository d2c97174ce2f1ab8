"""Lines of a board, compared with a reference that tries every row of cells."""

from itertools import pairwise, permutations, product

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.noughts.board import Place, board_of

small_boards = st.tuples(
    st.lists(st.integers(2, 4), min_size=1, max_size=3).map(tuple), st.integers(2, 4)
)


def is_straight(places: list[Place]) -> bool:
    """Whether all steps are equal, at most one cell in each dimension, and not zero."""
    steps = {
        tuple(b - a for a, b in zip(one, other, strict=True)) for one, other in pairwise(places)
    }
    return len(steps) == 1 and all(-1 <= x <= 1 for step in steps for x in step) and any(*steps)


def lines_found_by_walking(dims: tuple[int, ...], length: int) -> set[frozenset[Place]]:
    """Return the lines found by walking from every cell in every direction."""
    everywhere = set(product(*map(range, dims)))
    found = set()
    for start, step in product(everywhere, product((-1, 0, 1), repeat=len(dims))):
        walked = [tuple(a + n * b for a, b in zip(start, step, strict=True)) for n in range(length)]
        if any(step) and everywhere.issuperset(walked):
            found.add(frozenset(walked))
    return found


@given(small_boards)
def test_every_straight_line_is_there_once(shape: tuple[tuple[int, ...], int]) -> None:
    dims, length = shape
    board = board_of(dims, length)
    lines = [frozenset(board.places[cell] for cell in line) for line in board.lines]
    assert len(lines) == len(set(lines))
    assert set(lines) == lines_found_by_walking(dims, length)


def test_on_three_by_three_lines_are_all_straight_choices_of_three_cells() -> None:
    board = board_of((3, 3), 3)
    chosen = {
        frozenset(cells)
        for cells in permutations(range(9), 3)
        if is_straight([board.places[cell] for cell in cells])
    }
    assert {frozenset(line) for line in board.lines} == chosen
    assert len(chosen) == 8


@each(
    "dims, length, number",
    [
        ((3, 3, 3), 3, 49),
        ((4, 4, 4), 4, 76),
        ((3, 3, 3, 3), 3, 272),
        ((5, 5, 5, 5), 5, 888),
        ((15, 15), 5, 572),
        ((7,), 3, 5),
    ],
)
def test_how_many_lines_there_are(dims: tuple[int, ...], length: int, number: int) -> None:
    """A cube of side n in d dimensions has ((n + 2)ᵈ - nᵈ) / 2 lines."""
    assert len(board_of(dims, length).lines) == number


@given(small_boards)
def test_cells_and_places_are_numbered_alike(shape: tuple[tuple[int, ...], int]) -> None:
    board = board_of(*shape)
    assert [board.cell_at(place) for place in board.places] == list(range(board.cells))
    assert board.places == tuple(sorted(board.places))


@given(small_boards)
def test_every_cell_knows_the_lines_through_it(shape: tuple[tuple[int, ...], int]) -> None:
    board = board_of(*shape)
    for cell in range(board.cells):
        through = board.lines_through(cell)
        assert sorted(through) == sorted(line for line in board.lines if cell in line)


@given(small_boards)
def test_lines_are_counted_without_making_them(shape: tuple[tuple[int, ...], int]) -> None:
    board = board_of(*shape)
    assert board.number_of_lines == len(board.lines)
