"""The rules of docs/explanation/identity.md, over real sockets."""

import asyncio
import random

import pytest
from tests.cases import each
from tests.server.hosting import GateLog, SlowLog, outcome_of
from tests.server.manual_clock import ManualClock
from tests.server.stores import Store, lobby_on
from tests.server.talk import (
    ONE_BOX,
    Lobby,
    Talk,
    lobby,
    say_hello,
    secret_of,
    until,
    until_waiting,
)

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import CommandRefused
from boxroom_server.admin import messages as m
from boxroom_server.rooms.room_connections import Membership
from boxroom_server.storage.memory.storage import memory_storage

ONE_LOOP = True
HOUR_S = 3_600


async def administrate(place: Lobby, message: m.Request) -> None:
    answer = await place.server.admin_commands.execute(message, lambda: None)
    assert isinstance(answer, m.Done), answer


async def stranger(place: Lobby, name: str) -> str:
    """Greet as `name` with another secret; return the refusal's code, or `welcome`."""
    talk = await place.connect(name)
    await say_hello(talk, secret="a secret that is another one")
    answer = await talk.hear()
    return str(answer.get("code", answer["type"]))


async def game_of_two(place: Lobby) -> tuple[Talk, Talk]:
    """Start a game of one box in the attic between Ada, the host, and Bob, who is to move."""
    ada, bob = await place.game_of_two()
    await ada.do("play", seat=0, move="h0", ply=0)
    await bob.event("played")
    return ada, bob


# Two devices


async def test_two_devices_may_be_in_two_rooms() -> None:
    async with lobby() as place:
        at_home = await place.create("Ada", "attic")
        on_the_way = await place.call("Ada")
        await on_the_way.do("create_room", token="another token", room="cellar")
        assert await at_home.do("say", text="at home")
        assert await on_the_way.do("say", text="on the way")


async def test_in_one_room_the_newest_wins() -> None:
    async with lobby() as place:
        at_home = await place.create("Ada")
        on_the_way = await place.join("Ada")
        assert await at_home.close_code() == (4001, "you came in over another connection")
        assert await on_the_way.do("say", text="it's me")
        assert place.room().host == "Ada", "it wasn't even away"


# Secrets


async def test_without_its_secret_a_name_stays_taken() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        await ada.hang_up()
        assert await stranger(place, "ada") == "name_taken"


async def test_who_has_the_secret_is_the_owner_whoever_it_is() -> None:
    async with lobby() as place:
        ada, bob = await game_of_two(place)
        thief = await place.join("Bob")
        assert (await bob.close_code())[0] == 4001
        await thief.do("play", seat=1, move="h1", ply=1)
        await ada.event("played", seat=1)


async def test_a_name_nobody_came_with_is_anybodys_unless_it_is_in_a_room() -> None:
    async with lobby(name_days=2 / 24, empty_room_s=3 * HOUR_S) as place:
        ada, bob = await game_of_two(place)
        eve = await place.call("Eve")
        for talk in (ada, bob, eve):
            await talk.hang_up()
        await until(lambda: not any(place.room().connected_players()))
        place.clock.advance(2 * HOUR_S + 1)
        assert await stranger(place, "Eve") == "welcome"
        assert await stranger(place, "Bob") == "name_taken"
        place.clock.advance(HOUR_S)
        await until(lambda: len(place.server._directory) == 0)
        assert await stranger(place, "Bob") == "welcome"


async def test_a_released_name_takes_its_seat_and_its_powers_along() -> None:
    async with lobby() as place:
        _, bob = await game_of_two(place)
        await administrate(place, m.Release("Ada"))
        assert await stranger(place, "aDa") == "welcome"
        await bob.event("dropped", member="Ada")
        heir = await place.connect("ADA")
        await say_hello(heir, secret="a secret that is another one")
        await heir.do("join_room", room="attic")
        assert heir.seen.seats[0].member == "Ada"
        assert await heir.do("hand_over", member="Bob")


# In the middle of something


@each("message", [m.Ban("Bob"), m.Release("Bob")])
async def test_a_move_that_is_being_saved_counts_and_nothing_after_it(message: m.Request) -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await game_of_two(place)
        log.gate.clear()
        log.at_gate.clear()
        await bob.say("play", seat=1, move="h1", ply=1)
        await log.at_gate.wait()
        await administrate(place, message)
        await bob.say("say", text="you can't get rid of me")
        log.gate.set()
        await ada.event("played", move="h1")
        assert (await bob.close_code())[0] == 4003
        await ada.event("kicked" if isinstance(message, m.Ban) else "dropped", member="Bob")
        assert not place.room().chat


