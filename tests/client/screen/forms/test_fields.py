"""Keys edit the values of fields."""

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_client.screen.forms.fields import (
    FIELD_KEYS,
    Choice,
    EditBuffer,
    Field,
    FieldKind,
    Number,
    Text,
)

BORDERS = Choice((("none", "none"), ("half", "half"), ("full", "all four")))
ROWS = Number(1, 1000)
CLOCK = Number(1, 86_400, off="off", stops=(5, 10, 30))
SEATS = Number(2, 20, can_be_range=True)
NAME = Text(8)

KEYS = st.one_of(st.sampled_from(FIELD_KEYS), st.text(min_size=1, max_size=12))
KINDS: list[FieldKind] = [BORDERS, ROWS, CLOCK, SEATS, NAME]


def after(value: str, kind: FieldKind, *keys: str) -> str:
    """Return `value` after `keys`."""
    typing = EditBuffer.into(value)
    for key in keys:
        typing = typing.typed(key, kind)
    return typing.value


@given(st.sampled_from(KINDS), st.text(max_size=8), st.lists(KEYS, max_size=12))
def test_the_cursor_stays_in_the_value(kind: FieldKind, value: str, keys: list[str]) -> None:
    typing = EditBuffer.into(value)
    for key in keys:
        typing = typing.typed(key, kind)
        assert 0 <= typing.cursor <= len(typing.value)
        assert "".join(typing.halves) == typing.value


@given(st.lists(KEYS, max_size=12))
def test_a_word_is_always_one_of_the_choices(keys: list[str]) -> None:
    assert after("none", BORDERS, *keys) in ("none", "half", "full")


@given(st.lists(st.sampled_from(["left", "right"]), max_size=12), st.sampled_from([ROWS, CLOCK]))
def test_steps_stay_between_the_least_and_the_most(keys: list[str], kind: Number) -> None:
    value = after("5", kind, *keys)
    assert value == kind.off or kind.least <= int(value) <= kind.most


@each(
    "value, kind, keys, is_then",
    [
        ("none", BORDERS, ["right"], "half"),
        ("none", BORDERS, ["left"], "full"),
        ("full", BORDERS, [" "], "none"),
        ("none", BORDERS, ["a"], "full"),
        ("none", BORDERS, ["N"], "none"),
        ("none", BORDERS, ["x"], "none"),
        ("gone", BORDERS, ["right"], "none"),
        ("gone", BORDERS, ["left"], "full"),
        ("5", ROWS, ["right"], "6"),
        ("1", ROWS, ["left"], "1"),
        ("1000", ROWS, ["right"], "1000"),
        ("5000", ROWS, ["left"], "1000"),
        ("", ROWS, ["right"], "1"),
        ("5", ROWS, ["7"], "7"),
        ("5", ROWS, ["1", "2"], "12"),
        ("5", ROWS, ["1", "2", "3", "4", "5"], "1234"),
        ("5", ROWS, ["x", "-"], "5"),
        ("5", ROWS, ["5 000"], "5000"),
        ("12", ROWS, ["backspace"], "1"),
        ("12", ROWS, ["backspace", "backspace"], ""),
        ("12", ROWS, ["backspace", "4"], "14"),
        ("12", ROWS, ["right", "4"], "4"),
        ("off", CLOCK, ["right"], "5"),
        ("off", CLOCK, ["left"], "off"),
        ("off", CLOCK, ["2", "0"], "20"),
        ("5", CLOCK, ["left"], "off"),
        ("20", CLOCK, ["right"], "30"),
        ("20", CLOCK, ["left"], "10"),
        ("77", CLOCK, ["right"], "77"),
        ("30", CLOCK, ["o"], "off"),
        ("2", SEATS, ["2", "-", "1", "2"], "2-12"),
        ("2", SEATS, ["10-200"], "10-20"),
        ("2-6", SEATS, ["right"], "2-7"),
        ("2-20", SEATS, ["right"], "2-20"),
        ("2-", SEATS, ["left"], "2-2"),
        ("Ada", NAME, ["B", "o", "b"], "Bob"),
        ("Ada", NAME, ["end", "m"], "Adam"),
        ("Ada", NAME, ["left", "n"], "Adna"),
        ("Ada", NAME, ["home", "delete"], "da"),
        ("Ada", NAME, ["home", "right", "x"], "Axda"),
        ("Ada", NAME, ["left", "c-k"], "Ad"),
        ("Ada", NAME, ["left", "c-u"], "a"),
        ("Ada Bo", NAME, ["c-w"], "Ada "),
        ("a🇩🇪", NAME, ["backspace"], "a"),
        ("a🇩🇪", NAME, ["left", "left", "delete"], "🇩🇪"),
        ("🇩🇪a", NAME, ["home", "right", "x"], "🇩🇪xa"),
        ("Ada", NAME, ["c-a", "B", "c-e", "C"], "BAdaC"),
        ("Ada", NAME, ["Ada\tLovelace"], "Ada Love"),
    ],
)
def test_keys_do_what_one_expects(
    value: str, kind: FieldKind, keys: list[str], is_then: str
) -> None:
    assert after(value, kind, *keys) == is_then


def test_words_are_shown_as_they_are_called() -> None:
    assert Field("border", "Border", BORDERS, "full").shown == "all four"
    assert Field("border", "Border", BORDERS, "gone").shown == "gone"
    assert Field("rows", "Rows", ROWS, "5").shown == "5"
