"""Crowds that are cut in one moment, or guess passwords: the others are served meanwhile."""

import asyncio
import sys
from itertools import chain, pairwise

import pytest
from tests.server.talk import Lobby, Talk, lobby, until

from boxroom_server.net.connection import LOST_PER_TICK
from boxroom_server.people import passwords

ONE_LOOP = True
CROWD = 5 * LOST_PER_TICK


async def watchers(place: Lobby) -> list[Talk]:
    """Return a crowd that watches the room, which has one member already."""
    return [await place.join(f"watcher {number}", watch=True) for number in range(CROWD)]


def cut(crowd: list[Talk]) -> None:
    """Cut all connections in one tick."""
    for talk in crowd:
        talk.cut()


async def test_a_tick_lets_go_of_a_few_only() -> None:
    async with lobby() as place:
        crowd = [await place.call(f"guest {number}") for number in range(CROWD)]
        cut(crowd)
        counts = [CROWD]
        async with asyncio.timeout(20):
            while counts[-1]:
                await asyncio.sleep(0)
                counts.append(len(place.server._sessions))
        drops = [before - after for before, after in pairwise(counts)]
        assert max(drops) <= LOST_PER_TICK


async def test_those_who_are_cut_may_all_come_back_at_once() -> None:
    async with lobby(connections_per_address=CROWD) as place:
        crowd = [await place.call(f"guest {number}") for number in range(CROWD)]
        cut(crowd)
        await until(lambda: len(place.server._sessions) < CROWD)
        assert len(place.server._sessions) >= CROWD - LOST_PER_TICK
        assert place.server._admission._admitted == 0
        for talk in crowd:
            await place.call(talk.name)


async def test_members_of_one_room_drop_out_in_few_entries() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        crowd = await watchers(place)
        await until(lambda: len(place.room().members) == 1 + CROWD)
        cut(crowd)
        await until(lambda: len(place.room().members) == 1)
        await ada.ask("ping")
        entries = [heard["events"] for heard in ada.heard if heard["type"] == "events"]
        left = [[each["member"] for each in entry if each["type"] == "left"] for entry in entries]
        assert sorted(chain.from_iterable(left)) == sorted(talk.name for talk in crowd)
        assert sum(map(bool, left)) <= CROWD / 2


async def test_who_is_lost_with_a_crowd_and_comes_back_at_once_stays() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        crowd = await watchers(place)
        cut(crowd)
        back = await place.join(crowd[-1].name, watch=True)
        await until(lambda: set(place.room().members) == {"Ada", back.name})
        await back.do("say", text="here I am")
        assert (await ada.event("said"))["member"] == back.name


@pytest.mark.skipif(sys.platform != "linux", reason="only 127.0.0.1 is there elsewhere")
async def test_guesses_from_many_addresses_let_those_in_who_know_the_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passwords, "MOST_WAITING", 3)
    async with lobby() as place:
        await place.create("Ada", settings={"private": True}, password="open sesame")
        crowd = [await place.call(f"guest {it}", f"127.0.0.{it + 2}") for it in range(8)]
        for talk in crowd:
            refusal = await talk.refusal("join_room", room="attic", password="a guess")
            assert refusal == "wrong_password"
        bob = await place.call("Bob", "127.0.0.99")
        guesses = [await it.say("join_room", room="attic", password="another") for it in crowd]
        await until(lambda: len(place.server._directory._passwords._turns._waiting) == 3)
        await bob.do("join_room", room="attic", password="open sesame")
        answers = [await talk.answer(guess) for talk, guess in zip(crowd, guesses, strict=True)]
        codes = [answer["code"] for answer in answers]
        assert set(codes) == {"wrong_password", "too_fast"}
