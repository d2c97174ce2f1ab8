"""Geometries of games, asked for over a real socket."""

import json
from typing import Any

from tests.cases import each
from tests.server.talk import lobby
from tests.server.test_computing import calls_in_this_thread

from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.wire.codec import decode_from_server, encode
from boxroom_engine.wire.messages import GameGeometry
from boxroom_server.net.clients import GEOMETRY_WORK_PER_LINE, WORK_PER_BYTE

ONE_LOOP = True


@each("name", KINDS)
async def test_the_geometry_of_every_game_is_sent(name: str) -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        answer = await ada.ask("get_geometry", game=name)
        expected = GameGeometry.of(ada.last_id, make_game(name, {}, 2).geometry())
        assert decode_from_server(json.dumps(answer).encode()) == expected


async def test_members_may_ask_as_well() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        options = {"dims": "4,4", "line": 4}
        answer = await ada.ask("get_geometry", game="noughts", options=options, seats=3)
        assert (answer["type"], answer["row"]) == ("geometry", 4)
        assert [shape["move"] for shape in answer["shapes"]] == [str(cell) for cell in range(16)]


@each(
    "fields, code",
    [
        ({"game": "chess"}, "bad_option"),
        ({"game": "dots", "options": {"depth": 3}}, "bad_option"),
        ({"game": "dots", "options": {"rows": "3"}}, "bad_option"),
        ({"game": "dots", "options": {"rows": 0}}, "bad_option"),
        ({"game": "stonehenge", "seats": 3}, "bad_option"),
        ({"game": "dots", "seats": 51}, "too_many_seats"),
        ({"game": "dots", "options": {"rows": 50, "cols": 50}}, "too_large"),
        ({"game": "noughts", "options": {"dims": "2,2,2,2,2,2,2,3", "line": 2}}, "too_large"),
        ({"game": "dots", "options": {"rows": [3]}}, "bad_message"),
        ({"game": "dots", "seats": 0}, "bad_message"),
        ({}, "bad_message"),
    ],
)
async def test_what_no_room_could_play_is_refused(fields: dict[str, Any], code: str) -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        assert await ada.refusal("get_geometry", **fields) == code
        assert (await ada.ask("get_geometry", game="dots"))["type"] == "geometry"


async def test_the_largest_board_comes_whole_computed_in_a_thread_and_charged() -> None:
    options = {"rows": 49, "cols": 50}
    async with lobby() as place:
        ada = await place.call("Ada")
        client = place.server._admission.clients.at("127.0.0.1")
        client.credit = before = 1_000_000
        with calls_in_this_thread() as called:
            answer = await ada.ask("get_geometry", game="dots", options=options)
        assert "geometry_of" not in called
        game = make_game("dots", dict(options), 2)
        assert len(answer["shapes"]) == len(game.geometry().shapes) == 9_999
        size = len(encode(GameGeometry.of(ada.last_id, game.geometry())))
        cost = GEOMETRY_WORK_PER_LINE * game.work + WORK_PER_BYTE * size
        assert before - client.credit >= cost


async def test_what_would_end_a_connection_for_its_length_is_refused() -> None:
    async with lobby(unread_bytes=10_000) as place:
        ada = await place.call("Ada")
        options = {"rows": 20, "cols": 20}
        assert await ada.refusal("get_geometry", game="dots", options=options) == "too_large"
        assert (await ada.ask("get_geometry", game="noughts"))["type"] == "geometry"


async def test_messages_behind_it_wait_for_the_answer() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        first = await ada.say("get_geometry", game="dots", options={"rows": 30, "cols": 30})
        second = await ada.say("list_rooms")
        answers = [await ada.hear(), await ada.hear()]
        assert [(each["type"], each["id"]) for each in answers] == [
            ("geometry", first),
            ("rooms", second),
        ]
