"""The room for the command line of `boxroom join`; tests/e2e join it."""

import pytest
from tests.cases import each

from boxroom_client.cli.join import join_options_from, parser
from boxroom_client.shell.frontend import JoinOptions
from boxroom_common.exits import UsageError
from boxroom_engine.room.room import Settings


def asked(line: str) -> JoinOptions:
    return join_options_from(parser().parse_args(line.split()))


def test_a_room_is_joined_or_made() -> None:
    assert asked("kiwa --watch") == JoinOptions(watch=True)
    assert asked("--room den --password sesame --create") == JoinOptions(
        "den", "sesame", create=True
    )


def test_a_new_room_has_what_the_flags_say() -> None:
    settings = Settings(seat_range=(2, 6), clock_s=30, best_of=5)
    assert asked("--create --seats 2-6 --clock 30 --best 5").settings == settings


@each(
    "line, why",
    [
        ("--seats 2-6", "--seats belongs to --create"),
        ("--room den --best 3", "--best belongs to --create"),
        ("--create --seats 6-2", "6-2"),
        ("--create --best all", "best is a whole number"),
    ],
)
def test_a_room_that_cant_be_is_a_usage_error(line: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        asked(line)
