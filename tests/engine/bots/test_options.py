"""Numbers with a point, and bots about which nothing can be chosen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.bots.options import DecimalOption
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.errors import OptionError

TIME = DecimalOption("bot.test.time", default=0.3, least=0.01, most=60)


@given(st.decimals(min_value="0.01", max_value="60", places=3))
def test_numbers_within_bounds_are_taken_as_they_are(number: object) -> None:
    assert TIME.parse(str(number)) == float(str(number))


@each("value", [2, 0.5, "7", "007.50"])
def test_whole_numbers_and_numbers_will_do(value: float | str) -> None:
    assert TIME.parse(value) == float(value)


@each("value", ["", "soon", "-1", "1e3", "nan", "inf", ".5", "1.", "٣", " 1"])
def test_no_number(value: str) -> None:
    with pytest.raises(OptionError, match=r"^time is a number such as 0\.3$"):
        TIME.parse(value)


@each("value", ["0", "0.009", "60.1"])
def test_out_of_bounds(value: str) -> None:
    with pytest.raises(OptionError, match=rf"^time must be 0\.01 to 60, not {value}$"):
        TIME.parse(value)


def test_a_bot_without_options_stays_what_it_is() -> None:
    bot = BotBase()
    assert bot.options == ()
    assert bot.with_options({}) is bot
