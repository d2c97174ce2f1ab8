"""The list of open rooms and the names in rooms, compared with looking into all rooms anew."""

import json
import random
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.server.talk import Lobby, Talk, lobby

from boxroom_engine.room.room import Room
from boxroom_server.net.frames import Outgoing
from boxroom_server.rooms import open_rooms
from boxroom_server.rooms.open_rooms import OpenRooms

ONE_LOOP = True
PEOPLE = ("Ada", "Bob", "Cy", "Dan")
ROOMS = ("attic", "balcony", "cellar")
STEPS = 60
MOST_PEOPLE = 1_000


def shown(room: Room) -> dict[str, Any]:
    """Return how full a room is, as the list says it."""
    members = {holder.member for holder in room.seats} - {None}
    seats = [(holder.member, holder.bot) for holder in room.seats]
    return {
        "room": room.code,
        "phase": room.phase.value,
        "host": room.host,
        "people": len(members),
        "bots": sum(member is None and bot is not None for member, bot in seats),
        "empty_seats": seats.count((None, None)),
        "spectators": sum(name not in members for name in room.members),
    }


def awake_rooms(place: Lobby) -> Iterator[Room]:
    """Yield the rooms that have a host."""
    return (cell.host.room for cell in place.server._directory if cell.host is not None)


def naive_list(place: Lobby, most: int) -> list[dict[str, Any]]:
    """Return the list as it should be, without settings."""
    rooms = [
        shown(room)
        for room in awake_rooms(place)
        if any(member.connected for member in room.members.values())
    ]
    rooms.sort(key=lambda it: (it["empty_seats"] == 0, -it["people"], it["room"]))
    return rooms[:most]


def answered(open_rooms: OpenRooms, after: str = "") -> dict[str, Any]:
    """Return the answer to a request for a page of the list."""
    answer = open_rooms.answer(1, after)
    assert isinstance(answer, Outgoing)
    page: dict[str, Any] = json.loads(answer.payload)
    return page


def is_in_any_room(place: Lobby, name: str) -> bool:
    """Return whether a room knows `name`, by looking into all of them."""
    return any(name in room.members or room.is_player(name) for room in awake_rooms(place))


async def step(place: Lobby, rng: random.Random, talks: dict[str, Talk]) -> None:
    """Have one of four people come, go or change something; refusals are fine."""
    name, room = rng.choice(PEOPLE), rng.choice(ROOMS)
    talk = talks.get(name)
    if talk is None:
        talk = talks[name] = await place.call(name)
    what = rng.choice(["create", "join", "leave", "start", "bot", "unseat", "resign", "drop"])
    match what:
        case "create":
            settings = {"options": {"rows": 1, "cols": 1}, "seats": rng.randint(2, 3)}
            await talk.ask("create_room", room=room, token=name + room, settings=settings)
        case "join":
            await talk.ask("join_room", room=room, watch=rng.random() < 0.3)
        case "bot":
            await talk.ask("seat_bot", bot="random")
        case "unseat":
            await talk.ask("unseat", seat=1)
        case "drop":
            del talks[name]
            talk.cut()
        case _:
            await talk.ask(what)


@each("seed", range(5))
async def test_it_is_always_as_if_it_was_made_anew(seed: int) -> None:
    rng, most = random.Random(seed), 2
    talks: dict[str, Talk] = {}
    async with lobby(listed=most, grace_s=0.0) as place:
        for _ in range(STEPS):
            await step(place, rng, talks)
            listed = answered(place.server._directory.open_rooms)["rooms"]
            for entry in listed:
                del entry["settings"]
            assert listed == naive_list(place, most)
            for name in PEOPLE:
                assert place.server._directory.is_in_a_room(name) is is_in_any_room(place, name)


async def test_pages_are_the_whole_list_in_order() -> None:
    async with lobby(listed=3, rooms_per_name=100) as place:
        for number in range(8):
            talk = await place.create(f"Ada {number}", f"room {number % 4} {number}")
            if number % 3:
                await talk.do("seat_bot", bot="random")
        listing, after, pages = place.server._directory.open_rooms, "", []
        while True:
            page = answered(listing, after)
            pages.append([entry["room"] for entry in page["rooms"]])
            if "next" not in page:
                break
            after = page["next"]
        assert [len(page) for page in pages] == [3, 3, 2]
        assert [room for page in pages for room in page] == [
            entry["room"] for entry in naive_list(place, 8)
        ]


async def test_a_page_goes_on_where_the_last_one_ended_though_its_last_room_is_closed() -> None:
    async with lobby(listed=1) as place:
        talks = {room: await place.create(f"from {room}", room) for room in ROOMS}
        listing = place.server._directory.open_rooms
        first = answered(listing)
        assert [entry["room"] for entry in first["rooms"]] == ["attic"]
        await talks["attic"].do("leave")
        second = answered(listing, first["next"])
        assert [entry["room"] for entry in second["rooms"]] == ["balcony"]


@given(st.booleans(), st.integers(-MOST_PEOPLE, 0), st.text(min_size=1))
def test_the_place_of_any_room_survives_as_text(is_full: bool, people: int, code: str) -> None:
    key = (is_full, people, code)
    assert open_rooms._sort_key(open_rooms._cursor(key)) == key


@each("after", ["attic", "2/1/attic", "0/x/attic", "0/1/", "0/-1/a", "0/1"])
async def test_what_is_no_place_in_the_list_is_refused(after: str) -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        assert await ada.refusal("list_rooms", after=after) == "bad_option"
        assert (await ada.ask("list_rooms"))["type"] == "rooms"
