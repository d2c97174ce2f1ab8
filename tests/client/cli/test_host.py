"""The room for the command line of `boxroom host`; tests/e2e host it."""

import pytest
from tests.cases import each

from boxroom_client.cli.host import join_options_from, parser, run
from boxroom_client.shell.frontend import JoinOptions
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
    assert settings("--game noughts").game == "noughts"


@each(
    "line, bots, seats",
    [
        ("--bot easy", ("easy",), 2),
        ("--bot easy,hard", ("easy", "hard"), 3),
        ("--bot easy --bot hard", ("easy", "hard"), 3),
        ("--bot easy --seats 5", ("easy",), 5),
        ("--bot easy,hard --seats 2-6", ("easy", "hard"), 2),
    ],
)
def test_each_bot_takes_one_seat(line: str, bots: tuple[str, ...], seats: int) -> None:
    assert (asked(line).bots, settings(line).seats) == (bots, seats)


@each(
    "line, why",
    [
        ("--bot easy,easy --seats 2", "2 bots and you don't fit in 2 seats"),
        ("--bot nobody", "nobody"),
        ("--game noughts --rows 7", "has no --rows"),
        ("--seats many", "seats"),
        ("--clock soon", "clock"),
    ],
)
def test_a_room_that_cant_be_is_a_usage_error(line: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        asked(line)


def test_an_answer_without_a_question_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="--yes belongs to --stop"):
        run(parser().parse_args(["--yes"]))
