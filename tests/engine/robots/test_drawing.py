"""Pictures of the challenge's board."""

import random
import sys
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from boxroom_engine.robots import Board, drawboard, make_random_move, makemove
from boxroom_engine.robots.drawing import BoardPicture

SVG = "{http://www.w3.org/2000/svg}"
ONE_BOX = Board(2, [(0, 0, 1, 0), (0, 1, 1, 1), (0, 0, 0, 1), (1, 0, 1, 1)], [(0, 0)])
"""A board on which red owns the box in the bottom left corner."""


@st.composite
def boards(draw: st.DrawFn) -> Board:
    board = Board(draw(st.integers(1, 4)))
    rng = random.Random(draw(st.integers()))
    for turn in range(draw(st.integers(0, 12))):
        if not (move := make_random_move(board, rng)):
            break
        board = makemove(board, move, "blue" if turn % 2 else "red")
    return board


def shown(board: Board) -> ElementTree.Element:
    return ElementTree.fromstring(board._repr_svg_())


def figure(board: Board, size: float = 3) -> Figure:
    drawn = drawboard(board, size)
    assert isinstance(drawn, Figure)
    return drawn


@given(boards())
def test_a_notebook_shows_every_dot_line_and_box(board: Board) -> None:
    elements = Counter(element.tag.removeprefix(SVG) for element in shown(board).iter())
    assert elements["circle"] == (board.size + 1) ** 2
    assert elements["line"] == len(board.lines)
    assert elements["rect"] == len(board.red_boxes) + len(board.blue_boxes)


def test_the_origin_is_at_the_bottom_left() -> None:
    (box,) = shown(ONE_BOX).iter(f"{SVG}rect")
    first, *_ = shown(ONE_BOX).iter(f"{SVG}line")
    assert (box.attrib["x"], box.attrib["y"]) == ("30", "70")
    assert (first.attrib["x1"], first.attrib["y1"]) == ("30", "110")
    assert (first.attrib["x2"], first.attrib["y2"]) == ("70", "110")


def test_boxes_have_their_owners_letter() -> None:
    letters = [text.text for text in shown(ONE_BOX).iter(f"{SVG}text")]
    assert letters[0] == "R"
    assert "B" not in letters


def test_a_figure_has_the_size_that_is_asked_for() -> None:
    assert tuple(figure(ONE_BOX).get_size_inches()) == (3, 3)
    assert tuple(figure(ONE_BOX, size=5).get_size_inches()) == (5, 5)


@given(boards())
def test_a_figure_shows_every_line_and_box(board: Board) -> None:
    (axes,) = figure(board).axes
    *lines, dots = (np.asarray(drawn.get_xydata()).tolist() for drawn in axes.lines)
    assert lines == [[[i, j], [r, s]] for i, j, r, s in board.lines]
    assert len(dots) == (board.size + 1) ** 2
    assert [text.get_text() for text in axes.texts] == [
        *("R" for _ in board.red_boxes),
        *("B" for _ in board.blue_boxes),
    ]


def test_a_box_is_filled_where_it_is() -> None:
    (axes,) = figure(ONE_BOX).axes
    (box,) = axes.patches
    assert box.get_path().get_extents().get_points().tolist() == [[0, 0], [1, 1]]
    assert to_hex(box.get_facecolor()) == "#d55e00"


def test_without_matplotlib_it_is_a_picture_and_a_warning_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.warns(UserWarning, match=r"pip install 'boxroom\[figures\]'"):
        drawn = drawboard(ONE_BOX, size=2)
    assert isinstance(drawn, BoardPicture)
    picture = ElementTree.fromstring(drawn._repr_svg_())
    assert (picture.attrib["width"], picture.attrib["height"]) == ("192", "192")
    assert [each.tag for each in picture] == [each.tag for each in shown(ONE_BOX)]
