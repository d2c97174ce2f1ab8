"""Trees as SVG pictures."""

from xml.etree import ElementTree

from tests.lab.gametree.trees import tree

from boxroom_engine.games.registry import make_game
from boxroom_lab.gametree.as_svg import tree_svg
from boxroom_lab.gametree.graph import apart, build_graph

SVG = "{http://www.w3.org/2000/svg}"


def drawn(depth: int) -> ElementTree.Element:
    return ElementTree.fromstring(tree_svg(tree(depth), "Noughts & Crosses"))


def test_every_move_is_a_line_with_its_text_and_its_worth() -> None:
    picture = drawn(2)
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert len(list(picture.iter(f"{SVG}line"))) == 9
    assert texts[0] == "0"
    assert texts[1:7] == ["3", "0", "5", "0", "6", "−1"]
    assert texts[7:13] == ["5", "0", "3", "0", "6", "−1"]
    assert texts[13:] == ["6", "0", "3", "0", "5", "0"]


def test_the_colour_tells_who_plays_and_the_width_if_it_is_best() -> None:
    classes = [line.attrib["class"] for line in drawn(2).iter(f"{SVG}line")]
    assert classes[:3] == ["c0 best", "c1 best", "c1"]


def test_pointing_at_a_move_shows_it_in_words() -> None:
    titles = [title.text for title in drawn(2).iter(f"{SVG}title")]
    assert titles[:3] == [
        "Noughts & Crosses",
        "Player 1 plays 3: 0, best",
        "Player 2 plays 5: 0, best",
    ]


def test_nothing_lies_on_anything_else_or_outside() -> None:
    picture = drawn(3)
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    places = [(float(t.attrib["x"]), float(t.attrib["y"])) for t in picture.iter(f"{SVG}text")]
    assert len(set(places)) == len(places)
    assert all(0 < x < width and 0 < y < height for x, y in places)


def test_lines_lead_from_one_level_to_the_next() -> None:
    for line in drawn(3).iter(f"{SVG}line"):
        assert 0 < float(line.attrib["y2"]) - float(line.attrib["y1"]) < 90


def test_without_values_there_are_only_moves() -> None:
    state = make_game("noughts", {}, 2).initial()
    bare = build_graph(state, 1, lambda after: None, apart, most_positions=10)
    texts = ElementTree.fromstring(tree_svg(bare, "bare")).iter(f"{SVG}text")
    assert [text.text for text in texts] == [str(cell) for cell in range(9)]
