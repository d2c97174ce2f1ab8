"""Glyphs, colours and marks of players. The marks of each game are tested with the games."""

from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from boxroom_engine.games.marks import SEAT_COLOURS, Mark, glyph, seat_colour


@given(number=st.integers(0, 10_000), ascii_only=st.booleans())
def test_a_glyph_is_one_character_in_one_cell(number: int, ascii_only: bool) -> None:
    character = glyph(number, ascii_only=ascii_only)
    assert wcwidth(character) == len(character) == 1
    assert character.isascii() or not ascii_only


def test_the_first_glyphs_are_all_different() -> None:
    assert len({glyph(number) for number in range(74)}) == 74
    assert len({glyph(number, ascii_only=True) for number in range(62)}) == 62


def test_a_mark_is_the_glyph_unless_the_game_has_its_own() -> None:
    assert Mark(1).text() == "■"
    assert Mark(1).text(ascii_only=True) == "B"
    assert Mark(1, own="x").text() == Mark(1, own="x").text(ascii_only=True) == "x"


def test_the_first_seats_have_different_colours() -> None:
    assert len({seat_colour(number) for number in range(len(SEAT_COLOURS))}) == len(SEAT_COLOURS)
    assert seat_colour(len(SEAT_COLOURS)) == seat_colour(0)
    assert seat_colour(0).hex == "#0072B2"
