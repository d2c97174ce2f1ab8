"""Text is read in whatever encoding it was written."""

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.decoding import decoded

text_in_utf_8 = st.text(st.characters(codec="utf-8", exclude_characters="\r\x1a\ufeff"))


@given(text_in_utf_8, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_text_in_unicode_is_read_as_it_was_written(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) == text


@given(st.binary())
def test_all_bytes_are_read(content: bytes) -> None:
    assert "\r" not in decoded(content)


@each(
    "content, text",
    [
        (b"Zo\xc3\xab\nZo\xeb\n\x80 \x81", "Zoë\nZoë\n€ \N{REPLACEMENT CHARACTER}"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"a\n\x1a", "a\n"),
        (b"a\x1a\x1a\n", "a\n"),
        (b"a\n\x1ab\n", "a\nb\n"),
        (b"a\x1ab", "a\x1ab"),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", "a\nb"),
        ("a\nb".encode("utf-16-be").replace(b"\0a", b"\xfe\xff\0a", 1), "a\nb"),
    ],
)
def test_marks_are_removed_and_line_ends_are_line_feeds(content: bytes, text: str) -> None:
    assert decoded(content) == text
