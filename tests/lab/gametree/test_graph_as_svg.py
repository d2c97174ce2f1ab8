"""Graphs as SVG pictures."""

import re
from itertools import pairwise
from xml.etree import ElementTree

from tests.cases import each
from tests.lab.gametree.graphs import one_box

from boxroom_engine.games.protocol import OptionValue
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.max_n import MaxNSearch
from boxroom_lab.gametree.graph import Graph, build_graph
from boxroom_lab.gametree.graph_as_svg import graph_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(graph: Graph) -> ElementTree.Element:
    return ElementTree.fromstring(graph_svg(graph, "One & all"))


def whole(game: str, options: dict[str, OptionValue]) -> Graph:
    state = make_game(game, options, 2).initial()
    return build_graph(state, None, MaxNSearch().scores, lambda each: each.key, most_positions=1000)


def test_the_title_says_what_it_is() -> None:
    title = drawn(one_box()).find(f"{SVG}title")
    assert title is not None
    assert title.text is not None
    assert title.text.startswith("One & all. Values: by how much player 1")


def test_every_position_is_a_board_with_its_number_and_value() -> None:
    picture = drawn(one_box())
    values = picture.findall(f"{SVG}g/{SVG}text[@class='value']")
    assert [text.text for text in values] == ["1: −1", "2: −1", "3: −1", "4: −1", "5: −1"]
    words = [title.text for title in picture.findall(f"{SVG}g/{SVG}title")]
    assert words[1] == "2  1/0,0/1/-  Player 2 is to move: −1. From 1."
    boards = picture.findall(f"{SVG}g/{SVG}g")
    drawn_lines = ["".join(t.text or "" for t in each.iter(f"{SVG}text")) for each in boards]
    assert [text.count("━") for text in drawn_lines] == [0, 3, 6, 6, 6]


def test_a_line_has_the_movers_colour_and_its_moves_in_words() -> None:
    lines = drawn(one_box()).findall(f"{SVG}line")
    assert [line.attrib["class"] for line in lines[:2]] == ["c0 best", "c1 best"]
    title = lines[0].find(f"{SVG}title")
    assert title is not None
    assert title.text == "1 to 2: Player 1 plays h0 or h1 or v0 or v1: −1, best"


@each(
    "game, options",
    [("dots", {"rows": 2, "cols": 2}), ("noughts", {}), ("subtract-square", {"start": 12})],
)
def test_boards_lie_apart_and_inside_and_lines_lead_down(
    game: str, options: dict[str, OptionValue]
) -> None:
    picture = drawn(whole(game, options))
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    corners = []
    for board in picture.findall(f"{SVG}g/{SVG}g"):
        moved = re.match(r"translate\((\S+) (\S+)\)", board.attrib["transform"])
        assert moved is not None
        corners.append((float(moved[1]), float(moved[2])))
    for (y, x), (next_y, next_x) in pairwise(sorted((y, x) for x, y in corners)):
        assert next_y > y or next_x - x >= 40
    assert all(-10 < x < width and -10 < y < height for x, y in corners)
    for line in picture.iter(f"{SVG}line"):
        assert float(line.attrib["y1"]) < float(line.attrib["y2"])
