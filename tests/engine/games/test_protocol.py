"""Options and kinds of games."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.cases import each

from boxroom_engine.games.errors import GameError, OptionError
from boxroom_engine.games.noughts import KIND
from boxroom_engine.games.protocol import Game, GameKind, Option, OptionValue
from boxroom_engine.phrases import phrase

SIZE = Option("game.test.size", default=5, least=1, most=20)
PACE = Option("game.test.pace", default="slow", choices=("slow", "fast"))
START = Option("game.test.start", default="here")


class TestOption:
    @each("value, expected", [(1, 1), ("20", 20), ("007", 7)])
    def test_numbers(self, value: int | str, expected: int) -> None:
        assert SIZE.parse(value) == expected

    @each("value", ["", "five", "-1", "1.5", "٣", "9" * 10_000, " 3"])
    def test_no_number(self, value: str) -> None:
        with pytest.raises(OptionError, match="size is a whole number of at least 1"):
            SIZE.parse(value)

    @each("value", [0, "21"])
    def test_out_of_bounds(self, value: int | str) -> None:
        with pytest.raises(OptionError, match=f"size must be 1 to 20, not {value}") as caught:
            SIZE.parse(value)
        assert caught.value.code == "bad_option"

    def test_choices(self) -> None:
        assert PACE.parse("fast") == "fast"
        with pytest.raises(OptionError, match="pace is one of slow, fast, not 'quick'"):
            PACE.parse("quick")

    def test_free_text(self) -> None:
        assert START.parse("there") == "there"

    def test_words_to_choose_have_texts_in_all_languages(self) -> None:
        assert PACE.in_words("slow") == phrase("game.test.pace.slow")
        assert str(SIZE.in_words(5)) == "5"
        assert str(START.in_words("there")) == "there"


def _kind_with(*options: Option) -> GameKind:
    """Return a kind with `options` for any number of players, which makes noughts and crosses."""
    return GameKind("test", options, 1, None, lambda _, __: KIND.make({}, 2))


class TestKind:
    def test_unknown_options_are_named(self) -> None:
        with pytest.raises(OptionError, match="has no option 'size'; it has no options"):
            _kind_with().make({"size": 3}, 2)
        with pytest.raises(OptionError, match="has no option 'size'; it has dims and line"):
            KIND.make({"size": 3}, 2)

    @each(
        "seats, sentence",
        [(1, "needs at least 2 seats, not 1"), (4, "has at most 3 seats, not 4")],
    )
    def test_seats_are_bounded(self, seats: int, sentence: str) -> None:
        with pytest.raises(OptionError, match=sentence):
            KIND.make({}, seats)

    def test_options_default(self) -> None:
        seen: list[Mapping[str, OptionValue]] = []

        def build(options: Mapping[str, OptionValue], seats: int) -> Game:
            seen.append(options)
            return KIND.make({}, 2)

        kind = replace(_kind_with(SIZE, PACE), build=build)
        kind.make({"size": "3"}, 99)
        assert seen == [{"size": 3, "pace": "slow"}]


def test_errors_have_codes_of_their_own() -> None:
    def family(error: type[GameError]) -> list[type[GameError]]:
        return [error, *(each for child in error.__subclasses__() for each in family(child))]

    codes = [error.code for error in family(GameError)]
    assert len(codes) == len(set(codes))
