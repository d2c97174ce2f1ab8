"""The state of a form, without a terminal."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from tests.client.screen.looks import fills, plain

from boxroom_client.screen.forms.fields import FIELD_KEYS, Choice, Field, Number, Text
from boxroom_client.screen.forms.form_state import MOVES, FormState, Values
from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.themes.symbols import ASCII

SHAPES = Choice((("square", "a square"), ("round", "a disc")))


def ask(values: Values) -> tuple[Field, ...]:
    """Return the fields about a cake and its guests."""
    pieces = values.get("pieces", "2")
    count = int(pieces) if pieces.isdigit() and 1 <= int(pieces) <= 30 else 0
    mistake = "" if count else "there are 1 to 30 pieces"
    names = [(f"name {number}", f"Piece {number}") for number in range(1, count + 1)]
    return (
        Field("shape", "Shape", SHAPES, values.get("shape", "square"), "what it looks like"),
        Field("pieces", "Pieces", Number(1, 30), pieces, "how many there are", mistake),
        *(_name(name, label, values.get(name, "Ada")) for name, label in names),
    )


def _name(name: str, label: str, value: str) -> Field:
    return Field(name, label, Text(24), value, "who gets it", "" if value else "nobody is no name")


def after(*keys: str) -> FormState:
    blank = FormState("A cake", ask, "bakes", ("For everybody.",))
    for key in keys:
        blank = blank.typed(key)
    return blank


KEYS = st.lists(
    st.one_of(st.sampled_from((*MOVES, *FIELD_KEYS)), st.text("0123456789é漢…", min_size=1)),
    max_size=15,
)


@given(KEYS, st.integers(1, 130), st.integers(1, 60), st.booleans())
def test_any_terminal_is_filled(keys: list[str], columns: int, lines: int, tried: bool) -> None:
    blank = after(*keys)
    if tried and not blank.is_valid:
        blank = blank.refused()
    assert fills(blank.rows(columns, lines), columns, lines)


@given(KEYS, st.integers(LEAST_COLUMNS, 130), st.integers(LEAST_LINES, 60))
def test_the_current_field_is_seen_and_marked(keys: list[str], columns: int, lines: int) -> None:
    blank = after(*keys)
    shown = plain(blank.rows(columns, lines)).splitlines()
    marked = [y for y, line in enumerate(shown) if line.startswith(" ▶")]
    assert len(marked) == 1
    assert blank.current.label in shown[marked[0]]
    assert blank.index_at(marked[0], columns, lines) == blank.index


@given(KEYS, st.integers(LEAST_COLUMNS, 130), st.integers(LEAST_LINES, 60))
def test_the_cursor_is_where_one_types(keys: list[str], columns: int, lines: int) -> None:
    blank = after(*keys)
    at = blank.cursor_at(columns, lines)
    if isinstance(blank.current.kind, Choice):
        assert at is None
        return
    assert at is not None
    row = "".join(text for _, text in blank.rows(columns, lines)[at[1]])
    typing = blank.typing
    before = typing.halves[0] if typing is not None else blank.current.value
    assert row[: at[0]].endswith(before[-3:])


@given(KEYS)
def test_every_field_can_be_reached(keys: list[str]) -> None:
    blank, names = after(*keys).typed("pageup"), []
    for _ in blank.fields:
        names.append(blank.current.name)
        blank = blank.typed("tab")
    assert names == [each.name for each in blank.fields]
    assert blank.index == 0
    assert blank.typed("s-tab").index == len(names) - 1
    assert blank.typed("up").index == 0
    assert blank.typed("pagedown").typed("down").index == len(names) - 1


def test_fields_come_and_go_with_what_stands_in_others() -> None:
    assert len(after().fields) == 4
    assert len(after("down", "3").fields) == 5
    assert len(after("down", "backspace").fields) == 2


def test_what_was_typed_is_there_again_when_its_field_is() -> None:
    blank = after("down", "down", "B", "o", "b", "up", "0", "right", "right")
    assert [each.value for each in blank.fields] == ["square", "2", "Bob", "Ada"]


def test_a_mistake_is_told_at_its_field_but_not_in_the_midst_of_a_word() -> None:
    assert "there are 1 to 30 pieces" in plain(after("down", "0").rows(80, 24))
    erased = after("down", "down", "c-u")
    assert not erased.is_valid
    assert "nobody is no name" not in plain(erased.rows(80, 24))
    assert "nobody is no name" in plain(erased.typed("up").rows(80, 24))
    assert "nobody is no name" in plain(erased.refused().rows(80, 24))
    assert "nobody is no name" not in plain(erased.refused().typed("B").rows(80, 24))


def test_enter_with_a_mistake_leads_to_it() -> None:
    refused = after("down", "0", "up").refused()
    assert refused.current.name == "pieces"
    assert refused.typed("3").current.value == "3"


def test_a_form(golden: Callable[[str, str], None]) -> None:
    name = "a very long name of somebody who gets a piece"
    many = after("down", "2", "0", *["down"] * 11)
    ascii_only = FormState("A cake…", ask, "bakes", ("For everybody.",), symbols=ASCII)
    looks = [
        after().rows(70, 12),
        after("down", "0").rows(70, 12),
        after("down", "0").rows(40, 12),
        after("down", "down", name).rows(40, 12),
        after("down", "down", "c-u").refused().rows(70, 12),
        many.rows(70, 14),
        ascii_only.rows(70, 12),
        after().rows(39, 12),
    ]
    golden("blank", "=\n".join(map(plain, looks)))
