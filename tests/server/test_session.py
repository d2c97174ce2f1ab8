"""The session of one client: hello, and an answer to every message."""

import asyncio
import gc
import json
import random
from typing import Any

import pytest
from tests.cases import each
from tests.server.hosting import GateLog, SlowLog
from tests.server.talk import Talk, lobby, say_hello, secret_of, until

from boxroom_engine.wire.codec import MessageError
from boxroom_server.net.clients import (
    COMMAND_WORK,
    DELIVERY_WORK,
    ENTER_WORK,
    GEOMETRY_WORK_PER_LINE,
    LATE_TOKENS,
    LIST_GAMES_WORK,
    MESSAGE_WORK,
    QR_CODE_WORK,
    WORK_PER_LINE,
)
from boxroom_server.rooms import sequencer
from boxroom_server.storage.memory.storage import memory_storage

HELLO: dict[str, Any] = {
    "type": "hello",
    "protocol": 1,
    "name": "Ada",
    "secret": secret_of("Ada"),
}


# Hello


async def test_a_hello_is_answered_with_the_name_and_what_there_is_to_play() -> None:
    async with lobby() as place:
        ada = await place.connect("  Ada  ")
        await say_hello(ada, client="a test")
        welcome = await ada.hear()
        assert welcome["type"] == "welcome"
        assert welcome["protocol"] == 1
        assert welcome["name"] == "Ada"
        assert welcome["server"].startswith("boxroom ")
        dots = welcome["games"][0]
        assert (dots["game"], dots["title"]) == ("dots", "Dots and Boxes")
        assert {"random", "greedy"} <= set(dots["bots"])


async def rejected(talk: Talk) -> tuple[str, int]:
    """Check that a hello is refused and the connection closed; return the refusal's code and id."""
    refused = await talk.hear()
    assert refused["type"] == "refused", refused
    assert refused["message"]
    code, reason = await talk.close_code()
    assert (code, reason) == (4000, refused["code"])
    return refused["code"], refused["id"]


@each(
    "fields, refusal",
    [
        ({"protocol": 2}, "other_protocol"),
        ({"protocol": 0}, "other_protocol"),
        ({"name": ""}, "bad_name"),
        ({"name": "   "}, "bad_name"),
        ({"name": "x" * 25}, "bad_name"),
        ({"name": "Ada\u202eadA!"}, "bad_name"),
        ({"name": "😀"}, "bad_name"),
        ({"name": "x" * 5000}, "bad_message"),
        ({"name": None}, "bad_message"),
        ({"secret": "short"}, "bad_message"),
        ({"protocol": 2, "colour": "blue"}, "other_protocol"),
        ({"protocol": "1"}, "bad_message"),
    ],
)
async def test_a_hello_that_will_not_do_is_refused(fields: dict[str, Any], refusal: str) -> None:
    async with lobby() as place:
        ada = await place.connect("Ada")
        await say_hello(ada, **fields)
        assert await rejected(ada) == (refusal, 0)


@each(
    "raw, refusal, id",
    [
        ('{"type":"list_rooms","id":7}', "no_hello", 7),
        ('{"type":"say","id":8,"text":"hello"}', "no_hello", 8),
        ("hello?", "bad_message", 0),
        ("", "bad_message", 0),
        ('{"type":"nonsense","id":9}', "bad_message", 9),
        (b"\x00\xff\xfe", "bad_message", 0),
        (
            b'{"type":"hello","protocol":1,"name":"\xff","secret":"%b"}' % (b"x" * 20),
            "bad_message",
            0,
        ),
        ("[" * 10_000, "bad_message", 0),
    ],
)
async def test_whatever_comes_before_a_hello_is_refused(
    raw: str | bytes, refusal: str, id: int
) -> None:
    async with lobby() as place:
        stranger = await place.connect()
        await stranger.connection.send(raw, text=True)
        assert await rejected(stranger) == (refusal, id)


async def test_who_says_nothing_is_let_go() -> None:
    async with lobby(hello_s=7.0) as place:
        silent, ada = await place.connect(), await place.call("Ada")
        place.clock.advance(6.9)
        await ada.ask("list_rooms")
        place.clock.advance(0.1)
        assert await silent.close_code() == (4000, "no hello came")
        await ada.ask("list_rooms")


async def test_a_name_belongs_to_whoever_came_with_it_first() -> None:
    async with lobby() as place:
        await place.call("Ada")
        impostor = await place.connect("ADA")
        await say_hello(impostor, secret=secret_of("somebody else"))
        assert await rejected(impostor) == ("name_taken", 0)


