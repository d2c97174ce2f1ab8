"""The directory of rooms: making, finding, listing and closing rooms, and private ones."""

import asyncio
import random
import re
from typing import Any

from tests.cases import each
from tests.server.hosting import GateLog, hosted
from tests.server.talk import ONE_BOX, Lobby, lobby, until, until_waiting

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.text import fold
from boxroom_server.rooms.directory import pronounceable_code
from boxroom_server.storage.memory.storage import memory_storage

ONE_LOOP = True
PRIVATE: dict[str, Any] = {"settings": {"private": True}, "password": "open sesame"}


def test_codes_are_easy_to_say() -> None:
    rng = random.Random(1)
    codes = [pronounceable_code(rng) for _ in range(200)]
    assert all(re.fullmatch("([bdfgklmnprstvz][aeiou]){2}-([a-z][aeiou]){2}", it) for it in codes)
    assert len(set(codes)) > 190


# Making rooms


async def test_who_makes_a_room_is_in_it_as_its_host_and_sits() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        seq = await ada.do(
            "create_room",
            token="0123456789",
            room="The Attic",
            settings={"options": {"rows": 3, "cols": 4}, "seats": 3, "clock_s": 30},
        )
        in_room = ada.heard[-2]
        assert in_room["type"] == "in_room"
        assert (in_room["you"], in_room["audience"], in_room["last_id"]) == ("Ada", "player", 0)
        room = in_room["room"]
        assert (room["room"], room["seq"], room["phase"]) == ("The Attic", seq, "waiting")
        assert room["host"] == "Ada"
        assert [seat.get("member") for seat in room["seats"]] == ["Ada", None, None]
        assert room["settings"]["clock_s"] == 30


async def test_who_only_watches_is_host_without_a_seat() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", watch=True)
        assert ada.heard[-2]["audience"] == "spectator"
        assert place.room().host == "Ada"
        assert len(place.room().empty_seats()) == 2


async def test_a_room_without_a_name_gets_a_code() -> None:
    async with lobby() as place:
        ada, bob = await place.create("Ada", room=None), await place.create("Bob", room=None)
        assert re.fullmatch(r"\w{4}-\w{4}", ada.seen.code)
        assert ada.seen.code != bob.seen.code
        assert ada.seen.log != bob.seen.log
        await place.join("Cy", ada.seen.code.upper())
        assert "Cy" in place.room(ada.seen.code).members


@each("name", ["the attic", " The  ATTIC ", "Ｔhe Attic"])
async def test_rooms_are_found_however_their_name_is_written(name: str) -> None:
    async with lobby() as place:
        await place.create("Ada", "The Attic")
        bob = await place.call("Bob")
        assert await bob.refusal("create_room", token="0123456789", room=name) == "room_exists"
        await bob.do("join_room", room=name)


async def test_a_room_that_looks_like_another_one_gets_another_name() -> None:
    async with lobby() as place:
        await place.create("Ada", "Attic 1")
        bob = await place.call("Bob")
        wanted = {"token": "0123456789", "room": "Attic l"}
        assert await bob.refusal("create_room", **wanted) == "looks_alike"
        await bob.do("create_room", token="0123456789", room="Attic l 2")


@each(
    "fields, code",
    [
        ({"room": "  "}, "bad_name"),
        ({"room": "Аttic"}, "bad_name"),
        ({"room": "attic/../cellar"}, "bad_name"),
        ({"room": "x" * 25}, "bad_name"),
        ({"settings": {"game": "chess"}}, "bad_option"),
        ({"settings": {"options": {"rows": 0}}}, "bad_option"),
        ({"settings": {"options": {"depth": 3}}}, "bad_option"),
        ({"settings": {"options": {"rows": 1, "cols": 1, "border": "full"}}}, "bad_option"),
        ({"settings": {"game": "noughts", "seats": 1}}, "bad_option"),
        ({"settings": {"seats": 9}}, "too_many_seats"),
        ({"settings": {"options": {"rows": 6, "cols": 6}}}, "too_large"),
        ({"settings": {"options": {"rows": 999, "cols": 999}}}, "bad_option"),
        ({"settings": {"private": True}}, "bad_option"),
        ({"password": "open sesame"}, "bad_option"),
    ],
)
async def test_rooms_that_will_not_do_are_refused_and_leave_nothing_behind(
    fields: dict[str, Any], code: str
) -> None:
    async with lobby(seats=8, board=60, rooms_per_name=1) as place:
        ada = await place.call("Ada")
        request = {"token": "0123456789", "room": "attic"} | fields
        assert await ada.refusal("create_room", **request) == code
        assert len(place.server._directory) == 0
        await ada.do("create_room", token="0123456789", room="attic")


