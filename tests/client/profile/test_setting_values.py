"""What the values of settings mean."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.profile import setting_values as read
from boxroom_client.servers.address import Address
from boxroom_engine.games.drawing import Size

NOT_TEXT: list[object] = [5, 1.5, True, [], {}, None]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((word, True) for word in ("yes", "on", "true", "1", "YES", "On", 1, True)),
        *((word, False) for word in ("no", "off", "false", "0", "No", 0, False)),
    ],
)
def test_a_switch_has_many_words(written: object, meant: bool) -> None:
    assert read.switch(written) is meant
    assert read.switch_or_auto(written) is meant


@pytest.mark.parametrize("written", ["", "maybe", "auto", 2, 1.0, [], {}, None])
def test_everything_else_isnt_a_switch(written: object) -> None:
    with pytest.raises(ValueError, match="has to be yes or no"):
        read.switch(written)


def test_auto_is_none() -> None:
    assert read.switch_or_auto("Auto") is None
    with pytest.raises(ValueError, match="yes, no or auto"):
        read.switch_or_auto("maybe")


@pytest.mark.parametrize(
    ("written", "size"),
    [("S", Size.COMPACT), ("m", Size.NORMAL), (" L ", Size.LARGE), ("AUTO", None)],
)
def test_sizes_have_letters(written: str, size: Size | None) -> None:
    assert read.size(written) is size


@pytest.mark.parametrize(
    ("parse", "written", "why"),
    [
        (read.size, "XXL", "'XXL' isn't a size; there are S, M, L and auto"),
        (read.name, "!", "'!' can't be a name: it has 1 to 24 letters"),
        (read.name, " ", "can't be empty"),
        (read.address, "a b", "'a b' isn't a host: an address is like "),
        (read.text, "", "can't be empty"),
        *(
            (parse, value, "has to be text, in quotation marks")
            for parse in (read.size, read.name, read.address, read.text)
            for value in NOT_TEXT
        ),
    ],
)
def test_mistakes_are_explained(parse: Callable[[object], object], written: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse(written)


def test_nothing_is_a_name_and_an_address() -> None:
    assert read.name("") is None
    assert read.address("") is None


@given(st.sampled_from([True, False, None]))
def test_switches_are_shown_as_they_are_written(value: bool | None) -> None:
    assert read.switch_or_auto(read.shown_switch(value)) is value


@given(st.sampled_from([*Size, None]))
def test_sizes_are_shown_as_they_are_written(size: Size | None) -> None:
    assert read.size(read.shown_size(size)) is size


@pytest.mark.parametrize("address", [Address("a"), Address("::1", 1, True, "/x"), None])
def test_addresses_are_shown_as_they_are_written(address: Address | None) -> None:
    assert read.address(read.shown(address)) == address


@given(st.text("aé漢 '-", min_size=1, max_size=30))
def test_names_are_shown_as_they_are_written(text: str) -> None:
    try:
        name = read.name(text)
    except ValueError:
        return
    assert read.name(read.shown(name)) == name
