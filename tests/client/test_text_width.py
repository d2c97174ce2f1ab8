"""Text is measured, aligned and cut by grapheme clusters."""

from tests.cases import each

from boxroom_client.text_width import (
    beginning,
    centred,
    column_widths,
    first_grapheme,
    last_grapheme,
    left_aligned,
    right_aligned,
    text_width,
    wrap,
)

FAMILY = "👨\u200d👩\u200d👧"


@each(
    "text, width",
    [
        ("abc", 3),
        ("漢字", 4),
        ("e\u0301", 1),
        ("❤\ufe0f", 2),
        ("🇩🇪", 2),
        ("1\ufe0f\u20e3", 2),
        (FAMILY, 2),
        ("👍🏽", 2),
        ("\u1100\u1161\u11a8", 2),
        ("🏳\ufe0f\u200d🌈", 2),
    ],
)
def test_a_cluster_takes_the_cells_of_one_character(text: str, width: int) -> None:
    assert text_width(text) == width
    assert text_width(left_aligned(text, 9)) == text_width(right_aligned(text, 9)) == 9
    assert text_width(centred(text, 9)) == 9
    assert list(column_widths([(text, "a"), ("", "ab")])) == [width, 2]


@each("text", ["one two three", f"{FAMILY}{FAMILY} 🇩🇪🇩🇪 x 漢字漢字漢字"])
def test_text_is_wrapped_by_cells(text: str) -> None:
    lines = wrap(text, 6, subsequent_indent="  ")
    assert len(lines) > 1
    assert all(text_width(line) <= 6 for line in lines)
    assert "".join("".join(lines).split()) == text.replace(" ", "")


def test_a_cluster_is_never_cut() -> None:
    text = f"a{FAMILY}🇩🇪"
    assert [beginning(text, columns) for columns in range(6)] == [
        *("", "a", "a", f"a{FAMILY}", f"a{FAMILY}", text)
    ]
    assert (first_grapheme(text), last_grapheme(text)) == ("a", "🇩🇪")
    assert first_grapheme("") == last_grapheme("") == ""