async def test_a_server_has_only_so_many_rooms() -> None:
    async with lobby(rooms=2) as place:
        await place.create("Ada", "attic")
        await place.create("Bob", "cellar")
        cy = await place.call("Cy")
        assert await cy.refusal("create_room", token="0123456789") == "too_many_rooms"


async def test_a_room_has_only_so_many_members() -> None:
    async with lobby(members=2) as place:
        await place.create("Ada")
        bob = await place.join("Bob")
        cy = await place.call("Cy")
        assert await cy.refusal("join_room", room="attic") == "room_full"
        await bob.do("leave")
        await cy.do("join_room", room="attic")


async def test_chat_and_names_have_their_limits() -> None:
    async with lobby(chat_chars=5, name_chars=3) as place:
        ada = await place.create("Ada", "abc")
        await ada.do("say", text="hello")
        assert await ada.refusal("say", text="hello!") == "too_long"
        await ada.do("stand")
        assert await ada.refusal("sit", name="Adam") == "bad_name"


# The same request again


async def test_the_same_token_leads_to_the_same_room() -> None:
    async with lobby() as place:
        request: dict[str, Any] = {"token": "0123456789", "settings": ONE_BOX}
        ada = await place.call("Ada")
        await ada.do("create_room", **request)
        ada.cut()
        again = await place.call("Ada")
        await again.do("create_room", **request)
        assert again.seen.code == ada.seen.code
        assert len(place.server._directory) == 1
        bob = await place.call("Bob")
        await bob.do("create_room", **request)  # a token is its sender's own
        assert len(place.server._directory) == 2


@each("fields", [{}, PRIVATE])
async def test_the_same_token_over_two_connections_at_once(fields: dict[str, Any]) -> None:
    async with lobby() as place:
        talks = [await place.call("Ada"), await place.call("Ada")]
        for talk in talks:
            await talk.say("create_room", id=1, token="0123456789", **fields)
        ends = {asyncio.ensure_future(talk.close_code()): talk for talk in talks}
        ended, others = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        assert [end.result()[0] for end in ended] == [4001]  # whichever came in first
        for other in others:
            other.cancel()
            await asyncio.wait([other])
            await ends[other].do("say", text="there is one room, and I am in it")
        assert len(place.server._directory) == 1


# Private rooms


async def test_a_private_room_needs_its_password() -> None:
    async with lobby() as place:
        await place.create("Ada", **PRIVATE)
        bob = await place.call("Bob")
        assert await bob.refusal("join_room", room="attic") == "wrong_password"
        wrong = await bob.refusal("join_room", room="attic", password="open says me")
        assert wrong == "wrong_password"
        await bob.do("join_room", room="attic", password="open sesame")


async def test_who_is_known_in_a_private_room_comes_back_without_the_password() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", **PRIVATE)
        bob = await place.join("Bob", password="open sesame")
        bob.cut()
        await ada.event("dropped", member="Bob")
        await place.join("Bob")
        await ada.event("returned", member="Bob")


async def test_a_password_for_a_public_room_does_no_harm() -> None:
    async with lobby() as place:
        await place.create("Ada")
        await place.join("Bob", password="open sesame")


async def test_many_guesses_at_once_are_all_answered() -> None:
    async with lobby() as place:
        await place.create("Ada", **PRIVATE)
        callers = [await place.call(f"Guest {number}") for number in range(6)]
        codes = await asyncio.gather(
            *(it.refusal("join_room", room="attic", password="please") for it in callers)
        )
        assert set(codes) == {"wrong_password"}


