"""Messages outside of rooms: signs of life, looks at a room, and a list of rooms that is kept."""

from typing import Any

from tests.cases import each
from tests.server.manual_clock import NOON_MS
from tests.server.talk import Lobby, Message, Talk, lobby, until

from boxroom_common.qr_codes import qr_modules
from boxroom_engine.wire.messages import MOST_QR_TEXT
from boxroom_server.net.clients import DELIVERY_WORK
from boxroom_server.rooms.list_watchers import EVERY_S

ONE_LOOP = True
SECRET = {"private": True}


async def watching(place: Lobby, name: str = "Wendy") -> Talk:
    """Connect a client that watches the list of rooms."""
    wendy = await place.call(name)
    assert await wendy.ask("watch_rooms") == {"type": "done", "id": 1, "seq": 0}
    return wendy


async def changes(place: Lobby, wendy: Talk) -> tuple[list[Message], list[str]]:
    """Let the time of one message pass, and return its rooms and those that are gone."""
    place.clock.advance(EVERY_S)
    message = await wendy.hear()
    assert message["type"] == "rooms_changed", message
    return message["rooms"], message["gone"]


async def hears_nothing(place: Lobby, talk: Talk) -> bool:
    """Whether nothing comes but the answer to a question, however much time passes."""
    heard = len(talk.heard)
    place.clock.advance(10 * EVERY_S)
    await talk.ask("ping")
    return [it["type"] for it in talk.heard[heard:]] == ["pong"]


# Signs of life


async def test_a_ping_is_answered_with_the_servers_time() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        assert await ada.ask("ping") == {"type": "pong", "id": 1, "now_ms": NOON_MS}
        place.clock.advance(2.5)
        await ada.do("create_room", token="a token of Ada", room="attic")
        assert (await ada.ask("ping"))["now_ms"] == NOON_MS + 2500


# Looks at a room


async def test_a_look_shows_what_the_list_shows() -> None:
    async with lobby() as place:
        await place.create("Ada", room="attic")
        bob = await place.call("Bob")
        listed = await bob.ask("list_rooms")
        looked = await bob.ask("look", room="ATTIC")
        assert looked == {"type": "rooms", "id": looked["id"], "rooms": listed["rooms"]}
        assert [room["room"] for room in looked["rooms"]] == ["attic"]


async def test_a_private_room_and_one_without_people_can_be_looked_at_but_are_not_listed() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings=SECRET, password="sesame")
        cleo = await place.create("Cleo", room="cellar")
        await cleo.hang_up()
        await until(lambda: not place.room("cellar").is_connected("Cleo"))
        bob = await place.call("Bob")
        assert (await bob.ask("list_rooms"))["rooms"] == []
        (attic,) = (await bob.ask("look", room="attic"))["rooms"]
        assert attic == {
            "room": "attic",
            "settings": {"private": True},
            "phase": "waiting",
            "host": "Ada",
            "people": 1,
            "bots": 0,
            "empty_seats": 1,
            "spectators": 0,
        }
        (cellar,) = (await bob.ask("look", room="cellar"))["rooms"]
        assert cellar["people"] == 1
        # It lets nobody in, and those who are in a room may look at another one.
        assert await bob.refusal("join_room", room="attic") == "wrong_password"
        assert (await ada.ask("look", room="cellar"))["rooms"] == [cellar]


async def test_a_look_at_a_public_room_shows_its_game_without_its_members() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings={"options": {"rows": 1, "cols": 1}})
        cleo = await place.call("Cleo")
        assert "board" not in await cleo.ask("look", room="attic", board=True)
        bob = await place.join("Bob")
        await ada.do("start")
        for ply, move in enumerate(("h0", "v1", "h1", "v0")):
            await (ada, bob)[ply % 2].do("play", seat=ply % 2, move=move, ply=ply)
        await ada.do("say", text="well played")
        assert "board" not in await cleo.ask("look", room="attic")
        board = (await cleo.ask("look", room="attic", board=True))["board"]
        assert board["tokens"] == ["h0", "v1", "h1", "v0"]
        assert (board["movers"], board["taken"]) == ([0, 1, 0, 1], [[3, 0]])
        assert (board["players"], board["scores"]) == (["Ada", "Bob"], [0, 1])
        assert (board["members"], board["host"]) == ([], None)
        assert board.keys().isdisjoint({"chat", "table", "barred", "muted"})


async def test_a_look_at_a_private_room_shows_no_game() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings=SECRET, password="sesame")
        await ada.do("sit", seat=1, name="Eve")
        await ada.do("start")
        bob = await place.call("Bob")
        looked = await bob.ask("look", room="attic", board=True)
        assert looked["rooms"][0]["phase"] == "playing"
        assert "board" not in looked


