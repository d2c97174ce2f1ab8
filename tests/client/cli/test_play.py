"""The table for the command line of `boxroom play`; tests/e2e play the games."""

from pathlib import Path

import pytest
from tests.cases import each
from tests.engine.bots.choosy import Choosy

from boxroom_client.cli.play import parser, table_from
from boxroom_client.shell.room_settings import LocalGame
from boxroom_common.exits import UsageError
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.room.room import Settings


def table(*arguments: str) -> LocalGame:
    return table_from(parser().parse_args(arguments))


@pytest.fixture(autouse=True)
def _logged_in_as_ada(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ada")


@each(
    "arguments, people, bots",
    [
        ("", ("ada",), ("child",)),
        ("--name Zoe", ("Zoe",), ("child",)),
        ("--bot random", ("ada",), ("random",)),
        ("--bot random,greedy", ("ada",), ("random", "greedy")),
        ("--bot random --bot greedy", ("ada",), ("random", "greedy")),
        ("--bot random --bot greedy,random", ("ada",), ("random", "greedy", "random")),
        ("--bot random,greedy --seats 4", ("ada",), ("random", "greedy", "random")),
        ("--seats 3", ("ada",), ("child", "child")),
        ("--local Ada Bob", ("Ada", "Bob"), ()),
        ("--local Ada Bob --bot greedy", ("Ada", "Bob"), ("greedy",)),
        ("--local Ada --bot greedy", ("Ada",), ("greedy",)),
        ("--local Ada", ("Ada",), ()),
        ("--seats 1", ("ada",), ()),
        ("--watch --bot greedy --seats 1", (), ("greedy",)),
        ("--watch", (), ("easy", "easy")),
        ("--watch --bot greedy,random", (), ("greedy", "random")),
        ("--watch --bot greedy,random --seats 3", (), ("greedy", "random", "greedy")),
        ("--seats 2-6", ("ada",), ("child",)),
        ("--seats 3-6", ("ada",), ("child", "child")),
        ("--local Ada Bob Cleo --seats 2-6", ("Ada", "Bob", "Cleo"), ()),
        ("--local Ada Bob --bot greedy,random --seats 2-6", ("Ada", "Bob"), ("greedy", "random")),
    ],
)
def test_people_sit_first_and_bots_take_what_is_left(
    arguments: str, people: tuple[str, ...], bots: tuple[str, ...]
) -> None:
    laid = table(*arguments.split())
    assert (laid.people, laid.bots) == (people, bots)
    players = len(people) + len(bots)
    assert laid.settings.least_seats <= players <= laid.settings.most_seats
    assert laid.settings.seat_range is not None or laid.settings.seats == players
    assert (laid.watcher is None) is bool(people)


def test_the_coach_comes_if_it_is_called() -> None:
    assert table("--coach").has_coach
    assert not table().has_coach


RECORD = "dots rows=1 cols=2 border=half | Cleo, Dan | h0 v1 v2 h1"


def test_a_game_begins_with_the_moves_of_a_recorded_one() -> None:
    laid = table("--from", RECORD, "--to", "1", "--bot", "greedy")
    assert (laid.people, laid.bots) == (("ada",), ("greedy",))
    assert laid.settings.opening == ("h0",)
    assert (laid.settings.options, laid.settings.seats) == (
        {"rows": 1, "cols": 2, "border": "half"},
        2,
    )
    people = table("--from", RECORD, "--to", "2", "--local", "Ada", "Bob").people
    assert people == ("Ada", "Bob")


@each(
    "arguments, why",
    [
        ("--to 4", "over after these moves"),
        ("", "over after these moves"),
        ("--to 5", "--to is 0 to 4"),
        ("--to 1 --rows 2", "leave GAME, its options, --seats out"),
        ("--to 1 --seats 3", "leave GAME, its options, --seats out"),
        ("--to 1 --continue", "leave GAME, its options, --seats out"),
    ],
)
def test_where_a_recorded_game_cant_be_played_on(arguments: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        table("--from", RECORD, *arguments.split())
    with pytest.raises(UsageError, match="given up"):
        table("--from", RECORD.replace("Dan | h0 v1", "Dan, Eve | h0 ~1"), "--to", "2")
    with pytest.raises(UsageError, match="--to is a number"):
        table("--to", "2")


def test_of_several_recorded_games_one_is_named_by_itself(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(f"{RECORD}\n{RECORD}\n")
    with pytest.raises(UsageError, match="there are 2 games: give --from a file with one of them"):
        table("--from", str(tmp_path / "games.txt"), "--to", "1")


def test_bots_may_have_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "choosy", Choosy())
    bots = table("--bot", "choosy:ply=08,time=1.50,greedy,choosy", "--watch").bots
    assert bots == ("choosy:ply=8,time=1.5", "greedy", "choosy")
    with pytest.raises(UsageError, match="the bot choosy:ply=8 doesn't play noughts"):
        table("noughts", "--bot", "choosy:ply=8")
    with pytest.raises(UsageError, match="choosy: ply must be 0 to 50, not 51"):
        table("--bot", "choosy:ply=51")


def test_the_options_of_any_game_are_flags() -> None:
    laid = table("--rows", "3", "--cols", "4", "--border", "half", "--clock", "30")
    options: dict[str, int | str] = {"rows": 3, "cols": 4, "border": "half"}
    assert laid.settings == Settings(options=options, clock_s=30)
    assert table("--best", "3").settings == Settings(best_of=3)
    assert table("--seats", "2-6").settings == Settings(seat_range=(2, 6))
    assert table("noughts", "--clock", "off").settings == Settings(game="noughts")
    cube = table("noughts", "--dims", "4,4,4", "--line", "4").settings
    assert cube.options == {"dims": "4,4,4", "line": 4}
    assert table("stonehenge", "--size", "2").settings.options == {"size": 2}
    assert table("subtract-square", "--start", "99").settings.options == {"start": 99}


@each(
    "arguments, why",
    [
        ("--rows 0", "rows must be 1 to 1000, not 0"),
        ("--rows many", "rows is a whole number"),
        ("--border some", "border is one of none, half, full"),
        ("--rows 1 --cols 1 --border full", "no free line"),
        ("--clock soon", "clock is a whole number"),
        ("--seats none", "--seats is a whole number"),
        ("--seats 0", "--seats must be 1 to 100000, not 0"),
        ("--seats 1 --bot greedy", "2 players don't fit in 1 seat$"),
        ("--seats 1-2 --bot greedy,easy", "3 players don't fit in 2 seats$"),
        ("--seats 6-2", "6-2"),
        ("--best often", "best is a whole number"),
        ("noughts --seats 1", "at least 2 seats"),
        ("--seats 2 --bot greedy,random", "3 players don't fit in 2 seats"),
        ("--bot gready", "did you mean greedy?"),
        ("noughts --local Ada", "2 seats need 1 more: name them with --local, or add --bot easy"),
        ("--local Ada ADA", "two people are called ADA"),
        ("--name !", "can't be a name"),
        ("--watch --local Ada", "leave --local and --name out"),
        ("--watch --name Ada", "leave --local and --name out"),
        ("--local Ada Bob --name Cleo", "leave --name out"),
        ("--coach --local Ada Bob", "--coach is for one person against one bot"),
        ("--coach --watch", "--coach is for one person against one bot"),
        ("--coach --bot greedy,random", "--coach is for one person against one bot"),
        ("noughts --coach", "--coach is for one person against one bot"),
        ("noughts --rows 3", "Noughts and Crosses has no --rows"),
        ("noughts --seats 4", "at most 3 seats"),
        ("noughts --dims 3x3", "dims is the cells in each dimension, such as 3,3"),
        ("--pace 61", "--pace is a number of seconds"),
    ],
)
def test_a_table_that_cant_be_is_a_usage_error(arguments: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        table(*arguments.split())