async def test_guessing_ends_soon_and_who_belongs_there_still_comes_back() -> None:
    async with lobby(wrong_passwords=3, wrong_passwords_per_s=0.01) as place:
        ada = await place.create("Ada", **PRIVATE)
        bob = await place.join("Bob", password="open sesame")
        eve = await place.call("Eve")
        codes = [
            await eve.refusal("join_room", room="attic", password=f"guess {number}")
            for number in range(4)
        ]
        assert codes == ["wrong_password", "wrong_password", "too_fast", "too_fast"]
        assert await eve.refusal("join_room", room="attic", password="open sesame") == "too_fast"
        bob.cut()
        await ada.event("dropped", member="Bob")
        await place.join("Bob", password="open sesame")
        place.clock.advance(100)
        await eve.do("join_room", room="attic", password="open sesame")


async def test_private_rooms_without_end_are_too_many_hashes() -> None:
    async with lobby(wrong_passwords=2, wrong_passwords_per_s=0.01) as place:
        eve = await place.call("Eve")
        await place.create("Ada")
        token = "0123456789"
        for _ in range(2):
            code = await eve.refusal("create_room", token=token, room="attic", **PRIVATE)
            assert code == "room_exists"
        assert await eve.refusal("create_room", token=token, room="attic", **PRIVATE) == "too_fast"
        await eve.do("create_room", token=token, room="cellar")


# Too much for one


async def test_one_person_has_so_many_rooms() -> None:
    async with lobby(rooms_per_name=2, empty_room_s=60.0) as place:
        ada = await place.call("Ada")
        for room in ("attic", "cellar"):
            await ada.do("create_room", token=f"token of {room}", room=room)
            await ada.do("leave")
        asking = {"token": "another token", "room": "loft"}
        assert await ada.refusal("create_room", **asking) == "too_many_rooms"
        await ada.do("create_room", token="token of cellar", room="cellar")  # the one that is there
        await ada.do("leave")
        await place.create("Bob", "balcony")
        place.clock.advance(60)
        await until(lambda: len(place.server._directory) == 1)
        await ada.do("create_room", **asking)


async def test_one_address_has_so_many_rooms() -> None:
    async with lobby(rooms_per_address=2) as place:
        await place.create("Ada", "attic")
        await place.create("Bob", "cellar")
        cy = await place.call("Cy")
        asking = {"token": "another token", "room": "loft"}
        assert await cy.refusal("create_room", **asking) == "too_many_rooms"
        await cy.do("join_room", room="attic")


async def test_the_rooms_of_one_person_have_so_many_bots() -> None:
    async with lobby(bots_per_name=3) as place:
        four = {**ONE_BOX, "seats": 4}
        ada = await place.create("Ada", "attic", settings=four)
        bob = await place.create("Bob", "cellar", settings=four)
        await ada.do("seat_bot", bot="greedy")
        await ada.do("seat_bot", bot="greedy")
        await ada.do("leave")
        await ada.do("create_room", token="another token", room="loft", settings=four)
        assert await ada.refusal("fill", bot="greedy") == "too_many_bots"
        await ada.do("seat_bot", bot="greedy")
        assert await ada.refusal("seat_bot", bot="greedy") == "too_many_bots"
        await bob.do("fill", bot="greedy")


async def test_a_bot_that_is_to_stand_in_is_one_of_them() -> None:
    async with lobby(bots_per_name=1) as place:
        settings = {"options": {"rows": 3, "cols": 3}, "seats": 3, "stand_in_s": 5}
        ada = await place.create("Ada", settings=settings)
        await place.join("Bob")
        await ada.do("seat_bot", bot="greedy")
        await ada.do("start")
        await ada.do("play", seat=0, move="h0", ply=0)
        place.clock.advance(5)
        assert await ada.refusal("stand_in", seat=1) == "too_many_bots"


async def test_a_room_has_so_many_spectators() -> None:
    async with lobby(spectators=1) as place:
        await place.create("Ada")
        await place.join("Bob", watch=True)
        cy = await place.call("Cy")
        assert await cy.refusal("join_room", room="attic", watch=True) == "room_full"
        await cy.do("join_room", room="attic")
        dan = await place.call("Dan")
        assert await dan.refusal("join_room", room="attic") == "room_full"


