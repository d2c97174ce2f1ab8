"""Games that begin with moves, over real connections, and after a crash of the server."""

from typing import Any

from tests.server.manual_clock import ManualClock
from tests.server.stores import Store, lobby_on
from tests.server.talk import Lobby, Talk, lobby, say_hello

from boxroom_engine.games.record import Record
from boxroom_engine.room.room import Audience
from boxroom_engine.room.view import snapshot

ONE_LOOP = True
OPENING = ["h0", "h2", "v0", "v1"]
BEGUN: dict[str, Any] = {"options": {"rows": 1, "cols": 2}, "opening": OPENING}


async def begun(place: Lobby) -> tuple[Talk, Talk]:
    """Have Ada and Bob begin a game after the opening, in which Bob took a box."""
    ada = await place.create("Ada", settings=BEGUN)
    bob = await place.join("Bob")
    await ada.do_once_saved("start")
    return ada, bob


async def test_a_client_that_knows_openings_hears_each_move_and_another_gets_the_room() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings=BEGUN)
        bob = await place.connect("Bob")
        await say_hello(bob, knows=["openings"])
        assert (await bob.hear())["type"] == "welcome"
        await bob.do("join_room", room="attic")
        await ada.say("start")
        entered = await ada.hear_until(lambda message: message["type"] == "in_room")
        assert entered["room"]["tokens"] == OPENING
        for move in OPENING:
            await bob.event("played", move=move, by="opening")
        assert snapshot(bob.seen, Audience.PLAYER) == snapshot(place.room(), Audience.PLAYER)
        assert await ada.refusal("play", seat=0, move="h1", ply=4) == "not_your_turn"
        await bob.do("play", seat=1, move="h1", ply=4)


async def test_it_outlives_the_server(store: Store) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        await begun(place)
        left = await store.copy()
    async with lobby_on(left, clock) as place:
        bob = await place.join("Bob")
        assert place.room().tokens == tuple(OPENING)
        assert await bob.refusal("undo", ply=4) == "nothing_to_undo"
        await bob.do("play", seat=1, move="v2", ply=4)


async def test_a_finished_game_has_its_opening(store: Store) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        await begun(place)
        bob = await place.join("Bob")
        await place.until_owned()
        await bob.do_once_saved("resign", seat=1)
    async with lobby_on(store, clock) as place:
        ada = await place.call("Ada")
        (listed,) = (await ada.ask("list_games"))["games"]
        found = await ada.ask("get_game", game=listed["game"])
        assert Record.parse(found["record"]).opening == len(OPENING)
        assert found["room"]["settings"]["opening"] == OPENING


async def test_a_room_whose_settings_changed_since_its_last_game_says_nothing_else_of_that(
    store: Store,
) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        ada, bob = await begun(place)
        await place.until_owned()
        await bob.do_once_saved("resign", seat=1)
        assert place.room().opening == len(OPENING)
        longer = {**BEGUN, "opening": [*OPENING, "h1"]}
        await ada.do_once_saved("configure", settings=longer)
    async with lobby_on(store, clock) as place:
        ada = await place.join("Ada")
        assert place.room().record is None
        (listed,) = (await ada.ask("list_games"))["games"]
        found = await ada.ask("get_game", game=listed["game"])
        assert Record.parse(found["record"]).opening == len(OPENING)
        assert await ada.refusal("get_review") == "not_over"


async def test_a_host_is_told_why_a_game_cant_begin_so() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        settings = {**BEGUN, "opening": ["h0", "h0"]}
        assert await ada.refusal("configure", settings=settings) == "bad_option"
        await ada.do("configure", settings=BEGUN)
