"""The bar chart in SVG."""

from xml.etree import ElementTree

from tests.engine.games.dots.recorded_games import OF_THREE, SMALL, exactly
from tests.lab.analysis.games import From, analysed, large

from boxroom_lab.analysis.analysed_game import AnalysedGame
from boxroom_lab.analysis.chart_svg import chart_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(analysed: AnalysedGame) -> ElementTree.Element:
    return ElementTree.fromstring(chart_svg(analysed, "Ada & Bob"))


def titles(picture: ElementTree.Element, kind: str) -> list[str]:
    found = (each.find(f"{SVG}title") for each in picture.iter(f"{SVG}{kind}"))
    return [title.text or "" for title in found if title is not None]


def texts(picture: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in picture.iter(f"{SVG}text")]


def test_every_position_with_a_lead_has_a_bar_that_tells_of_it() -> None:
    game = large()
    bars = titles(drawn(game), "rect")
    assert len(bars) == sum(lead.seat is not None for lead in game.leads)
    assert "after 31 moves: Ada ahead by 7 if both play best from there on" in bars
    assert "after 32 moves: Bob ahead by 9 if both play best from there on" in bars


def test_those_of_the_first_stand_and_those_of_the_second_hang() -> None:
    picture = drawn(large())
    line = picture.find(f"{SVG}line")
    assert line is not None
    axis = float(line.attrib["y1"])
    for bar in picture.iter(f"{SVG}rect"):
        top, height = float(bar.attrib["y"]), float(bar.attrib["height"])
        if bar.attrib["class"] == "c0":
            assert abs(top + height - axis) <= 0.2
        else:
            assert abs(top - axis) <= 0.2


def test_everything_is_inside_the_picture() -> None:
    for game in (large(), analysed(OF_THREE), analysed(SMALL)):
        picture = drawn(game)
        width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
        for bar in picture.iter(f"{SVG}rect"):
            assert float(bar.attrib["x"]) + float(bar.attrib["width"]) <= width
        assert all(float(each.attrib["y"]) <= height for each in picture.iter(f"{SVG}text"))


def test_costly_moves_are_marked_by_the_glyph_of_who_played_them() -> None:
    picture = drawn(large())
    marked = titles(picture, "text")
    assert "32. v10 by Ada: −8" in marked
    assert len(marked) == sum(move.is_costly for move in large().judged.moves)
    assert texts(picture)[-2:] == ["● Ada ahead", "■ Bob ahead"]
    assert texts(picture)[0] == "Ada & Bob"


def test_scores_so_far_are_pale() -> None:
    picture = drawn(analysed(SMALL, lambda game: From(99, exactly(game))))
    assert {bar.attrib["class"] for bar in picture.iter(f"{SVG}rect")} == {"c0 dotted"}
    assert titles(picture, "rect")[0] == "after 5 moves: Ada ahead by 1 by the score so far"
    assert texts(picture)[-1] == "pale: by the score so far"


def test_a_game_without_a_lead_has_no_bars() -> None:
    game = analysed(
        "dots rows=9 cols=9 border=none | A, B | h0", lambda game: From(99, exactly(game))
    )
    assert titles(drawn(game), "rect") == []
