"""Boxes by their numbers, or by their rows and columns, and their sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import positions

from boxroom_engine.games.abilities import BoxSide
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.dots.rules.box_sides import box_sides
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.errors import NoSuchBox

BOARD = Dots(2, 3, Border.NONE, 2).initial()


@each("text", ["5", " 5 ", "05", "2,2", "2, 2", "2 2", "2/2"])
def test_a_box_is_named_by_its_number_or_by_row_and_column(text: str) -> None:
    box = box_sides(BOARD, text)
    assert (box.number, box.row, box.column, box.owner) == (5, 2, 2, None)
    names = {side: BOARD.game.format_move(move) for side, move in box.free.items()}
    assert names == {
        BoxSide.TOP: "h4",
        BoxSide.BOTTOM: "h7",
        BoxSide.LEFT: "v5",
        BoxSide.RIGHT: "v6",
    }


@each("text", ["0", "7", "0,1", "3,1", "1,4", "1,0", "-1", "h3", "", "1,2,3", "٣", "9" * 5000])
def test_other_texts_name_none(text: str) -> None:
    with pytest.raises(NoSuchBox) as caught:
        box_sides(BOARD, text)
    assert caught.value.code == "no_such_box"
    assert "from 1 to 6" in str(caught.value)
    assert len(str(caught.value)) < 200


@given(positions(), st.data())
def test_each_side_is_drawn_or_free_and_an_owner_has_all_four(
    position: Position, data: st.DataObject
) -> None:
    grid = position.game.grid
    number = data.draw(st.integers(1, grid.boxes))
    box = box_sides(position, str(number))
    assert box == box_sides(position, f"{box.row},{box.column}")
    edges = {**box.free, **box.drawn}
    assert tuple(edges[side] for side in BoxSide) == grid.edges_of[number - 1]
    assert all(edge in position.legal_moves() for edge in box.free.values()) or position.is_over
    assert (box.owner is not None) == (not box.free)
