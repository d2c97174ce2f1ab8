"""Games, bots and their options, as a welcome describes them."""

import pytest
from tests.cases import each

from boxroom_engine.bots.registry import BOTS, bot_of
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.registry import KINDS
from boxroom_engine.wire.codec import decode_from_server, encode
from boxroom_engine.wire.messages import GameOffered, OptionOffered, Welcome
from boxroom_server.games_offered import GAMES_OFFERED, welcome

MOST_BYTES = 8_100
"""Size of a welcome, which every client receives at first."""


def test_a_welcome_is_sent_as_it_is_read() -> None:
    sent = encode(welcome("boxroom 1", "Ada", 5, "", 9))
    assert decode_from_server(sent) == Welcome(1, "boxroom 1", "Ada", GAMES_OFFERED, 5, 9, "")
    assert len(sent) < MOST_BYTES


@each("offered", GAMES_OFFERED)
def test_a_game_can_be_made_with_its_defaults_and_its_bounds(offered: GameOffered) -> None:
    kind = KINDS[offered.game]
    defaults = {option.name: option.default for option in offered.options}
    game = kind.make(defaults, offered.least_seats)  # type: ignore[arg-type]
    assert game.options == defaults
    assert (offered.title, offered.rules) == (str(kind.named), str(kind.rules))
    with pytest.raises(OptionError):
        kind.make({}, offered.least_seats - 1)
    if offered.most_seats is not None:
        with pytest.raises(OptionError):
            kind.make({}, offered.most_seats + 1)
    assert not offered.marks or len(offered.marks) == (offered.most_seats or 0)


@each("offered", GAMES_OFFERED)
def test_its_levels_are_bots_in_the_order_of_strength(offered: GameOffered) -> None:
    assert offered.levels == ("child", "beginner", "easy", "medium", "hard", "expert")
    places = [offered.bots.index(level) for level in offered.levels]
    assert places == sorted(places)


OPTIONS_OF_BOTS = [
    (bot, option)
    for offered in GAMES_OFFERED
    for bot, options in offered.bot_options.items()
    for option in options
]


def test_every_option_of_a_bot_is_offered() -> None:
    found = {(bot, option.name) for bot, option in OPTIONS_OF_BOTS}
    assert found == {(name, option.name) for name, bot in BOTS.items() for option in bot.options}


def is_accepted(bot: str, option: OptionOffered, value: float) -> bool:
    """Return whether the bot takes `value` for `option`."""
    try:
        bot_of(f"{bot}:{option.name}={value:g}")
    except ValueError:
        return False
    return True


@each("bot, option", OPTIONS_OF_BOTS)
def test_the_bounds_of_an_option_are_those_that_the_bot_keeps(
    bot: str, option: OptionOffered
) -> None:
    assert isinstance(option.default, int | float)
    assert option.least is not None
    assert option.most is not None
    for value in (option.default, option.least, option.most):
        assert is_accepted(bot, option, value)
    assert not is_accepted(bot, option, option.most + 1)
    assert not is_accepted(bot, option, option.least / 2)


def test_a_word_has_its_choices_if_there_are_any() -> None:
    by_name = {option.name: option for offered in GAMES_OFFERED for option in offered.options}
    assert by_name["border"].choices == ("none", "half", "full")
    assert (by_name["dims"].default, by_name["dims"].choices) == ("3,3", ())
    assert (by_name["rows"].default, by_name["rows"].least, by_name["rows"].most) == (5, 1, 1000)
    assert by_name["border"].least is None
