"""Private messages and reactions over real connections; only two persons receive the former."""

import json
from typing import Any

from tests.server.manual_clock import ManualClock
from tests.server.stores import Store, lobby_on
from tests.server.talk import ONE_BOX, Lobby, Talk, lobby, say_hello

ONE_LOOP = True

NEXT_SECRET = "the secret of the next owner"


async def joined(place: Lobby, name: str, **fields: Any) -> Talk:
    """Connect a client that knows private messages, and join the attic."""
    talk = await greeted(place, name)
    await talk.do("join_room", room="attic", **fields)
    return talk


async def greeted(place: Lobby, name: str, **hello: Any) -> Talk:
    talk = await place.connect(name)
    await say_hello(talk, **{"knows": ["talk"], **hello})
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def two_members(place: Lobby) -> tuple[Talk, Talk]:
    """Let Ada create the attic, and Bob join it."""
    ada = await greeted(place, "Ada")
    await ada.do("create_room", token="a token of Ada", room="attic", settings=ONE_BOX)
    return ada, await joined(place, "Bob")


def heard(talk: Talk) -> str:
    return json.dumps(talk.heard)


def private(talk: Talk) -> list[str]:
    return [line.text for line in talk.seen.private]


async def test_two_members_receive_it_and_the_others_only_its_number() -> None:
    async with lobby() as place:
        ada, bob = await two_members(place)
        cleo = await joined(place, "Cleo", watch=True)
        seq = await ada.do("tell", to="bob", text="psst")
        told = await bob.event("told")
        assert (told["member"], told["to"], told["text"]) == ("Ada", "Bob", "psst")
        await cleo.until_seq(seq)
        assert "psst" not in heard(cleo)
        assert (private(ada), private(bob), private(cleo)) == (["psst"], ["psst"], [])


async def test_it_is_there_after_a_resume_and_after_coming_in_anew() -> None:
    async with lobby() as place:
        ada, bob = await two_members(place)
        after, log = bob.seen.seq, bob.seen.log
        await ada.do("tell", to="Bob", text="psst")
        bob.cut()
        again = await joined(place, "Bob", after=after, log=log)
        assert again.resumed_after == after
        await again.event("told", text="psst")
        assert private(await joined(place, "Bob")) == ["psst"]


async def test_the_next_owner_of_a_name_receives_nothing(store: Store) -> None:
    """Neither in a resume, nor in a room that has slept, nor with the last owner's seat."""
    clock = ManualClock()
    async with lobby_on(store, clock) as place:
        ada, bob = await two_members(place)
        after, log = bob.seen.seq, bob.seen.log
        await ada.do("tell", to="Bob", text="psst")
        assert place.server._names.release("Bob") == "Bob"
        next_bob = await greeted(place, "Bob", secret=NEXT_SECRET)
        await next_bob.do("join_room", room="attic", after=after, log=log)
        assert next_bob.resumed_after == after
        await ada.do("tell", to="Bob", text="who are you?")
        await next_bob.event("told", text="who are you?")
        assert "psst" not in heard(next_bob)
    async with lobby_on(store, clock) as place:
        next_bob = await greeted(place, "Bob", secret=NEXT_SECRET)
        await next_bob.do("join_room", room="attic")
        assert private(next_bob) == ["who are you?"]
        assert place.room().is_player("Bob")
        assert private(await joined(place, "Ada")) == ["psst", "who are you?"]


async def test_a_client_that_does_not_know_them_receives_hidden() -> None:
    async with lobby() as place:
        ada, _ = await two_members(place)
        old = await place.join("Dan", watch=True)
        seq = await ada.do("tell", to="Dan", text="psst")
        await old.event("hidden")
        await old.until_seq(seq)
        assert "psst" not in heard(old)


async def test_they_have_the_measure_of_chat() -> None:
    async with lobby(chat_burst=1, chat_per_s=0.1) as place:
        ada, _ = await two_members(place)
        await ada.do("tell", to="Bob", text="one")
        assert await ada.refusal("tell", to="Bob", text="two") == "too_fast"
        assert await ada.refusal("react", reaction="wow") == "too_fast"


async def test_a_reaction_comes_as_hidden_where_it_is_not_known() -> None:
    async with lobby() as place:
        ada, bob = await two_members(place)
        old = await place.join("Dan", watch=True)
        await ada.do("react", reaction="wow")
        await bob.event("reacted", member="Ada", reaction="wow")
        await old.event("hidden")
        assert await ada.refusal("react", reaction="booh") == "bad_message"


async def test_going_away_comes_as_hidden_where_it_is_not_known() -> None:
    async with lobby(chat_burst=1, chat_per_s=0.1) as place:
        ada = await greeted(place, "Ada", knows=["people"])
        await ada.do("create_room", token="a token of Ada", room="attic", settings=ONE_BOX)
        old = await place.join("Dan", watch=True)
        seq = await ada.do("away", text="tea")
        await ada.event("went_away", member="Ada", text="tea")
        await old.until_seq(seq)
        assert "tea" not in heard(old)
        assert (await joined(place, "Bob")).seen.members["Ada"].away == "tea"
        assert await ada.refusal("away") == "too_fast"
        await ada.do("stand")
        await ada.event("came_back", member="Ada")
