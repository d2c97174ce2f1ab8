"""The choice of a room without `--room`."""

import pytest
from tests.cases import each
from tests.client.fake_connection import Keyboard

from boxroom_client.linemode.printer import Printer
from boxroom_client.linemode.rooms import choose_alone, choose_by_asking
from boxroom_client.link.join_request import Create, Join
from boxroom_client.shell.frontend import Interrupted, JoinOptions
from boxroom_client.shell.output.painting import Canvas
from boxroom_common.exits import Failure
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.messages import RoomListed

PAGE = Printer(Canvas(), is_terminal=True)
NEW = Create(Settings())


def listing(room: str, empty_seats: int = 1) -> RoomListed:
    return RoomListed(room, Settings(), "waiting", "Ada", 1, 0, empty_seats, 0)


FULL, OPEN, OTHER = listing("full", 0), listing("open"), listing("other")


def test_alone_the_first_room_with_an_empty_seat_is_taken() -> None:
    assert choose_alone([FULL, OPEN, OTHER], JoinOptions(), PAGE) == Join("open")


def test_alone_a_room_is_made_where_there_is_none() -> None:
    assert choose_alone([FULL], JoinOptions(), PAGE) == NEW


def test_who_watches_needs_no_empty_seat_but_a_room() -> None:
    assert choose_alone([FULL], JoinOptions(watch=True), PAGE) == Join("full", watch=True)
    with pytest.raises(Failure, match="no open room to watch"):
        choose_alone([], JoinOptions(watch=True), PAGE)


async def test_nobody_is_asked_without_a_choice() -> None:
    assert await choose_by_asking([], JoinOptions(), Keyboard(), PAGE) == NEW
    assert await choose_by_asking([OPEN], JoinOptions(), Keyboard(), PAGE) == Join("open")


@each(
    "typed, chosen",
    [
        (["1"], Join("full")),
        (["OTHER"], Join("other")),
        (["new"], NEW),
        (["", "7", "0", "h3", "2"], Join("open")),
        ([None], None),
    ],
)
async def test_a_person_chooses(typed: list[str | None], chosen: Join | Create | None) -> None:
    keyboard = Keyboard()
    keyboard.type(*typed)
    assert await choose_by_asking([FULL, OPEN, OTHER], JoinOptions(), keyboard, PAGE) == chosen


async def test_a_person_can_interrupt() -> None:
    keyboard = Keyboard()
    keyboard.type(Interrupted())
    with pytest.raises(Interrupted):
        await choose_by_asking([OPEN, OTHER], JoinOptions(), keyboard, PAGE)
