"""The next game as a person wants it, in a room that others change meanwhile."""

from collections.abc import Sequence

from msgspec.structs import replace

from boxroom_client.shell.next_game import NextGame, planned_game
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import RequestedSettings, Room, SeatHolder, Settings

BOTS = (SeatHolder(0, "Ada", member="Ada"), SeatHolder(1, "easy", bot="easy"))
ROOM = Room("attic", settings=Settings(options={"rows": 3, "cols": 3}), seats=BOTS)
PLANNED = planned_game(ROOM)


def sent(wanted: NextGame, room: Room) -> Sequence[cmd.AnyMemberCommand]:
    """Return the commands to a room in which `wanted` was entered while it was `ROOM`."""
    *changes, start = wanted.commands(PLANNED, room)
    assert start == cmd.Start(0, None)
    return changes


def with_rows(rows: int) -> NextGame:
    return NextGame(
        replace(ROOM.settings, options={"rows": rows, "cols": 3}), PLANNED.bots, Seat(0)
    )


def configure(**changes: object) -> cmd.Configure:
    return cmd.Configure(0, RequestedSettings.of(replace(ROOM.settings, **changes)))


def test_what_others_have_changed_meanwhile_stays() -> None:
    room = replace(ROOM, settings=Settings(options={"rows": 3, "cols": 8}, clock_s=30))
    assert sent(with_rows(5), room) == [configure(options={"rows": 5, "cols": 8}, clock_s=30)]
    assert sent(PLANNED, room) == []


def test_what_others_have_changed_in_the_same_way_is_done() -> None:
    settings = Settings(options={"rows": 5, "cols": 3})
    assert sent(with_rows(5), replace(ROOM, settings=settings)) == []


def test_another_game_has_its_own_options() -> None:
    wanted = NextGame(Settings("noughts", {"dims": "3x3"}), PLANNED.bots, Seat(0))
    room = replace(ROOM, settings=replace(ROOM.settings, hints=True))
    assert sent(wanted, room) == [configure(game="noughts", options={"dims": "3x3"}, hints=True)]


def test_a_bot_that_others_have_seated_meanwhile_stays() -> None:
    room = replace(ROOM, seats=(BOTS[0], replace(BOTS[1], name="expert", bot="expert")))
    assert sent(PLANNED, room) == []
    wanted = NextGame(PLANNED.settings, {Seat(1): "hard"}, Seat(0))
    assert sent(wanted, room) == [cmd.SeatBot(0, "hard", 1)]
