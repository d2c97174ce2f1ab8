"""Parsing and formatting of the values of settings."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_client.profile.setting_values import (
    format_language,
    format_size,
    format_switch,
    format_text,
    parse_destination,
    parse_language,
    parse_name,
    parse_size,
    parse_switch,
    parse_switch_or_auto,
    parse_text,
)
from boxroom_client.servers.address import Address, Destination
from boxroom_common.phrases import LANGUAGES
from boxroom_engine.games.drawing import Size

NOT_TEXT: list[object] = [5, 1.5, True, [], {}, None]


@each(
    "written, meant",
    [
        *((word, True) for word in ("yes", "on", "true", "1", "YES", "On", 1, True)),
        *((word, False) for word in ("no", "off", "false", "0", "No", 0, False)),
    ],
)
def test_a_switch_has_many_words(written: object, meant: bool) -> None:
    assert parse_switch(written) is meant
    assert parse_switch_or_auto(written) is meant


@each("written", ["", "maybe", "auto", 2, 1.0, [], {}, None])
def test_everything_else_isnt_a_switch(written: object) -> None:
    with pytest.raises(ValueError, match="has to be yes or no"):
        parse_switch(written)


def test_auto_is_none() -> None:
    assert parse_switch_or_auto("Auto") is None
    with pytest.raises(ValueError, match="yes, no or auto"):
        parse_switch_or_auto("maybe")


@each(
    "written, size",
    [("S", Size.COMPACT), ("m", Size.NORMAL), (" L ", Size.LARGE), ("AUTO", None)],
)
def test_sizes_have_letters(written: str, size: Size | None) -> None:
    assert parse_size(written) is size


@each(
    "parse, written, why",
    [
        (parse_size, "XXL", "'XXL' isn't a size; there are S, M, L and auto"),
        (parse_name, "!", "'!' can't be a name: it has 1 to 24 letters"),
        (parse_name, " ", "can't be empty"),
        (parse_destination, "a b", "'a b' isn't a host: an address is like "),
        (parse_text, "", "can't be empty"),
        *(
            (parse, value, "has to be text, in quotation marks")
            for parse in (
                parse_size,
                parse_name,
                parse_destination,
                parse_text,
            )
            for value in NOT_TEXT
        ),
    ],
)
def test_mistakes_are_explained(parse: Callable[[object], object], written: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse(written)


def test_nothing_is_a_name_and_an_address() -> None:
    assert parse_name("") is None
    assert parse_destination("") is None


@given(st.sampled_from([True, False, None]))
def test_switches_are_shown_as_they_are_written(value: bool | None) -> None:
    assert parse_switch_or_auto(format_switch(value)) is value


@given(st.sampled_from([*Size, None]))
def test_sizes_are_shown_as_they_are_written(size: Size | None) -> None:
    assert parse_size(format_size(size)) is size


@given(st.sampled_from([*LANGUAGES, None]))
def test_languages_are_shown_as_they_are_written(language: str | None) -> None:
    assert parse_language(format_language(language)) == language


@each(
    "destination",
    [Destination(Address("a")), Destination(Address("::1", 1, True, "/x"), "den 2"), None],
)
def test_addresses_are_shown_as_they_are_written(destination: Destination | None) -> None:
    assert parse_destination(format_text(destination)) == destination


@given(st.text("aé漢 '-", min_size=1, max_size=30))
def test_names_are_shown_as_they_are_written(text: str) -> None:
    try:
        name = parse_name(text)
    except ValueError:
        return
    assert parse_name(format_text(name)) == name
