"""The picture in README shows the program as it is, and loads nothing."""

import os
import re
from xml.etree import ElementTree

from scripts.write_picture import PICTURE, TITLE, picture

SVG = "{http://www.w3.org/2000/svg}"


async def test_the_picture_is_current() -> None:
    """BOXROOM_UPDATE_GOLDEN=1 writes it; so does `python -m scripts.write_picture`."""
    made = await picture()
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        PICTURE.write_text(made, encoding="utf-8")
    assert made == PICTURE.read_text(encoding="utf-8")


def test_it_shows_a_game_its_players_and_what_they_say() -> None:
    document = ElementTree.fromstring(PICTURE.read_text(encoding="utf-8"))
    assert document.findtext(f"{SVG}title") == TITLE
    shown = [text.text or "" for text in document.iter(f"{SVG}text")]
    assert "kiwa-tobe · Dots and Boxes (rows 5, cols 5, border none) · 1 watching" in shown
    assert {"Ada", "Bob", "greedy", ": not me!", "Ada>", "━━━━━━━━━", "●", "■"} <= set(shown)


def test_nothing_is_loaded_from_anywhere_and_nothing_runs() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    tags = {element.tag for element in ElementTree.fromstring(text).iter()}
    assert tags == {SVG + tag for tag in ("svg", "title", "style", "rect", "text")}
    assert not re.search(r"href|url\(|@import|\bon\w+=", text)
    assert text.count("http") == 1  # the name of the format