async def test_from_one_address_come_so_many_new_names_and_all_the_old_ones() -> None:
    """Otherwise one client could make the server forget all names, and claim them."""
    async with lobby(new_names=2, new_names_per_s=0.1) as place:
        for name in ("Ada", "Bob"):
            await place.call(name)
        cy = await place.connect("Cy")
        await say_hello(cy)
        assert await rejected(cy) == ("too_fast", 0)
        await place.call("ada")
        place.clock.advance(10)
        await place.call("Cy")


async def test_the_same_identity_may_have_two_connections_outside_rooms() -> None:
    async with lobby() as place:
        one, other = await place.call("Ada"), await place.call("ada")
        assert other.heard[0]["name"] == "Ada"
        for talk in (one, other):
            assert (await talk.ask("list_rooms"))["rooms"] == []


# An answer to every message


WRONG: list[tuple[str, str, int]] = [
    ("nonsense", "bad_message", 0),
    ("[]", "bad_message", 0),
    ('"hello"', "bad_message", 0),
    ("{}", "bad_message", 0),
    ('{"id":5}', "bad_message", 5),
    ('{"type":"say"}', "bad_message", 0),
    ('{"type":"say","id":5}', "bad_message", 5),
    ('{"type":"say","id":5,"text":"x","shout":true}', "bad_message", 5),
    ('{"type":"say","id":5,"text":7}', "bad_message", 5),
    ('{"type":"say","id":5,"text":"%s"}' % ("x" * 4001), "bad_message", 5),
    ('{"type":"shout","id":5,"text":"x"}', "bad_message", 5),
    ('{"type":"say","id":0,"text":"x"}', "bad_message", 0),
    ('{"type":"say","id":-5,"text":"x"}', "bad_message", 0),
    ('{"type":"say","id":1e400,"text":"x"}', "bad_message", 0),
    ('{"type":"say","id":123456789012345678901234567890,"text":"x"}', "bad_message", 0),
    ('{"type":"say","id":5,"text":"\\ud800"}', "bad_message", 0),
    ('{"type":"play","id":5,"seat":NaN,"move":"h0","ply":0}', "bad_message", 0),
    ('{"type":"play","id":5,"seat":-Infinity,"move":"h0","ply":0}', "bad_message", 0),
    (
        '{"type":"play","id":5,"seat":18446744073709551616,"move":"h0","ply":0}',
        "bad_message",
        5,
    ),
    ('{"type":"play","id":5,"seat":0.5,"move":"h0","ply":0}', "bad_message", 5),
    ('{"type":"play","id":5,"seat":%s,"move":"h0","ply":0}' % ("9" * 9000), "bad_message", 5),
    ('{"type":"play","id":5,"seat":true,"move":"h0","ply":0}', "bad_message", 5),
    ('{"id":5,"type":"say","text":' + '{"a":' * 3000, "bad_message", 0),
    ('{"id":5,"type":"say","text":' + "[" * 5000, "bad_message", 0),
    ('{"type":"play","id":5,"seat":-1,"move":"h0","ply":0}', "bad_message", 5),
    ('{"type":"play","id":5,"seat":0,"move":"h0"}', "bad_message", 5),
    ('{"type":"create_room","id":5,"token":"x"}', "bad_message", 5),
    ('{"type":"enter","id":5,"member":"Ada"}', "bad_message", 5),
    ('{"type":"say","id":5,"text":"x"}', "not_in_a_room", 5),
    ('{"type":"leave","id":5}', "not_in_a_room", 5),
    ('{"type":"join_room","id":5,"room":"nowhere"}', "no_such_room", 5),
    ('{"type":"join_room","id":5,"room":"\\u202e\\u0000"}', "no_such_room", 5),
    (json.dumps(HELLO), "greeted_already", 0),
]
"""Messages, each with the code of its refusal and the id that it names."""


async def test_what_is_wrong_is_refused_and_the_conversation_goes_on() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        for raw, code, id in WRONG:
            await ada.connection.send(raw)
            refused = await ada.hear()
            assert (refused["type"], refused["code"], refused["id"]) == ("refused", code, id), raw
            assert refused["message"]
            assert (await ada.ask("list_rooms", id=6))["type"] == "rooms"


