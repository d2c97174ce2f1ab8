"""The suggested level: the games of the history that count, for each kind of game."""

from pathlib import Path

from msgspec.structs import replace
from tests.client.profile.test_rating import DRAWN, LOST, WON

from boxroom_client.profile.history import GameHistory
from boxroom_client.profile.suggested_levels import levels_after, suggested_levels
from boxroom_engine.games.registry import KINDS


def test_the_first_game_suggests_the_lowest_level() -> None:
    assert levels_after([]) == dict.fromkeys(KINDS, "child")


def test_two_wins_and_two_defeats_in_a_row_count() -> None:
    assert levels_after([WON])["dots"] == "easy"
    assert levels_after([LOST, WON, WON])["dots"] == "medium"
    assert levels_after([WON, LOST, LOST])["dots"] == "beginner"
    assert levels_after([WON, DRAWN, WON])["dots"] == "easy"


def test_a_game_with_help_counts_as_drawn() -> None:
    helped = replace(WON, helped=True)
    assert levels_after([helped, helped])["dots"] == "easy"
    assert levels_after([WON, helped, WON])["dots"] == "easy"


def test_other_opponents_and_games_that_nobody_knows_dont_count() -> None:
    others = [
        replace(WON, bots=(None, "greedy")),
        replace(WON, bots=(None, None)),
        replace(WON, seat=None),
        replace(WON, bots=(None, "easy", "easy")),
        replace(WON, record="chess x=1 | Ada, easy | e4"),
    ]
    assert levels_after(others)["dots"] == "child"
    assert levels_after([WON, *others, WON])["dots"] == "medium"


def test_each_kind_of_game_has_a_level_of_its_own() -> None:
    noughts = replace(WON, bots=(None, "hard"), record="noughts dims=3,3 line=3 | Ada, hard | 0")
    assert levels_after([WON, WON, noughts])["noughts"] == "hard"
    assert levels_after([WON, noughts, WON])["dots"] == "medium"


def test_the_history_is_read_from_the_oldest_game_on(tmp_path: Path) -> None:
    history = GameHistory(tmp_path / "history.db")
    for number, game in enumerate((LOST, WON, WON)):
        history.add(replace(game, number=number))
    assert suggested_levels(history)["dots"] == "medium"


def test_a_history_that_cant_be_read_suggests_the_lowest_level(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    path.write_bytes(b"no database, " * 1000)
    assert suggested_levels(GameHistory(path))["dots"] == "child"
