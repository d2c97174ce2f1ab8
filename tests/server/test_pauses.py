"""Pauses over real connections: no timer and no bot acts, whatever happens to the server."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.server.manual_clock import ManualClock
from tests.server.stores import Store, lobby_on
from tests.server.talk import Lobby, Talk, lobby, say_hello, until

from boxroom_engine.room.room import Audience
from boxroom_engine.room.view import snapshot

ONE_LOOP = True
HOUR_S = 3600.0
TWO_BOXES: dict[str, Any] = {"options": {"rows": 1, "cols": 2}}

Ended = Callable[[Lobby, Store], Awaitable[Store]]


async def stopped(place: Lobby, store: Store) -> Store:
    await place.server.stop()
    return store


async def crashed(place: Lobby, store: Store) -> Store:
    return await store.copy()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def knowing(place: Lobby, name: str, **fields: Any) -> Talk:
    """Connect a client that knows pauses, and have it join the room."""
    talk = await place.connect(name)
    await say_hello(talk, knows=["pauses", "requests"])
    assert (await talk.hear())["type"] == "welcome"
    await talk.do("join_room", room="attic", **fields)
    return talk


async def paused_game(place: Lobby, **settings: Any) -> tuple[Talk, Talk]:
    """Return Ada, the host, and Bob in a game that she pauses after 20 of her 60 seconds."""
    ada = await place.create("Ada", settings={**TWO_BOXES, "clock_s": 60, **settings})
    bob = await knowing(place, "Bob")
    await ada.do("start")
    await bob.event("started")
    place.clock.advance(20.0)
    await ada.do_once_saved("pause")
    await bob.event("paused")
    return ada, bob


def clock_s(place: Lobby) -> float:
    """Return the seconds that are left to the player to move."""
    room = place.room()
    assert room.deadline_ms is not None
    return (room.deadline_ms - room.time_ms(place.clock.now_ms())) / 1000


async def test_no_clock_runs_out_and_nobody_drops_out() -> None:
    async with lobby() as place:
        ada, bob = await paused_game(place)
        bob.cut()
        await ada.event("dropped", member="Bob")
        before = place.room()
        place.clock.advance(HOUR_S)
        assert await ada.refusal("play", seat=0, move="h0", ply=0) == "paused"
        assert place.room() is before
        await ada.do("unpause")
        assert clock_s(place) == 40.0
        assert not place.room().is_gone("Bob")
        place.clock.advance(41.0)
        await ada.event("played", by="clock")


async def test_a_bot_doesnt_move_and_goes_on_afterwards() -> None:
    async with lobby(pace_s=5.0) as place:
        ada = await place.create("Ada", settings=TWO_BOXES)
        await ada.do("fill", bot="greedy")
        await ada.do("start")
        await ada.do("play", seat=0, move="h0", ply=0)
        await ada.do("pause")
        place.clock.advance(HOUR_S)
        await ada.do("say", text="the bot waits")
        assert place.room().ply == 1
        await ada.do("unpause")

        def has_moved() -> bool:
            place.clock.advance(1.0)
            return place.room().ply == 2

        await until(has_moved)


@pytest.mark.parametrize("end", [stopped, crashed])
async def test_a_pause_outlives_the_server(store: Store, clock: ManualClock, end: Ended) -> None:
    async with lobby_on(store, clock) as place:
        await paused_game(place)
        left = await end(place, store)
    clock.advance(HOUR_S)
    async with lobby_on(left, clock) as place:
        ada = await place.join("Ada")
        clock.advance(HOUR_S)
        assert place.room().pause is not None
        assert await ada.refusal("play", seat=0, move="h0", ply=0) == "paused"
        await ada.do_once_saved("unpause")
        assert clock_s(place) == 40.0
        await ada.do("play", seat=0, move="h0", ply=0)


async def test_muted_people_stay_muted(store: Store, clock: ManualClock) -> None:
    async with lobby_on(store, clock) as place:
        ada, bob = await place.game_of_two()
        await ada.do("mute", member="Bob")
        assert await bob.refusal("say", text="spam") == "muted"
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        bob = await place.join("Bob")
        assert await bob.refusal("react", reaction="wow") == "muted"


async def test_a_client_that_doesnt_know_pauses_gets_the_room_when_the_game_goes_on() -> None:
    async with lobby() as place:
        ada, bob = await paused_game(place)
        eve = await place.join("Eve", watch=True)
        place.clock.advance(HOUR_S)
        await ada.do("unpause")
        entered = await eve.hear_until(lambda message: message["type"] == "in_room")
        assert entered["room"]["deadline_ms"] == place.room().deadline_ms
        await bob.until_seq(place.room().seq)
        known = snapshot(bob.seen, Audience.SPECTATOR)
        assert known == snapshot(place.room(), Audience.SPECTATOR)


async def test_a_host_asks_for_its_powers() -> None:
    async with lobby() as place:
        ada, bob = await paused_game(place)
        answer = await ada.ask("get_powers")
        listed = {power["power"]: power for power in answer["powers"]}
        assert "refused" not in listed["unpause"]
        assert listed["kick"]["arguments"] == {"member": "Bob"}
        assert listed["start"]["refused"]["key"] == "refusal.game_on"
        assert listed["start"]["message"].startswith("a game is on")
        assert (await bob.ask("get_powers"))["powers"] == []
        stranger = await place.call("Zoe")
        assert await stranger.refusal("get_powers") == "not_in_a_room"