async def test_who_is_lost_while_the_password_is_checked_is_not_in_the_room() -> None:
    async with lobby() as place:
        await place.create("Ada", **PRIVATE)
        bob = await place.call("Bob")
        await bob.say("join_room", room="attic", password="open sesame", watch=True)
        await until(lambda: place.server._directory._passwords._turns._is_taken)
        bob.cut()
        await until(lambda: len(place.server._sessions) == 1)
        await until(lambda: not place.server._tasks._running)
        await until(lambda: set(place.room().members) == {"Ada"})


# The list


async def test_the_list_has_the_open_rooms_with_seats_first() -> None:
    async with lobby() as place:
        await place.create("Ada", "attic")
        await place.join("Bob", "attic")
        await place.join("Cy", "attic")
        await place.create("Dan", "cellar")
        await place.create("Eve", "balcony")
        await place.create("Fay", "den", settings={"seats": 3})
        await place.join("Gus", "den")
        await place.create("Hal", "hidden", **PRIVATE)
        caller = await place.call("Ida")
        rooms = (await caller.ask("list_rooms"))["rooms"]
        assert [room["room"] for room in rooms] == ["den", "balcony", "cellar", "attic"]
        assert rooms[-1] == {
            "room": "attic",
            "settings": ONE_BOX,
            "phase": "waiting",
            "host": "Ada",
            "people": 2,
            "bots": 0,
            "empty_seats": 0,
            "spectators": 1,
        }


async def test_the_list_counts_bots_and_says_what_goes_on() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings={**ONE_BOX, "seats": 3})
        await place.join("Bob")
        await ada.do("seat_bot", bot="random")
        await ada.do("start")
        caller = await place.call("Ida")
        (room,) = (await caller.ask("list_rooms"))["rooms"]
        assert (room["people"], room["bots"], room["empty_seats"]) == (2, 1, 0)
        assert room["phase"] == "playing"


async def test_the_list_has_no_rooms_without_people_and_no_more_than_its_limit() -> None:
    async with lobby(listed=2) as place:
        for name in ("Ada", "Bob", "Cy"):
            await place.create(name, f"room of {name}")
        dan = await place.create("Dan", "a room")
        await dan.do("leave")
        rooms = (await dan.ask("list_rooms"))["rooms"]
        assert [room["room"] for room in rooms] == ["room of Ada", "room of Bob"]


# The end


async def is_gone(place: Lobby, room: str = "attic") -> bool:
    """Return whether the room doesn't exist any more."""
    talk = await place.call("Nosy")
    answer = await talk.ask("join_room", room=room)
    await talk.hang_up()
    return bool(answer.get("code") == "no_such_room")


async def test_a_room_is_closed_when_nobody_has_been_there_for_a_while() -> None:
    async with lobby(empty_room_s=60, grace_s=1000) as place:
        ada, bob = await place.create("Ada"), await place.join("Bob", watch=True)
        place.clock.advance(100)
        ada.cut()
        await bob.event("dropped", member="Ada")
        place.clock.advance(100)
        await bob.do("leave")
        place.clock.advance(59)
        await bob.do("join_room", room="attic")
        place.clock.advance(100)
        await bob.do("leave")
        place.clock.advance(60)
        assert await is_gone(place)


async def test_the_time_begins_anew_whenever_the_last_one_leaves() -> None:
    async with lobby(empty_room_s=60) as place:
        ada = await place.create("Ada")
        await ada.do("leave")
        place.clock.advance(30)
        await ada.do("join_room", room="attic")
        place.clock.advance(20)
        await ada.do("leave")
        place.clock.advance(59)
        assert not await is_gone(place)


async def test_the_code_of_a_closed_room_is_free_again() -> None:
    async with lobby(empty_room_s=60) as place:
        for _ in range(3):
            ada = await place.create("Ada")
            assert ada.seen.seq == 3
            await ada.do("leave")
            place.clock.advance(60)
            assert await is_gone(place)
        assert len(place.server._directory) == 0
        assert place.server._directory._by_request == {}