@pytest.mark.parametrize("pad", [b"", b"x" * 200])
@pytest.mark.parametrize("in_pieces", [False, True])
async def test_text_that_is_no_utf8_is_refused_however_it_comes(
    pad: bytes, in_pieces: bool
) -> None:
    """Short messages in one frame are handled as they arrive, and the others from a queue."""
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        raw = b'{"type":"say","id":5,"text":"\xff%b"}' % pad
        await ada.connection.send([raw[:9], raw[9:]] if in_pieces else raw, text=True)
        refused = await ada.hear_until(lambda it: it["type"] == "refused")
        assert (refused["code"], refused["id"]) == ("bad_message", 5)
        await ada.do("say", id=6, text="that was all")
        assert (await bob.event("said"))["text"] == "that was all"


async def test_a_field_that_appears_twice_is_refused() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        await ada.connection.send('{"type":"say","id":9,"text":"one","text":"two"}')
        answer = await ada.answer(9)
        assert (answer["code"], answer["message"]) == (
            "bad_message",
            "the field 'text' appears twice",
        )
        assert place.room().chat == ()


@each("in_pieces", [False, True])
async def test_binary_messages_are_answered_and_end_the_conversation(in_pieces: bool) -> None:
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        raw = b'{"type":"say","id":6,"text":"binary"}'
        await bob.say("say", id=5, text="text")
        await bob.connection.send([raw[:9], raw[9:]] if in_pieces else raw)
        assert (await bob.answer(5))["type"] == "done"
        refused = await bob.answer(0)
        assert (refused["code"], refused["message"]) == (
            "bad_message",
            "messages are JSON in text frames, not binary",
        )
        assert await bob.close_code() == (1003, "messages are text")
        await ada.event("dropped", member="Bob")
        await ada.do("say", text="still here")


async def test_a_binary_greeting_is_none() -> None:
    async with lobby() as place:
        stranger = await place.connect("Ada")
        await stranger.connection.send(json.dumps(HELLO).encode())
        assert (await stranger.hear())["code"] == "bad_message"
        assert (await stranger.close_code())[0] == 1003


async def test_a_message_that_is_too_long_ends_the_conversation_and_no_other() -> None:
    async with lobby(message_bytes=1000) as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        await bob.connection.send("x" * 1001)
        code, _ = await bob.close_code()
        assert code == 1009
        await ada.event("dropped", member="Bob")
        assert await ada.refusal("start") == "absent_player"


async def test_a_command_waits_for_the_room_that_was_asked_for_before_it() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await place.call("Ada"), await place.call("Bob")
        log.gate.clear()
        made = await ada.say("create_room", token="some random token", room="attic", settings={})
        await log.at_gate.wait()
        said = await ada.say("say", text="first!")
        await bob.ask("list_rooms")  # so the server has read what came before that
        log.gate.set()
        assert (await ada.answer(made))["type"] == "done"
        assert (await ada.answer(said))["type"] == "done"


@each("seed", range(5))
async def test_no_command_overtakes_another_one(seed: int) -> None:
    """Short messages are handled as they arrive, unless a long one before them has to wait."""
    rng = random.Random(seed)
    async with lobby(storage=memory_storage(SlowLog(rng)), burst=10_000) as place:
        ada = await place.create("Ada")
        asked = []
        for _ in range(200):
            asked.append(await ada.say("say", text="x" * rng.choice([1, 200])))
            for _ in range(rng.randrange(15)):
                await asyncio.sleep(0)
        for id in asked:
            answer = await ada.hear_until(lambda it: it["type"] in ("done", "refused"))
            assert (answer["type"], answer["id"]) == ("done", id)


async def test_messages_behind_a_command_wait_for_its_answer_and_stay_in_order() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await place.create("Ada"), await place.call("Bob")
        log.gate.clear()
        ids = [await ada.say("say", text="first!")]
        await log.at_gate.wait()
        for number in range(40):  # of all lengths and kinds
            ids.append(await ada.say("list_rooms"))
            ids.append(await ada.say("say", text="x" * 100 * (number % 3)))
            ids.append(await ada.say("join_room", room="attic"))
        for _ in range(2):
            await bob.ask("list_rooms")  # so the server has read what came before that
        log.gate.set()
        assert [(await ada.hear_until(is_answer))["id"] for _ in ids] == ids


def is_answer(message: dict[str, Any]) -> bool:
    return message["type"] in ("done", "refused", "rooms")


# A connection that is lost


async def test_lost_before_a_hello() -> None:
    async with lobby() as place:
        before = place.clock.waiting
        stranger = await place.connect()
        await until(lambda: place.clock.waiting == before + 1)
        stranger.cut()
        await until(lambda: not len(place.server._sessions))
        assert place.clock.waiting == before


