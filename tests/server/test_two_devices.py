"""The way of an identity from one device to another, over real sockets."""

import asyncio
import json

from tests.cases import each
from tests.server.talk import Message, Talk, lobby, say_hello, secret_of

from boxroom_server.admin.messages import Release

ONE_LOOP = True
MASKED = "0123456789abcdefABCDEF_-"


async def offered(ada: Talk, masked: str = MASKED) -> str:
    """Have `ada` offer her identity, and return the code."""
    answer = await ada.ask("offer_identity", masked=masked)
    assert answer["type"] == "identity_offered", answer
    return str(answer["code"])


async def take(talk: Talk, code: str) -> Message:
    """Ask for the identity under `code`, and return the answer."""
    await talk.connection.send(json.dumps({"type": "take_identity", "code": code}))
    return await talk.hear()


async def refusal_of(talk: Talk, code: str) -> str:
    """Ask for the identity under `code`, which is refused, and return the code of the refusal."""
    answer = await take(talk, code)
    assert (answer["type"], answer["id"]) == ("refused", 0), answer
    return str(answer["code"])


async def test_another_device_takes_an_identity_and_comes_as_that_person() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        answer = await ada.ask("offer_identity", masked=MASKED)
        assert answer["expires_ms"] == place.clock.now_ms() + 300_000
        phone = await place.connect("Ada")
        taken = await take(phone, answer["code"])
        assert taken == {"type": "identity", "name": "Ada", "masked": MASKED}
        await say_hello(phone)
        assert (await phone.hear())["type"] == "welcome"
        await phone.do("join_room", room="attic")
        notice = await ada.hear_until(lambda it: it["type"] == "notice")
        assert notice["code"] == "identity_taken"
        assert (await ada.close_code())[0] == 4001
        assert [holder.member for holder in phone.seen.seats] == ["Ada", None]


async def test_of_two_devices_that_ask_at_once_one_gets_it() -> None:
    async with lobby() as place:
        code = await offered(await place.call("Ada"))
        phones = [await place.connect() for _ in range(5)]
        answers = await asyncio.gather(*(take(phone, code) for phone in phones))
        assert sorted(it["type"] for it in answers) == ["identity"] + ["refused"] * 4
        assert {it.get("code") for it in answers} == {None, "no_such_code"}


async def test_used_expired_replaced_and_unknown_codes_are_refused_alike() -> None:
    async with lobby() as place:
        ada, bob = await place.call("Ada"), await place.call("Bob")
        expired = await offered(bob)
        place.clock.advance(300.0)
        replaced, used = await offered(ada), await offered(ada)
        phone = await place.connect()
        assert (await take(phone, used))["type"] == "identity"
        answers = [await take(phone, it) for it in (used, expired, replaced, "a guess", "")]
        assert {json.dumps(it) for it in answers} == {json.dumps(answers[0])}
        assert answers[0]["code"] == "no_such_code"


async def test_the_offer_outlives_the_connection_of_the_old_device() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        code = await offered(ada)
        await ada.hang_up()
        phone = await place.connect()
        assert (await take(phone, code))["type"] == "identity"


async def test_a_connection_may_ask_twenty_times_before_its_hello() -> None:
    async with lobby() as place:
        phone = await place.connect("Ada")
        for _ in range(10):
            assert await refusal_of(phone, "a guess") == "no_such_code"
        challenge = {"type": "challenge", "name": "Nobody", "nonce": "0123456789abcdef"}
        for _ in range(10):
            await phone.connection.send(json.dumps(challenge))
            assert (await phone.hear())["code"] == "name_unknown"
        assert await refusal_of(phone, "a guess") == "too_fast"
        assert (await phone.close_code())[0] == 4000


async def test_guesses_count_for_all_connections_of_a_client_and_a_right_code_gets_in() -> None:
    async with lobby(wrong_passwords=2, wrong_passwords_per_s=0.1) as place:
        code = await offered(await place.call("Ada"))
        for _ in range(2):
            assert await refusal_of(await place.connect(), "a guess") == "no_such_code"
        assert await refusal_of(await place.connect(), "a guess") == "too_fast"
        place.clock.advance(10.0)
        assert await refusal_of(await place.connect(), "a guess") == "no_such_code"
        assert await refusal_of(await place.connect(), code[::-1]) == "too_fast"
        assert (await take(await place.connect(), code))["type"] == "identity"


async def test_a_greeted_client_cannot_take_an_identity() -> None:
    async with lobby() as place:
        code = await offered(await place.call("Ada"))
        assert await refusal_of(await place.call("Bob"), code) == "greeted_already"
        assert (await take(await place.connect(), code))["type"] == "identity"


@each("masked", ["", "short", "x" * 201, "a secret with spaces", 7, None])
async def test_what_no_device_could_unmask_is_refused(masked: object) -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        assert await ada.refusal("offer_identity", masked=masked) == "bad_message"


async def test_the_identity_of_a_name_that_was_released_is_worth_nothing() -> None:
    async with lobby() as place:
        code = await offered(await place.call("Ada"))
        await place.server.admin_commands.execute(Release("Ada"), lambda: None)
        thief = await place.connect("Ada")
        await say_hello(thief, secret="the secret of the next owner")
        assert (await thief.hear())["type"] == "welcome"
        phone = await place.connect("Ada")
        assert (await take(phone, code))["type"] == "identity"
        await say_hello(phone, secret=secret_of("Ada"))
        assert (await phone.hear())["code"] == "name_taken"