async def test_a_room_that_is_left_while_a_game_is_on_ends_too() -> None:
    async with lobby(empty_room_s=60, grace_s=10) as place:
        ada = await place.create("Ada", settings={"options": {"rows": 9, "cols": 9}})
        await ada.do("fill", bot="random")
        await ada.do("start")
        await ada.do("leave")
        place.clock.advance(60)
        assert await is_gone(place)


async def test_coming_in_at_the_very_moment_of_the_end_is_in_or_out_and_never_between() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log), empty_room_s=60) as place:
        ada = await place.create("Ada")
        await ada.do("leave")
        bob = await place.call("Bob")
        host = place.host()
        log.gate.clear()
        id = await bob.say("join_room", room="attic")
        await log.at_gate.wait()
        place.clock.advance(60)
        await asyncio.sleep(0)  # the end has begun to wait for the same append
        log.gate.set()
        assert (await bob.answer(id))["type"] == "done"
        await bob.do("say", text="I came in first")
        assert place.host() is host


async def test_coming_in_right_behind_the_end_finds_no_room() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log), empty_room_s=60) as place:
        ada = await place.create("Ada")
        await ada.do("leave")
        bob = await place.call("Bob")
        host = place.host()
        log.gate.clear()
        place.clock.advance(60)
        await log.at_gate.wait()  # where the log is asked to forget the room
        assert (await bob.ask("join_room", room="attic"))["code"] == "no_such_room"
        log.gate.set()
        await until(lambda: len(place.server._directory) == 0)
        await bob.do("create_room", token="0123456789", room="attic")
        assert place.host() is not host
        await bob.do("say", text="a new room, with a log of its own")


async def test_a_code_is_free_only_when_the_log_of_the_old_room_is_gone() -> None:
    log = GateLog()
    async with lobby(empty_room_s=60, storage=memory_storage(log)) as place:
        ada = await place.create("Ada")
        await ada.do("leave")
        log.gate.clear()
        place.clock.advance(60)
        await log.at_gate.wait()
        assert await ada.refusal("create_room", token="a new token", room="attic") == "room_exists"
        id = await ada.say("join_room", room="attic")
        log.gate.set()
        assert (await ada.answer(id))["code"] == "no_such_room"
        await ada.do("create_room", token="a new token", room="attic")
        await ada.do("say", text="a new room")


async def test_the_code_of_a_room_that_is_refused_is_not_free_before_its_log_is_gone() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await place.call("Ada"), await place.call("Bob")
        log.gate.clear()
        settings = {"options": {"rows": 0}}
        id = await ada.say("create_room", token="0123456789", room="attic", settings=settings)
        await log.at_gate.wait()
        assert await bob.refusal("create_room", token="0123456789", room="attic") == "room_exists"
        log.gate.set()
        assert (await ada.answer(id))["code"] == "bad_option"
        await bob.do("create_room", token="0123456789", room="attic")


async def test_nobody_is_left_in_a_room_that_could_not_be_made() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await place.call("Ada"), await place.call("Bob")
        log.gate.clear()
        log.fails = True
        made = await ada.say("create_room", token="0123456789", room="attic")
        await log.at_gate.wait()
        id = await bob.say("join_room", room="attic")
        await until_waiting(place.host(), 2)
        log.gate.set()
        assert (await ada.answer(made))["code"] == "cannot_save"
        assert (await bob.answer(id))["code"] == "no_such_room"
        assert len(place.server._directory) == 0
        await bob.do("create_room", token="0123456789", room="attic")


async def test_a_member_who_is_kicked_by_another_host_is_out_of_this_one() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        await place.create("Ada")
        other_host = hosted(log, place.clock, room=place.room())
        bob = await place.join("Bob")
        await other_host.perform(cmd.FromMember("Ada", cmd.Kick(1, "Bob")))
        await bob.event("kicked", member="Bob")
        assert await bob.refusal("say", text="hello?") == "not_in_a_room"
        assert await bob.refusal("join_room", room="attic") == "barred"
        await other_host.close()


async def test_names_of_rooms_are_compared_as_they_are_kept() -> None:
    async with lobby() as place:
        await place.create("Ada", "Straße")
        assert fold("STRASSE") in place.server._directory._by_code
