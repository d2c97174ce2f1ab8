"""Quotas of rooms and bots, compared with counting all rooms each time."""

from collections.abc import Callable
from functools import partial

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.cases import each

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.room import (
    AbortRequest,
    Room,
    SeatHolder,
    Settings,
    StandInRequest,
)
from boxroom_server.net.client_address import counted_as
from boxroom_server.options import Options
from boxroom_server.people.quotas import Quotas, bots_in, bots_wanted

PEOPLE = ("Ada", "ADA", "Bob")
ADDRESSES = ("192.0.2.1", "2001:db8::1", "2001:db8::2", "")

PERSON, BOT = SeatHolder(0, "Ada", "Ada"), SeatHolder(1, "Greedy", bot="greedy")
STAND_IN = SeatHolder(2, "Bob", "Bob", "greedy")
EMPTY = SeatHolder(3)


def room_with(*seats: SeatHolder) -> Room:
    return replace(Room("attic"), settings=Settings(seats=len(seats)), seats=seats)


def refusal_of(check: Callable[[], None]) -> str | None:
    """Return the code with which `check` refuses; None if it doesn't."""
    try:
        check()
    except CommandRefused as refused:
        return refused.code
    return None


@given(
    st.lists(
        st.tuples(st.sampled_from(PEOPLE), st.sampled_from(ADDRESSES), st.booleans()), max_size=40
    )
)
def test_rooms_are_counted_as_long_as_they_last(steps: list[tuple[str, str, bool]]) -> None:
    """Each step is a person and address to make a room, and whether the oldest is closed before."""
    quotas = Quotas(Options(rooms_per_name=2, rooms_per_address=3))
    rooms: list[tuple[str, str, str]] = []
    for number, (name, address, closes) in enumerate(steps):
        if closes and rooms:
            quotas.remove_room(rooms[0][0])
            quotas.remove_room(rooms.pop(0)[0].upper())
        creator, client = name.casefold(), counted_as(address)
        of_creator = sum(each == creator for _, each, _ in rooms)
        of_client = sum(each == client for _, _, each in rooms)
        is_too_many = of_creator >= 2 or (address != "" and of_client >= 3)
        refused = refusal_of(partial(quotas.check_room, name, address))
        assert refused == ("too_many_rooms" if is_too_many else None)
        if not is_too_many:
            code = f"room {number}"
            quotas.add_room(code, name, address)
            rooms.append((code, creator, client))
            own = {each for each, other, _ in rooms if other == creator}
            assert set(quotas.rooms_of_creator(code.upper())) == own


def test_a_closed_room_has_no_rooms_of_its_creator() -> None:
    assert quotas().rooms_of_creator("attic") == ()


def quotas() -> Quotas:
    return Quotas(Options(bots_per_name=3))


def test_bots_that_stand_in_for_a_player_are_counted() -> None:
    assert bots_in(room_with(PERSON, BOT, STAND_IN, EMPTY, BOT)) == 3


def test_a_command_seats_one_bot_or_as_many_as_there_are_empty_seats() -> None:
    room = room_with(PERSON, EMPTY, BOT, EMPTY)
    assert bots_wanted(cmd.SeatBot(1, "greedy"), room) == 1
    assert bots_wanted(cmd.Fill(1, "greedy"), room) == 2


def test_a_bot_instead_of_another_is_no_more() -> None:
    room = room_with(PERSON, EMPTY, BOT)
    assert bots_wanted(cmd.SeatBot(1, "greedy", 1), room) == 1
    assert bots_wanted(cmd.SeatBot(1, "greedy", 2), room) == 0
    assert bots_wanted(cmd.SeatBot(1, "greedy"), room_with(PERSON, BOT)) == 0


def test_a_bot_that_is_to_stand_in_is_one_more() -> None:
    room = room_with(PERSON, PERSON)
    asked = replace(room, request=StandInRequest("Ada", 7, 1, "greedy"))
    assert bots_wanted(cmd.StandIn(1, 1), room) == 1
    assert bots_wanted(cmd.Answer(1, 7, True), asked) == 1
    assert bots_wanted(cmd.Answer(1, 7, False), asked) == 0
    assert bots_wanted(cmd.Answer(1, 7, True), room) == 0
    abort = replace(room, request=AbortRequest("Ada", 7))
    assert bots_wanted(cmd.Answer(1, 7, True), abort) == 0


@each("wanted, refused", [(0, None), (1, None), (2, "too_many_bots")])
def test_bots_of_all_rooms_count_together(wanted: int, refused: str | None) -> None:
    bots = bots_in(room_with(PERSON, BOT)) + bots_in(room_with(BOT, EMPTY))
    assert refusal_of(partial(quotas().check_bots, wanted, bots)) == refused


def test_the_client_of_a_room_is_where_it_was_made_or_else_who_made_it() -> None:
    quotas = Quotas(Options())
    for code, name, address in (
        ("attic", "Ada", "2001:db8::1"),
        ("cellar", "Bob", "2001:db8::2"),
        ("Hall", "192.0.2.1", ""),
        ("loft", "192.0.2.1", "192.0.2.1"),
    ):
        quotas.add_room(code, name, address)
    assert quotas.client_of("attic") == quotas.client_of("cellar")
    assert quotas.client_of("hall") == "name 192.0.2.1"
    assert quotas.client_of("loft") == "192.0.2.1"
    assert quotas.client_of("closed") == ""
