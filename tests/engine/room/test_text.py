"""Cleaning of names and chat: nothing is left that could fool a terminal or a person."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.room.text import EMOJI_JOINER, clean, clean_name, fold, same_name

spicy = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "\u200b\u200d\u202e\u2066\u2028\x00\x1b\x85\r\n\t \u3000\ufeff\ufe0f\u3164"
        ),
        st.sampled_from("aé e\u0301ﬁ_-.'👩🚀"),
    )
)


BLANKS = [
    *map(chr, (0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180E, 0x180F, 0x200B)),
    *map(chr, (0x200D, 0x202E, 0x2060, 0x206F, 0x2800, 0x2D7F, 0x3000, 0x3164, 0xFE00, 0xFE0F)),
    *map(chr, (0xFEFF, 0xFFA0, 0xFFF0, 0xFFF8, 0x1107F, 0x13441, 0x13442, 0x16FE4, 0x1BCA0)),
    *map(chr, (0x1D159, 0x1D173, 0xE0001, 0xE0020, 0xE0100, 0xE01EF, 0xE0FFF)),
]
"""Characters that show nothing: those with Default_Ignorable_Code_Point, spaces and blanks."""


class TestClean:
    @each(
        "text, cleaned",
        [
            ("hello", "hello"),
            ("  hello  ", "hello"),
            ("two\nlines", "two lines"),
            ("two\r\n\r\nlines", "two lines"),
            ("a\ttab", "a tab"),
            ("line\u2028and\u2029paragraph", "line and paragraph"),
            ("\x1b[31mred\x1b[0m", "[31mred[0m"),
            ("\x1b]0;title\x07", "]0;title"),
            ("nul\x00", "nul"),
            ("c1\x9b31m", "c131m"),
            ("abc\u202ecba", "abccba"),
            ("\u2066isolated\u2069", "isolated"),
            ("zero\u200bwidth\u200c\ufeff", "zerowidth"),
            ("soft\u00adhyphen", "softhyphen"),
            ("tag\U000e0041", "tag"),
            ("private\ue000", "private"),
            ("lone\ud800", "lone"),
            ("👩\u200d🚀", "👩\u200d🚀"),
            ("❤️", "❤️"),
            ("\u200d", ""),
            (" \u200d x \u200d ", "x"),
            ("naïve Ωμέγα 漢字", "naïve Ωμέγα 漢字"),
        ],
    )
    def test_examples(self, text: str, cleaned: str) -> None:
        assert clean(text) == cleaned

    @given(spicy)
    def test_twice_is_once(self, text: str) -> None:
        assert clean(clean(text)) == clean(text)

    @given(spicy)
    def test_leaves_one_line_of_visible_characters(self, text: str) -> None:
        cleaned = clean(text)
        assert cleaned == cleaned.strip()
        assert len(cleaned.splitlines()) <= 1
        assert not any(
            unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
            for char in cleaned.replace(EMOJI_JOINER, "")
        )

    @given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"])))
    def test_leaves_ordinary_text_alone(self, text: str) -> None:
        assert clean(text) == text


class TestName:
    @each(
        "text, name",
        [
            ("Ada", "Ada"),
            ("  Ada  ", "Ada"),
            ("Ada \n Lovelace", "Ada Lovelace"),
            ("Ada\u3000L", "Ada L"),
            ("O'Brien-Smith_2.0", "O'Brien-Smith_2.0"),
            ("e\u0301", "é"),
            ("漢字", "漢字"),
            ("Zoe\u0308", "Zoë"),
            ("Ada\u202e", "Ada"),
            ("7", "7"),
        ],
    )
    def test_examples(self, text: str, name: str) -> None:
        assert clean_name(text, 24) == name

    @each(
        "text",
        [
            "",
            " ",
            "\u200b",
            "---",
            "Ada!",
            "<b>",
            "/kick",
            "a:b",
            "a;b",
            "👩",
            "a\u200db",
            "\u3164",
            "Ada\ufe0f",
            "Ada\u034f",
            "x" * 25,
        ],
    )
    def test_what_is_none(self, text: str) -> None:
        assert clean_name(text, 24) is None

    @pytest.mark.parametrize("blank", BLANKS, ids=lambda it: f"{ord(it):04X}")
    def test_what_shows_nothing_makes_no_name(self, blank: str) -> None:
        name = clean_name(f"A{blank}da{blank}", 24)
        assert name in (None, "Ada", "A da")  # it is refused, dropped, or a space
        assert clean_name(blank, 24) is None

    def test_a_name_with_such_characters_that_is_known_stays_one(self) -> None:
        old = "Ada\U00016fe4"
        assert clean_name(old, 24) is None
        assert clean_name(f" {old} ", 24, {old}.__contains__) == old
        assert clean_name("Ada!", 24, lambda name: True) is None

    @given(spicy)
    def test_twice_is_once(self, text: str) -> None:
        name = clean_name(text, 24)
        assert name is None or clean_name(name, 24) == name

    @given(spicy)
    def test_is_a_line_that_cleaning_leaves_alone(self, text: str) -> None:
        name = clean_name(text, 24)
        assert name is None or (clean(name) == name and 1 <= len(name) <= 24)


class TestSameName:
    @each(
        "one, other",
        [("Ada", "ADA"), ("Straße", "STRASSE"), ("ﬁn", "fin"), ("\uff21da", "Ada"), ("é", "É")],
    )
    def test_case_and_width_do_not_count(self, one: str, other: str) -> None:
        assert same_name(one, other)

    @each("one, other", [("Ada", "Ade"), ("e", "é"), ("Ada", "Ada 2")])
    def test_letters_do(self, one: str, other: str) -> None:
        assert not same_name(one, other)

    @given(spicy)
    def test_folding_twice_is_folding_once(self, text: str) -> None:
        name = clean_name(text, 24)
        assert name is None or fold(fold(name)) == fold(name)