async def test_who_is_banned_while_coming_in_goes_out_again() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada = await place.create("Ada")
        log.gate.clear()
        bob = await place.call("Bob")
        await bob.say("join_room", room="attic")
        await until_waiting(place.host(), 1)
        await administrate(place, m.Ban("Bob"))
        log.gate.set()
        await ada.event("joined", member="Bob")
        await ada.event("kicked", member="Bob")
        assert (await bob.close_code())[0] == 4003


async def test_whose_connection_is_about_to_end_comes_into_no_room() -> None:
    async with lobby() as place:
        await place.create("Ada")
        await place.call("Bob")
        (session,) = place.server._sessions.with_name("Bob")
        session.terminate("enough")
        with pytest.raises(CommandRefused):
            await place.host().enter(Membership("Bob", session.connection), cmd.Enter("Bob"))
        assert "Bob" not in place.room().members


@each("turns", range(0, 60, 4))
async def test_a_ban_at_any_moment_leaves_nothing_of_who_is_banned(turns: int) -> None:
    async with lobby(storage=memory_storage(SlowLog(random.Random(turns)))) as place:
        await place.create("Ada")
        bob = await place.call("Bob")

        async def come_and_go() -> None:
            await bob.say("create_room", token="12345678", room="cellar", settings=ONE_BOX)
            for _ in range(3):
                await bob.say("say", text="here I am")
                await bob.say("leave")
                await bob.say("join_room", room="attic")
                await bob.say("leave")
                await bob.say("join_room", room="cellar")

        coming = asyncio.create_task(come_and_go())
        for _ in range(turns):
            await asyncio.sleep(0)
        await administrate(place, m.Ban("Bob"))
        assert (await bob.close_code())[0] == 4003
        await asyncio.gather(coming, return_exceptions=True)
        for cell in list(place.server._directory):
            host = cell.host
            assert host is not None
            await outcome_of(host, cmd.Expel("nobody"))  # answered when all before it are
            assert "Bob" not in host.room.members
            assert not host.room.is_player("Bob")
            assert host.room.host != "Bob"


# Another name


async def under_another_name(place: Lobby, former: str, name: str, **fields: object) -> Talk:
    """Greet with the secret of `former` as `name`."""
    talk = await place.connect(name)
    await say_hello(talk, secret=secret_of(former), knows=["people"], **fields)
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def test_a_member_goes_on_under_another_name(store: Store) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        said = await ada.do("say", text="hello", id=7)
        anna = await under_another_name(place, "Ada", "Anna")
        await anna.do("join_room", room="attic", former_name="ADA")
        assert await ada.close_code() == (4001, "you came in over another connection")
        assert (anna.seen.host, anna.last_id) == ("Anna", 7)
        assert await anna.do("say", text="hello", id=7) == said
        await anna.do("say", text="it is me", id=8)
        await bob.event("said", member="Anna")
        assert bob.seen.members.keys() == {"Anna", "Bob"}  # though it doesn't know of names
    async with lobby_on(store, clock) as place:
        anna = await under_another_name(place, "Ada", "Anna")
        await anna.do("join_room", room="attic")
        assert place.room().is_player("Anna")
        assert not place.room().is_player("Ada")


async def test_the_same_is_done_once_after_a_lost_connection() -> None:
    async with lobby() as place:
        await place.create("Ada")
        for _ in range(2):
            anna = await under_another_name(place, "Ada", "Anna")
            await anna.do("join_room", room="attic", former_name="Ada")
            anna.cut()
        assert [*place.room().members] == ["Anna"]


async def test_only_the_owner_takes_a_membership_along() -> None:
    async with lobby() as place:
        await place.create("Ada")
        bob = await place.call("Bob")
        for former in ("Ada", "Nobody"):
            fields = {"room": "attic", "former_name": former}
            assert await bob.refusal("join_room", **fields) == "name_taken"
        assert [*place.room().members] == ["Ada"]


async def test_in_a_game_the_member_stays_who_it_is() -> None:
    async with lobby() as place:
        ada, _ = await place.game_of_two()
        anna = await under_another_name(place, "Ada", "Anna")
        assert await anna.refusal("join_room", room="attic", former_name="Ada") == "game_on"
        await ada.do("say", text="still Ada")
