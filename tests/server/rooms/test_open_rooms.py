"""The list of open rooms, compared with one that is made anew from all rooms."""

import json
import random
from typing import Any

import pytest
from tests.server.talk import Lobby, Talk, lobby

from boxroom_engine.room.room import Room
from boxroom_server.rooms.open_rooms import OpenRooms

ROOMS = ("attic", "balcony", "cellar")
STEPS = 60


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


def naive_list(place: Lobby, most: int) -> list[dict[str, Any]]:
    """Return the list as it should be, without settings."""
    rooms = [
        shown(room)
        for room in place.server._directory.rooms()
        if any(member.connected for member in room.members.values())
    ]
    rooms.sort(key=lambda it: (it["empty_seats"] == 0, -it["people"], it["room"]))
    return rooms[:most]


async def step(place: Lobby, rng: random.Random, talks: dict[str, Talk]) -> None:
    """Have one of four people come, go or change something; refusals are fine."""
    name, room = rng.choice(["Ada", "Bob", "Cy", "Dan"]), rng.choice(ROOMS)
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


@pytest.mark.parametrize("seed", range(5))
async def test_it_is_always_as_if_it_was_made_anew(seed: int) -> None:
    rng, most = random.Random(seed), 2
    talks: dict[str, Talk] = {}
    async with lobby(listed=most, grace_s=0.0) as place:
        for _ in range(STEPS):
            await step(place, rng, talks)
            listed = json.loads(place.server._directory.open_rooms.answer(1).payload)["rooms"]
            for entry in listed:
                del entry["settings"]
            assert listed == naive_list(place, most)


async def test_nothing_is_encoded_again_while_no_room_has_changed() -> None:
    async with lobby() as place:
        await place.create("Ada")
        open_rooms = place.server._directory.open_rooms
        first, second = open_rooms.answer(1), open_rooms.answer(2)
        assert first.payload.replace(b'"id":1', b'"id":2') == second.payload
        assert encoded_list(open_rooms) is encoded_list(open_rooms)


def encoded_list(open_rooms: OpenRooms) -> bytes | None:
    """Return the list that the last answer was made of."""
    open_rooms.answer(3)
    return open_rooms._encoded