async def test_codes_are_guessed_as_slowly_as_passwords() -> None:
    async with lobby(wrong_passwords=2, wrong_passwords_per_s=0.1) as place:
        private = {"settings": {"private": True}, "password": "sesame"}
        await place.create("Ada", room="attic", **private)
        await place.create("Di", room="public")
        bob = await place.call("Bob")
        for _ in range(5):  # a room that is there costs nothing
            assert (await bob.ask("look", room="attic"))["type"] == "rooms"
        for code in ("cellar", "\u202e"):
            assert await bob.refusal("look", room=code) == "no_such_room"
        # Whether it is there isn't told any more: not to another connection of this client either.
        cleo = await place.call("Cleo")
        assert await bob.refusal("look", room="attic") == "too_fast"
        assert await cleo.refusal("look", room="garden") == "too_fast"
        assert (await cleo.ask("look", room="public"))["type"] == "rooms"  # that is no secret
        place.clock.advance(10.0)
        assert (await bob.ask("look", room="attic"))["type"] == "rooms"


# QR codes


async def test_a_qr_code_is_that_of_the_text_with_its_border() -> None:
    link = "http://192.168.1.5:8765/#kiwa-tobe"
    async with lobby() as place:
        ada = await place.call("Ada")
        rows = (await ada.ask("get_qr_code", text=link))["rows"]
        assert [[int(module) for module in row] for row in rows] == qr_modules(link)
        assert {*rows[0]} == {*rows[-1]} == {"0"}
        for text in ("", "x" * (MOST_QR_TEXT + 1)):
            assert await ada.refusal("get_qr_code", text=text) == "bad_message"


# Changes of the list


async def test_a_watcher_is_sent_the_rooms_that_change_and_those_that_are_gone() -> None:
    async with lobby() as place:
        wendy = await watching(place)
        ada = await place.create("Ada", room="attic")
        cleo = await place.create("Cleo", room="cellar", settings={"seats": 3})
        rooms, gone = await changes(place, wendy)
        assert rooms == (await ada.ask("list_rooms"))["rooms"]
        assert gone == []
        await place.join("Bob", "attic")
        await cleo.do("leave")
        rooms, gone = await changes(place, wendy)
        assert [(room["room"], room["empty_seats"]) for room in rooms] == [("attic", 0)]
        assert gone == ["cellar"]


async def test_changes_are_sent_together_and_at_most_once_a_second() -> None:
    async with lobby() as place:
        wendy = await watching(place)
        ada = await place.create("Ada", room="attic", settings={"seats": 9})
        for _ in range(4):
            await ada.do("seat_bot", bot="random")
        place.clock.advance(EVERY_S - 0.001)
        assert (await wendy.ask("ping"))["type"] == "pong"
        assert wendy.heard[-2]["type"] == "done"
        place.clock.advance(0.001)
        ((room,), gone) = (await wendy.hear())["rooms"], wendy.heard[-1]["gone"]
        assert (room["bots"], gone) == (4, [])
        assert await hears_nothing(place, wendy)


async def test_nothing_is_sent_of_moves_nor_of_private_rooms() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", room="attic")
        await ada.do("fill", bot="random")
        await ada.do("start")
        wendy = await watching(place)
        await ada.do("play", seat=0, move="h0", ply=0)
        await ada.event("played", seat=1)
        await ada.do("say", text="hello")
        await place.create("Cleo", room="cellar", settings=SECRET, password="sesame")
        await place.join("Bob", "cellar", password="sesame")
        assert await hears_nothing(place, wendy)


@each("ending, fields", [("watch_rooms", {"on": False}), ("join_room", {"room": "attic"})])
async def test_a_watcher_is_sent_no_more_once_it_does_not_want_or_is_in_a_room(
    ending: str, fields: dict[str, Any]
) -> None:
    async with lobby() as place:
        await place.create("Ada", room="attic")
        wendy = await watching(place)
        await wendy.do(ending, **fields)
        await place.create("Bob", room="balcony")
        assert await hears_nothing(place, wendy)
        assert len(place.server._directory.open_rooms.watchers) == 0


async def test_who_is_in_a_room_cannot_watch_the_list_but_may_say_not_to() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        assert await ada.refusal("watch_rooms") == "in_a_room"
        assert await ada.refusal("watch_rooms", on="no") == "bad_message"
        await ada.do("leave")
        assert (await ada.ask("watch_rooms"))["seq"] == 0


async def test_who_was_refused_at_the_door_still_watches() -> None:
    async with lobby() as place:
        wendy = await watching(place)
        assert await wendy.refusal("join_room", room="attic") == "no_such_room"
        await place.create("Ada", room="attic")
        rooms, _ = await changes(place, wendy)
        assert [room["room"] for room in rooms] == ["attic"]


async def test_who_hangs_up_is_forgotten() -> None:
    async with lobby() as place:
        wendy = await watching(place)
        await wendy.hang_up()
        await until(lambda: not len(place.server._directory.open_rooms.watchers))
        await place.create("Ada")
        place.clock.advance(EVERY_S)


async def test_a_watcher_pays_for_what_it_is_sent() -> None:
    async with lobby() as place:
        wendy = await watching(place)
        client = place.server._admission.clients.at("127.0.0.1")
        await place.create("Ada")
        client.credit = before = 10_000
        await changes(place, wendy)
        assert before - client.credit >= DELIVERY_WORK