async def test_lost_while_a_command_is_under_way_which_happens_all_the_same() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        await ada.event("sat", member="Bob")
        log.gate.clear()
        await bob.say("say", text="my last words")
        await log.at_gate.wait()
        bob.cut()
        await until(lambda: len(place.server._sessions) == 1)
        log.gate.set()
        assert (await ada.event("said"))["text"] == "my last words"
        await ada.event("dropped", member="Bob")


async def test_lost_while_coming_in_and_no_longer_there() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await place.create("Ada"), await place.call("Bob")
        log.gate.clear()
        await bob.say("join_room", room="attic")
        await log.at_gate.wait()
        bob.cut()
        await until(lambda: len(place.server._sessions) == 1)
        log.gate.set()
        await ada.event("sat", member="Bob")
        await ada.event("dropped", member="Bob")


# Too fast


async def test_who_talks_too_fast_is_told_and_who_goes_on_is_let_go() -> None:
    async with lobby(messages_per_s=0.001, burst=3) as place:
        ada = await place.call("Ada")
        for id in range(1, 8):
            await ada.say("list_rooms", id=id)
        for _ in range(3):
            assert (await ada.hear())["type"] == "rooms"
        for id in (4, 5, 6, 7):
            refused = await ada.hear()
            assert (refused["code"], refused["id"]) == ("too_fast", id)
        assert await ada.close_code() == (1008, "too many messages")


async def test_nonsense_counts_as_talking() -> None:
    async with lobby(messages_per_s=0.001, burst=2) as place:
        ada = await place.call("Ada")
        for _ in range(5):
            await ada.connection.send("nonsense")
        codes = [(await ada.hear())["code"] for _ in range(5)]
        assert codes == ["bad_message", "bad_message", "too_fast", "too_fast", "too_fast"]
        assert await ada.close_code() == (1008, "too many messages")


async def test_who_is_let_go_for_talking_too_fast_may_come_back() -> None:
    async with lobby(messages_per_s=0.001, burst=3) as place:
        ada = await place.create("Ada")
        for _ in range(20):
            await ada.say("say", text="again and again")
        assert (await ada.close_code())[0] == 1008
        again = await place.join("Ada")
        assert [line.text for line in again.seen.chat] == ["again and again"] * 2


async def test_one_connection_that_is_too_fast_slows_nobody_else() -> None:
    async with lobby(messages_per_s=0.001, burst=3) as place:
        ada, bob = await place.call("Ada"), await place.call("Bob")
        for _ in range(4):
            await ada.say("list_rooms")
        assert (await bob.ask("list_rooms"))["type"] == "rooms"


async def test_chat_has_a_measure_of_its_own_and_moves_go_on() -> None:
    async with lobby(chat_per_s=0.001, chat_burst=2) as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        await ada.do("start")
        first = ada.last_id + 1
        await ada.do("say", text="one")
        await ada.do("say", text="two")
        assert await ada.refusal("say", text="three") == "too_fast"
        await ada.do("play", seat=0, move="h0", ply=0)
        await bob.do("say", text="four")
        again = await place.join("Ada")
        assert (await again.ask("say", id=first, text="one"))["type"] == "done"
        assert [line.text for line in place.room().chat] == ["one", "two", "four"]


async def test_a_new_connection_brings_no_new_measure_of_chat() -> None:
    async with lobby(chat_per_s=0.001, chat_burst=2) as place:
        ada = await place.create("Ada")
        await ada.do("say", text="one")
        again = await place.join("Ada")
        await again.do("say", id=ada.last_id + 1, text="two")
        assert await again.refusal("say", id=ada.last_id + 2, text="three") == "too_fast"


async def test_a_line_that_was_said_is_answered_again_whatever_the_measure() -> None:
    async with lobby(chat_per_s=0.001, chat_burst=1) as place:
        ada = await place.create("Ada")
        seq = await ada.do("say", text="one")
        assert await ada.do("say", id=ada.last_id, text="one") == seq
        assert await ada.refusal("say", text="two") == "too_fast"


# One room at a time


async def test_a_conversation_is_about_one_room_at_a_time() -> None:
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.create("Bob", "cellar")
        assert await bob.refusal("join_room", room=" CELLAR") == "in_a_room"
        assert await ada.refusal("create_room", token="another one", room="loft") == "in_a_room"
        await bob.do("leave")
        assert await bob.refusal("say", text="is anybody here?") == "not_in_a_room"
        await bob.do("join_room", room="attic")
        await bob.do("say", text="here I am")
        assert (await ada.event("said"))["member"] == "Bob"


