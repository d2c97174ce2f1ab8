"""Drawings as SVG."""

import re
from xml.etree import ElementTree

from boxroom_engine.games.drawing import Ink, Look, Span
from boxroom_engine.games.marks import glyph
from boxroom_engine.games.picture import (
    CELL_WIDTH,
    inlaid,
    picture,
    picture_of_game,
    picture_of_state,
)
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import make_game

SVG = "{http://www.w3.org/2000/svg}"


def position(*moves: str) -> State:
    state = make_game("dots", {"rows": 1, "cols": 1}, 2).initial()
    for move in moves:
        state = state.play(state.game.parse_move(move))
    return state


def svg(*moves: str) -> ElementTree.Element:
    drawing = position(*moves).draw(Look((glyph(0), glyph(7))))
    return ElementTree.fromstring(picture(drawing.rows, [0, 7], 'Ada & <Bob> "x"'))


def test_a_picture_is_well_formed_and_has_a_title() -> None:
    document = svg()
    assert document.tag == f"{SVG}svg"
    assert document.findtext(f"{SVG}title") == 'Ada & <Bob> "x"'


def test_every_text_is_as_wide_as_its_cells() -> None:
    for text in svg("h0").iter(f"{SVG}text"):
        assert int(text.attrib["textLength"]) == CELL_WIDTH * len(text.text or "")


def test_lines_and_boxes_have_the_colour_of_their_seat() -> None:
    document = svg("h0", "h1", "v0", "v1")
    classes = [(text.text, text.get("class")) for text in document.iter(f"{SVG}text")]
    assert ("━━━━━", "bold c0") in classes
    assert ("□", "bold c1") in classes


def test_what_the_last_move_did_stands_out() -> None:
    assert len(list(svg("h0").iter(f"{SVG}rect"))) == 1
    assert len(list(svg("h0", "h1", "v0", "v1").iter(f"{SVG}rect"))) == 2


def test_a_picture_suits_dark_and_light_pages() -> None:
    style = svg().findtext(f"{SVG}style")
    assert style is not None
    assert "prefers-color-scheme: dark" in style


def texts(document: str) -> list[str | None]:
    return [text.text for text in ElementTree.fromstring(document).iter(f"{SVG}text")]


def test_a_position_is_shown_with_its_score() -> None:
    shown = texts(picture_of_state(position("h0", "h1", "v0", "v1"), ["Ada", "Bob"]))
    assert shown[-2:] == ["● Ada 0", "■ Bob 1"]
    assert shown.count("■") == 1  # in the box


def test_without_names_players_have_numbers() -> None:
    assert texts(picture_of_state(position()))[-2:] == ["● player 1 0", "■ player 2 0"]


def test_marks_of_the_game_stand_instead_of_glyphs() -> None:
    state = make_game("noughts", {}, 2).initial()
    shown = texts(picture_of_state(state.play(state.legal_moves()[0]), ["Ada", "Bob"]))
    assert shown.count("x") == 1
    assert shown[-2:] == ["x Ada 0", "o Bob 0"]


def test_a_game_is_shown_as_it_begins() -> None:
    assert picture_of_game(position("h0").game) == picture_of_state(position())


def test_styles_are_for_this_picture_alone() -> None:
    document = svg("h0")
    rules = re.findall(r"([^{}\n]+) \{ [a-z]", document.findtext(f"{SVG}style") or "")
    assert document.get("class") == "boxroom"
    assert len(rules) > 4
    assert all(rule.strip().startswith((".boxroom ", "@media")) for rule in rules)


def test_a_drawing_in_a_larger_picture_begins_at_its_corner() -> None:
    rows = [[Span("xx", Ink.OWNED, Seat(0)), Span("o", Ink.OWNED, Seat(1))]]
    alone = ElementTree.fromstring(picture(rows, (0, 1), "alone"))
    part = ElementTree.fromstring("".join(inlaid(rows, (0, 1), 100, 50, 0.5)))
    assert part.attrib["transform"] == "translate(90 40) scale(0.5)"  # less half the margin of 20
    assert [text.attrib for text in part] == [text.attrib for text in alone.iter(f"{SVG}text")]
