"""Takebacks over real connections, of clients that know them and of clients that don't."""

from typing import Any

from tests.server.manual_clock import ManualClock
from tests.server.stores import Store, lobby_on
from tests.server.talk import Lobby, Message, Talk, lobby, say_hello

from boxroom_engine.room.room import Audience
from boxroom_engine.room.view import snapshot

ONE_LOOP = True
TWO_BOXES: Message = {"options": {"rows": 1, "cols": 2}}


async def newer(place: Lobby, name: str) -> Talk:
    """Connect a client that knows takebacks."""
    talk = await place.connect(name)
    await say_hello(talk, knows=["takebacks", "what comes later"])
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def create(talk: Talk, **settings: Any) -> Talk:
    chosen = {**TWO_BOXES, **settings}
    await talk.do("create_room", token="a token of Ada", room="attic", settings=chosen)
    return talk


async def join(talk: Talk, **fields: Any) -> Talk:
    await talk.do("join_room", room="attic", **fields)
    return talk


async def a_game(place: Lobby, *, is_bob_newer: bool) -> tuple[Talk, Talk]:
    """Start a game of Ada, who knows takebacks, and Bob, in which Ada has played h0."""
    ada = await create(await newer(place, "Ada"))
    bob = await join(await (newer(place, "Bob") if is_bob_newer else place.call("Bob")))
    await ada.do("start")
    await ada.do("play", seat=0, move="h0", ply=0, game=1)
    await bob.event("played")
    return ada, bob


async def undo_for(place: Lobby, ada: Talk, bob: Talk) -> None:
    """Take Ada's move back with Bob's consent, who asks for it in a way that every client can."""
    await ada.do("undo", ply=place.room().ply, game=1)
    asked = place.room().undo
    assert asked is not None
    await bob.do("answer_undo", ply=asked.ply, agree=True)
    await ada.event("undone")


def is_as_the_server_knows(place: Lobby, talk: Talk) -> bool:
    return snapshot(talk.seen, Audience.SPECTATOR) == snapshot(place.room(), Audience.SPECTATOR)


async def test_a_takeback_with_consent() -> None:
    async with lobby() as place:
        ada, bob = await a_game(place, is_bob_newer=True)
        await ada.do("undo", ply=1, game=1)
        assert await bob.event("undo_asked") == {
            "type": "undo_asked",
            "member": "Ada",
            "keeps": 0,
        }
        await bob.do("answer_undo", ply=1, agree=True, game=1)
        assert await ada.event("undone") == {
            "type": "undone",
            "member": "Ada",
            "keeps": 0,
            "ply": 2,
            "to_move": 0,
            "scores": [0, 0],
        }
        assert is_as_the_server_knows(place, bob)
        assert await ada.refusal("play", seat=0, move="h0", ply=0) == "stale"
        await ada.do("play", seat=0, move="h1", ply=2)
        await bob.event("played", move="h1")
        await bob.do("play", seat=1, move="h0", ply=3)


async def test_a_move_that_is_sent_again_after_a_takeback() -> None:
    """If it was accepted it has its answer still, and else it is stale, on the same board too."""
    async with lobby() as place:
        ada, bob = await a_game(place, is_bob_newer=True)
        accepted = ada.last_id
        seq = await ada.do("play", id=accepted, seat=0, move="h0", ply=0, game=1)
        await undo_for(place, ada, bob)
        assert await ada.do("play", id=accepted, seat=0, move="h0", ply=0, game=1) == seq
        assert place.room().tokens == ()
        for id in (100, 101):
            fields = {"seat": 0, "move": "h0", "ply": 0, "game": 1}
            assert await ada.refusal("play", id=id, **fields) == "stale"


