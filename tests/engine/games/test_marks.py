"""Glyphs, colours and marks of players. The marks of each game are tested with the games."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta
from tests.cases import each
from wcwidth import wcwidth

from boxroom_engine.games.marks import SEAT_COLOURS, Mark, glyph, seat_colour
from boxroom_engine.room.room import SeatCount


@given(number=st.integers(0, 100_000), ascii_only=st.booleans())
def test_each_character_of_a_glyph_takes_one_cell(number: int, ascii_only: bool) -> None:
    text = glyph(number, ascii_only=ascii_only)
    assert all(wcwidth(character) == 1 for character in text)
    assert text.isascii() or not ascii_only


def test_the_first_glyphs_are_one_character() -> None:
    assert {len(glyph(number)) for number in range(74)} == {1}
    assert {len(glyph(number, ascii_only=True)) for number in range(62)} == {1}


@each("ascii_only", [False, True])
def test_no_two_of_all_players_that_a_game_can_have_share_a_glyph(ascii_only: bool) -> None:
    [most] = (meta.le for meta in get_args(SeatCount) if isinstance(meta, Meta))
    assert isinstance(most, int)
    assert len({glyph(number, ascii_only=ascii_only) for number in range(most)}) == most


def test_after_the_characters_a_glyph_is_the_number_of_the_player() -> None:
    assert [glyph(number) for number in (73, 74, 99)] == ["9", "75", "100"]
    assert [glyph(number, ascii_only=True) for number in (61, 62)] == ["9", "63"]


def test_a_mark_is_the_glyph_unless_the_game_has_its_own() -> None:
    assert Mark(1).text() == "■"
    assert Mark(1).text(ascii_only=True) == "B"
    assert Mark(1, own="x").text() == Mark(1, own="x").text(ascii_only=True) == "x"


def test_the_first_seats_have_different_colours() -> None:
    assert len({seat_colour(number) for number in range(len(SEAT_COLOURS))}) == len(SEAT_COLOURS)
    assert seat_colour(len(SEAT_COLOURS)) == seat_colour(0)
    assert seat_colour(0).hex == "#0072B2"
