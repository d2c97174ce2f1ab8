"""Terminals as pictures."""

from xml.etree import ElementTree

import pyte
from scripts.terminal_svg import BACKGROUND, CELL_WIDTH, FOREGROUND, svg

SVG = "{http://www.w3.org/2000/svg}"


def picture(written: str, columns: int = 20, lines: int = 3) -> ElementTree.Element:
    screen = pyte.Screen(columns, lines)
    pyte.Stream(screen).feed(written)
    return ElementTree.fromstring(svg(screen, 'Ada & <Bob> "x"'))


def texts(document: ElementTree.Element) -> list[tuple[str | None, str | None]]:
    return [(text.text, text.get("class")) for text in document.iter(f"{SVG}text")]


def rects(document: ElementTree.Element) -> list[tuple[int, str | None]]:
    """Return the rectangles but the frame: their widths in cells, and their colours."""
    _, *others = document.iter(f"{SVG}rect")
    return [(int(rect.attrib["width"]) // CELL_WIDTH, rect.get("fill")) for rect in others]


def test_a_picture_is_well_formed_and_has_a_title() -> None:
    document = picture('a <b> & "c"')
    assert document.tag == f"{SVG}svg"
    assert document.findtext(f"{SVG}title") == 'Ada & <Bob> "x"'
    assert texts(document) == [('a <b> & "c"', f"c{FOREGROUND[1:]}")]


def test_cells_that_look_alike_are_one_text_in_its_place() -> None:
    document = picture("  one\x1b[1m two\x1b[0m  three\r\n four")
    one, two, three, four = document.iter(f"{SVG}text")
    assert [text.text for text in (one, two, three, four)] == ["one", "two", "three", "four"]
    assert int(two.attrib["x"]) - int(one.attrib["x"]) == 4 * CELL_WIDTH
    assert int(three.attrib["textLength"]) == 5 * CELL_WIDTH
    assert one.get("y") == two.get("y") == three.get("y") != four.get("y")


def test_every_text_has_its_colour_and_its_marks() -> None:
    document = picture("\x1b[38;2;0;114;178ma\x1b[1mb\x1b[0m\x1b[3;4;31mc\x1b[0m\x1b[92md")
    assert texts(document) == [
        ("a", "c0072b2"),
        ("b", "c0072b2 b"),
        ("c", "cff7b72 i u"),
        ("d", "c3fb950"),
    ]
    style = document.findtext(f"{SVG}style")
    assert style is not None
    assert ".c0072b2{fill:#0072b2}" in style


def test_backgrounds_and_what_is_in_reverse_are_areas() -> None:
    document = picture("\x1b[48;2;1;2;3mabc\x1b[0m\x1b[7mde\x1b[31m  \x1b[0m\x1b[?25l")
    assert rects(document) == [(3, "#010203"), (2, FOREGROUND), (2, "#ff7b72")]
    assert texts(document)[1] == ("de", f"c{BACKGROUND[1:]}")


def test_the_cursor_is_seen_unless_it_is_hidden() -> None:
    assert len(rects(picture("abc"))) == 1
    assert rects(picture("abc\x1b[?25l")) == []


def test_a_wide_character_takes_two_cells() -> None:
    document = picture("本a")
    (text,) = document.iter(f"{SVG}text")
    assert text.text == "本a"
    assert text.get("textLength") == str(3 * CELL_WIDTH)