async def test_a_client_without_takebacks_gets_the_room_anew_and_plays_on() -> None:
    async with lobby() as place:
        ada, bob = await a_game(place, is_bob_newer=False)
        await ada.do("undo", ply=1)
        await bob.hear_until(lambda it: it.get("events") == [{"type": "hidden"}])
        heard = len(bob.heard)
        await bob.do("answer_undo", ply=1, agree=True)
        (in_room, done) = bob.heard[heard:]
        assert in_room["type"] == "in_room"
        assert (in_room["you"], in_room["audience"]) == ("Bob", "player")
        assert in_room["last_id"] == done["id"]
        seen = in_room["room"]
        assert (seen["seq"], seen.get("tokens", []), seen["ply"]) == (done["seq"], [], 2)
        assert is_as_the_server_knows(place, bob)
        await ada.do("play", seat=0, move="h1", ply=2)
        await bob.event("played", move="h1")
        assert await bob.refusal("play", seat=1, move="h0", ply=1) == "stale"
        await bob.do("play", seat=1, move="h0", ply=3)
        assert [it["type"] for it in bob.heard].count("in_room") == 2


async def test_resuming_across_a_takeback() -> None:
    for is_newer in (True, False):
        async with lobby() as place:
            ada = await create(await newer(place, "Ada"))
            await ada.do("seat_bot", bot="random")
            cleo = await join(await (newer(place, "Cleo") if is_newer else place.call("Cleo")))
            after, log = cleo.seen.seq, cleo.seen.log
            before = cleo.seen
            cleo.cut()
            await ada.event("left", member="Cleo")
            await ada.do("start")
            await ada.do("play", seat=0, move="h0", ply=0)
            await ada.event("played", seat=1)
            await ada.do("undo", ply=2)
            cleo = await (newer(place, "Cleo") if is_newer else place.call("Cleo"))
            cleo.room = before
            await join(cleo, watch=True, after=after, log=log)
            assert cleo.resumed_after == (after if is_newer else None)
            assert cleo.seen.tokens == ()
            assert is_as_the_server_knows(place, cleo)
            after = cleo.seen.seq
            cleo.cut()
            await ada.event("left", member="Cleo")
            await ada.do("say", text="still there?")
            back = await (newer(place, "Cleo") if is_newer else place.call("Cleo"))
            back.room = cleo.seen
            await join(back, watch=True, after=after, log=log)
            assert back.resumed_after == after


async def test_a_bot_that_was_thinking_plays_nothing_into_the_position_after() -> None:
    clock = ManualClock()
    async with lobby(clock=clock, pace_s=5.0) as place:
        ada = await create(await newer(place, "Ada"))
        await ada.do("seat_bot", bot="random")
        await ada.do("start")
        await ada.do("play", seat=0, move="h0", ply=0)
        await ada.do("undo", ply=1)
        await ada.do("play", seat=0, move="h0", ply=2)
        clock.advance(5.0)
        await ada.event("played", by="bot")
        clock.advance(5.0)
        await ada.do("say", text="and now?")
        assert len(place.room().tokens) == 2
        assert place.room().ply == 4


async def test_a_room_after_a_takeback_comes_back_after_a_restart(store: Store) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        ada, bob = await a_game(place, is_bob_newer=True)
        await undo_for(place, ada, bob)
        before = place.room()
    async with lobby_on(store, clock) as place:
        ada = await join(await newer(place, "Ada"))
        after = place.room()
        assert (after.ply, after.tokens, after.undos) == (before.ply, before.tokens, 1)
        assert await ada.refusal("play", seat=0, move="h0", ply=0) == "stale"
        await ada.do("play", seat=0, move="h0", ply=2)


async def test_the_ledger_has_the_moves_that_stand(store: Store) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        ada, bob = await a_game(place, is_bob_newer=True)
        await undo_for(place, ada, bob)
        await ada.do("play", seat=0, move="v1", ply=2)
        await place.until_owned()
        await bob.do("resign", seat=1)
    async with lobby_on(store, clock) as place:
        ada = await place.call("Ada")
        (game,) = (await ada.ask("list_games"))["games"]
        record = (await ada.ask("get_game", game=game["game"]))["record"]
    assert record.endswith("| Ada, Bob | v1 ~1")
