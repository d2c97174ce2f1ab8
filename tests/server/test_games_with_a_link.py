"""Finished games that everybody sees by their links, over real sockets."""

import json

from tests.engine.games.dots.recorded_games import SMALL
from tests.server.manual_clock import ManualClock
from tests.server.stores import Store, lobby_on
from tests.server.talk import Lobby, Message, Talk, lobby, say_hello
from tests.server.test_reviews import ROW_OF_TWO, expected_judgement, expected_review, judgement

from boxroom_engine.games.record import Record
from boxroom_engine.room.room import Phase
from boxroom_engine.wire.links import GAME_LINK

ONE_LOOP = True


async def see(place: Lobby, link: str, talk: Talk | None = None) -> Message:
    """Ask for the game with that link, without a name."""
    stranger = talk or await place.connect()
    await stranger.connection.send(json.dumps({"type": "see_game", "link": link}))
    return await stranger.hear()


async def play_small(players: tuple[Talk, Talk]) -> None:
    record = Record.parse(SMALL)
    for position, move in zip(record.positions(), record.tokens, strict=False):
        seat = position.to_move
        assert seat is not None
        await players[seat].do("play", seat=seat, move=move, ply=position.ply)


async def test_a_game_of_a_public_room_is_seen_by_its_link_once_it_is_over(store: Store) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        ada, bob = await place.game_of_two(**ROW_OF_TWO)
        link = ada.seen.game_link
        assert GAME_LINK.fullmatch(link)
        assert bob.seen.game_link == link
        answer = await see(place, link)
        assert (answer["type"], answer["id"], answer["code"]) == ("refused", 0, "no_such_game")
        assert await ada.refusal("judge", ply=0, link=link) == "no_such_game"
        await place.until_owned()
        await play_small((ada, bob))
    async with lobby_on(store, clock) as place:
        stranger = await place.connect()
        answer = await see(place, link, stranger)
        assert (answer["type"], answer["id"], answer["record"]) == ("game_record", 0, SMALL)
        assert answer["game"]["link"] == answer["room"]["game_link"] == link
        stranger.name = "Eve"
        await say_hello(stranger)
        assert (await stranger.hear())["type"] == "welcome"
        review = await stranger.ask("get_review", link=link)
        assert review == {"type": "review", "id": stranger.last_id, **expected_review(SMALL)}
        assert await stranger.refusal("get_review", link="x" * 22) == "no_such_game"
        judged = await judgement(stranger, ply=1, move="h2", link=link)
        assert judged == expected_judgement(SMALL, 1, "h2")
        assert await stranger.refusal("judge", ply=1, link="x" * 22) == "no_such_game"
        assert await stranger.refusal("get_game", game=answer["game"]["game"]) == "no_such_game"


async def test_a_game_that_begins_as_a_player_comes_back_has_a_link(store: Store) -> None:
    async with lobby_on(store, ManualClock()) as place:
        ada, bob = await place.game_of_two(**ROW_OF_TWO)
        first = ada.seen.game_link
        await play_small((ada, bob))
        await bob.do("rematch")
        bob.cut()
        await ada.event("dropped")
        await ada.do("rematch")
        bob = await place.join("Bob")
        assert bob.seen.phase is Phase.PLAYING
        await ada.event("started")
        assert GAME_LINK.fullmatch(bob.seen.game_link)
        assert ada.seen.game_link == bob.seen.game_link != first


async def test_a_game_keeps_its_link_when_its_room_is_woken(store: Store) -> None:
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        ada, bob = await place.game_of_two(**ROW_OF_TWO)
        link = ada.seen.game_link
        await place.until_owned()
        await play_small((ada, bob))
    async with lobby_on(store, clock) as place:
        ada = await place.join("Ada")
        assert ada.seen.game_link == link
        await place.until_owned()
        games = (await (await place.call("Bob")).ask("list_games"))["games"]
        assert [game["link"] for game in games] == [link]


async def test_a_game_of_a_private_room_has_none(store: Store) -> None:
    async with lobby_on(store, ManualClock()) as place:
        settings = {**ROW_OF_TWO, "private": True}
        ada = await place.create("Ada", settings=settings, password="open sesame")
        await ada.do("fill", bot="greedy")
        await ada.do("start")
        assert ada.seen.game_link == ""


async def test_a_server_without_a_page_has_no_links(store: Store) -> None:
    async with lobby_on(store, ManualClock(), no_web=True) as place:
        ada, _ = await place.game_of_two()
        assert ada.seen.game_link == ""


async def test_a_server_that_keeps_no_games_has_no_links() -> None:
    async with lobby() as place:
        ada, _ = await place.game_of_two()
        assert ada.seen.game_link == ""
        assert (await see(place, "x" * 22))["code"] == "no_such_game"


async def test_what_is_no_link_is_a_bad_message() -> None:
    async with lobby() as place:
        assert (await see(place, "../../etc/passwd"))["code"] == "bad_message"
