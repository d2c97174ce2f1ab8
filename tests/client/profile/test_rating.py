"""Ratings: the games that count, and what a rating says."""

import pytest
from msgspec.structs import replace
from tests.cases import each
from tests.client.profile.test_history import GAME

from boxroom_client.profile.history import PlayedGame
from boxroom_client.profile.rating import Result, ratings

WON = replace(GAME, bots=(None, "easy"), winners=(0,))
LOST = replace(WON, winners=(1,))
DRAWN = replace(WON, winners=(0, 1))


@each(
    "game",
    [
        replace(WON, bots=(None, "greedy")),
        replace(WON, bots=(None, None)),
        replace(WON, helped=True),
        replace(WON, seat=None),
        replace(WON, bots=(None, "easy", "easy"), seat=0),
        replace(WON, record="chess x=1 | Ada, easy | e4"),
    ],
)
def test_only_games_alone_against_one_level_without_help_count(game: PlayedGame) -> None:
    assert ratings([game]) == []


def test_the_record_counts_wins_draws_and_losses() -> None:
    hard = replace(LOST, bots=("hard", None), seat=1, winners=(0,))
    (rating,) = ratings([WON, LOST, DRAWN, WON, hard])
    assert rating.game_class == "small"
    assert rating.record == {
        "easy": {Result.WON: 2, Result.DRAWN: 1, Result.LOST: 1},
        "hard": {Result.WON: 0, Result.DRAWN: 0, Result.LOST: 1},
    }


def test_each_class_of_games_has_its_own() -> None:
    large = replace(WON, record="dots rows=9 cols=9 border=none | Ada, easy (bot) | h0")
    assert [rating.game_class for rating in ratings([WON, large])] == ["small", "large"]


def test_a_rating_is_certain_after_some_games() -> None:
    first, last = ratings([WON])[0], ratings([WON, LOST] * 15)[0]
    assert str(first).endswith("?")
    assert str(last) == str(last.rating)


def test_one_who_is_as_strong_as_a_level_has_its_rating() -> None:
    for level, expected in (("child", 220), ("beginner", 480), ("medium", 1000), ("expert", 1520)):
        won, lost = replace(WON, bots=(None, level)), replace(LOST, bots=(None, level))
        (rating,) = ratings([won, lost] * 30)
        assert rating.rating == pytest.approx(expected, abs=60)


def test_wins_raise_it_and_losses_lower_it() -> None:
    assert ratings([WON])[0].rating > ratings([DRAWN])[0].rating > ratings([LOST])[0].rating
