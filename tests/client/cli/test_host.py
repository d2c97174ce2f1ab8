"""The room for the command line of `boxroom host`; tests/e2e host it."""

import pytest
from tests.cases import each

from boxroom_client.cli.host import join_options_from, parser, run
from boxroom_client.shell.frontend import JoinOptions
from boxroom_client.shell.room_settings import seats_of
from boxroom_common.exits import UsageError
from boxroom_engine.room.room import Settings

NEW = JoinOptions(create=True, comes_back=True)


def asked(line: str) -> JoinOptions:
    return join_options_from(parser().parse_args(line.split()))


def settings(line: str) -> Settings:
    asked_for = asked(line).settings
    assert asked_for is not None
    return asked_for


def test_without_arguments_the_person_is_asked() -> None:
    assert asked("") == asked("--port 9000 --name Ada --memory -- --no-announce") == NEW


def test_a_room_has_what_the_flags_say() -> None:
    line = "--room den --password sesame --game dots --rows 7 --border half --clock 30 --seats 4"
    chosen = asked(line)
    assert (chosen.room, chosen.password) == ("den", "sesame")
    assert settings(line).options == {"rows": 7, "border": "half"}
    assert (settings(line).clock_s, settings(line).seats) == (30, 4)
    assert settings(line).seat_range is None
    assert settings("--game noughts").game == "noughts"
    assert settings("--best 5").best_of == 5


@each(
    "line, seats",
    [
        ("--rows 3", "2-8"),
        ("--seats 3-5", "3-5"),
        ("--game noughts", "2-3"),  # 3 in a row on 9 cells
        ("--game noughts --dims 4,4 --line 4", "2-4"),
        ("--game noughts --dims 9,9 --line 5", "2-8"),
        ("--game draughts", "2"),
        ("--bot " + ",".join(["easy"] * 9), "2-10"),
    ],
)
def test_a_room_for_friends_has_two_to_eight_seats_or_what_the_game_takes(
    line: str, seats: str
) -> None:
    assert seats_of(settings(line)) == seats


def test_a_room_without_flags_is_for_friends_too() -> None:
    assert seats_of(asked("").to_create().settings) == "2-8"
    assert seats_of(JoinOptions(create=True).to_create().settings) == "2"


@each(
    "line, bots",
    [
        ("--bot easy", ("easy",)),
        ("--bot easy,hard", ("easy", "hard")),
        ("--bot easy --bot hard", ("easy", "hard")),
        ("--bot easy --seats 5", ("easy",)),
        ("--bot easy,hard --seats 2-6", ("easy", "hard")),
    ],
)
def test_bots_take_a_seat_each(line: str, bots: tuple[str, ...]) -> None:
    assert asked(line).bots == bots


@each(
    "line, why",
    [
        ("--bot easy,easy --seats 2", "2 bots and you don't fit in 2 seats"),
        ("--game draughts --bot easy,easy", "2 bots and you don't fit in 2 seats"),
        ("--bot nobody", "nobody"),
        ("--game noughts --rows 7", "has no --rows"),
        ("--seats many", "seats"),
        ("--seats 6-2", "6-2"),
        ("--best all", "best"),
        ("--clock soon", "clock"),
    ],
)
def test_a_room_that_cant_be_is_a_usage_error(line: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        asked(line)


def test_an_answer_without_a_question_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="--yes belongs to --stop"):
        run(parser().parse_args(["--yes"]))