async def test_a_failure_inside_ends_one_conversation_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")

        def fail(*_: object) -> None:
            raise RuntimeError("a bug")

        with monkeypatch.context() as patch:
            patch.setattr(sequencer, "decide", fail)
            await bob.say("say", text="the line with the bug")
            code, _ = await bob.close_code()
        assert code == 1011
        await ada.do("say", text="I'm still here")
        again = await place.join("Bob")
        await again.do("say", text="and so am I")
        assert (await ada.event("said", member="Bob"))["text"] == "and so am I"
        assert "a bug" in caplog.text


# Work is charged to the client


@each(
    "command, fields, least",
    [
        ("list_rooms", {}, MESSAGE_WORK),
        ("ping", {}, MESSAGE_WORK),
        ("look", {"room": "attic"}, MESSAGE_WORK + ENTER_WORK),
        ("look", {"room": "cellar"}, MESSAGE_WORK + ENTER_WORK),
        ("list_games", {}, MESSAGE_WORK + LIST_GAMES_WORK),
        ("get_qr_code", {"text": "x"}, MESSAGE_WORK + QR_CODE_WORK),
        ("get_game", {"game": 1}, MESSAGE_WORK + LIST_GAMES_WORK),
        ("get_review", {}, MESSAGE_WORK + LIST_GAMES_WORK),
        ("get_geometry", {"game": "dots"}, MESSAGE_WORK + GEOMETRY_WORK_PER_LINE * 60),
        ("start", {}, COMMAND_WORK + DELIVERY_WORK + WORK_PER_LINE * 12),
        ("say", {"text": "hello"}, COMMAND_WORK + DELIVERY_WORK),
        ("resign", {"seat": 0}, COMMAND_WORK + DELIVERY_WORK),  # though it is refused
    ],
)
async def test_what_a_message_costs(command: str, fields: dict[str, Any], least: float) -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings={"options": {"rows": 2, "cols": 2}})
        client = place.server._admission.clients.at("127.0.0.1")
        client.credit = before = 10_000
        await ada.ask(command, **fields)
        assert before - client.credit >= least


async def test_a_long_list_and_a_long_game_cost_more() -> None:
    async with lobby(rooms_per_name=1_000) as place:
        ada = await place.create("Ada", settings={"options": {"rows": 5, "cols": 5}})
        client = place.server._admission.clients.at("127.0.0.1")

        async def cost_of(command: str, **fields: Any) -> float:
            client.credit = before = 100_000
            await ada.ask(command, **fields)
            return before - client.credit

        short = await cost_of("list_rooms")
        for number in range(20):
            await place.create(f"Bea {number}", f"room {number}")
        assert await cost_of("list_rooms") > short
        await ada.do("sit", seat=1, name="Eve")
        await ada.do("start")
        await ada.do("leave")
        short = await cost_of("join_room", room="attic")
        for ply, edge in enumerate(range(0, 20, 2)):
            await ada.ask("play", seat=ply % 2, move=f"h{edge}", ply=ply)
        await ada.do("leave")
        assert await cost_of("join_room", room="attic") > short


async def test_a_client_that_is_late_is_refused_sooner_and_then_cut_off() -> None:
    async with lobby(messages_per_s=0.001, burst=20) as place:
        ada = await place.call("Ada")
        place.server._admission.clients.at("127.0.0.1").tokens_per_message = LATE_TOKENS
        answers = [await ada.ask("list_rooms") for _ in range(3)]
        assert [answer["type"] for answer in answers] == ["rooms", "rooms", "refused"]
        assert answers[2]["code"] == "too_fast"
        for _ in range(2):
            await ada.say("list_rooms")
        assert (await ada.close_code())[0] == 1008


REFUSED = ("", "{", '{"type":"play"}', '{"type":"list_rooms","id":1,"id":1}', '{"id":7}')


async def test_refused_messages_leave_nothing_for_the_garbage_collector() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        gc.collect()
        gc.freeze()  # so that the search goes through new objects only
        gc.disable()
        try:
            for raw in REFUSED:
                await ada.connection.send(raw)
                assert (await ada.hear())["type"] == "refused"
            await until(lambda: not any(isinstance(it, MessageError) for it in gc.get_objects()))
        finally:
            gc.enable()
