"""The layout of dialogs around their body."""

from hypothesis import given
from hypothesis import strategies as st
from tests.client.screen.looks import SYMBOLS, fills, plain

from boxroom_client.screen.dialog import DialogLayout, visible_range
from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.text.rows import Row
from boxroom_client.screen.themes.symbols import ASCII

TEXTS = st.text(st.sampled_from("abc é漢…  "), max_size=120)
SHEETS = st.builds(
    DialogLayout,
    TEXTS,
    st.lists(TEXTS, max_size=12).map(tuple),
    TEXTS,
    TEXTS,
    st.booleans(),
    st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple),
    SYMBOLS,
)


def body(columns: int, lines: int) -> list[Row]:
    return [[("", "body")]] * lines


@given(SHEETS, st.integers(1, 130), st.integers(1, 60))
def test_any_terminal_is_filled(sheet: DialogLayout, columns: int, lines: int) -> None:
    rows = sheet.rows(columns, lines, body)
    assert fills(rows, columns, lines)
    place = sheet.body_place(columns, lines)
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        assert not place
    else:
        assert len(place) >= 3
        shown = plain(rows).splitlines()
        assert all(shown[line] == "body" for line in place)


def test_a_long_body_is_cut_and_a_short_one_leaves_the_rest_empty() -> None:
    sheet = DialogLayout("Title")
    place = len(sheet.body_place(40, 20))
    many = sheet.rows(40, 20, lambda columns, lines: [[("", "x")]] * 100)
    assert fills(many, 40, 20)
    assert plain(many).count("x\n") == place
    assert plain(sheet.rows(40, 20, lambda columns, lines: [[("", "x")]])).count("x\n") == 1


def test_the_introduction_gives_way_line_by_line() -> None:
    sheet = DialogLayout("Title", tuple(f"line {number}" for number in range(1, 8)))
    assert "line 7" in plain(sheet.rows(40, 24, body))
    low = plain(sheet.rows(40, 12, body))
    assert "line 1" in low
    assert "line 7" not in low


def test_a_long_banner_is_cut_and_says_so() -> None:
    shown = plain(DialogLayout("Title", banner="no answer " * 20).rows(40, 12, body)).splitlines()
    assert shown[2].startswith(" no answer")
    assert shown[3].endswith("…")
    assert shown[4] == "body"


def test_ascii_only_is_that() -> None:
    sheet = DialogLayout("Räume…", ("×",), "“quoted”", "–", hints=(("←", "…"),), symbols=ASCII)
    assert plain(sheet.rows(60, 12, body)).isascii()


@given(st.integers(1, 200), st.data(), st.integers(1, 50))
def test_a_window_shows_as_much_as_it_can_and_where_one_is(
    count: int, data: st.DataObject, most: int
) -> None:
    current = data.draw(st.integers(0, count - 1))
    seen = visible_range(count, current, most)
    assert current in seen
    assert len(seen) == min(count, most)
    assert seen.start >= 0
    assert seen.stop <= count
