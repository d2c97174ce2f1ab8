"""The coach: when it speaks, to whom, and what it leaves unsaid."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from tests.server.talk import Lobby, Message, Talk, lobby, say_hello

from boxroom_engine.wire import parts
from boxroom_server.bots.fair_queue import Asker
from boxroom_server.bots.queue import BotQueue

TWO_BOXES: Message = {"options": {"rows": 1, "cols": 2}}
"""A game that best play draws: only the line in the middle, v1, keeps the draw."""

ELSEWHERE = Asker("Zoe", "cellar")


async def play_against_bot(
    place: Lobby, knows: Sequence[str] = parts.NAMES, **settings: object
) -> Talk:
    """Begin a game of Ada, whom the coach helps, against a bot in the second seat."""
    ada = await place.connect("Ada")
    await say_hello(ada, knows=knows)
    await ada.hear()
    room = {"token": "token of Ada", "room": "attic", "settings": {**TWO_BOXES, **settings}}
    await ada.do("create_room", **room)
    await ada.do("fill", bot="greedy")
    await ada.do("coach", seat=0, on=True)
    await ada.do("start")
    return ada


async def plays(talk: Talk, move: str) -> None:
    """Play once it is the turn of the seat."""
    while talk.seen.state is None or talk.seen.state.to_move != 0:
        await talk.hear()
    await talk.do("play", seat=0, move=move, ply=talk.seen.ply)


async def coaching(talk: Talk) -> Message:
    return await talk.hear_until(lambda it: it["type"] == "coaching")


@asynccontextmanager
async def occupied(*queues: BotQueue) -> AsyncIterator[None]:
    """Have the processes of `queues` work for another room meanwhile."""
    for queue in queues:
        await queue._wait_for_turn(ELSEWHERE)
    try:
        yield
    finally:
        for queue in queues:
            queue._end_turn()


async def test_a_move_that_changes_who_wins_is_told_to_its_player_alone() -> None:
    async with lobby() as place:
        ada = await play_against_bot(place)
        bob = await place.join("Bob", watch=True)
        await plays(ada, "h0")
        said = await coaching(ada)
        assert (said["seat"], said["game"], said["move"]) == (0, 1, "h0")
        assert said["message"] == "h0 gave the draw away; v1 was better."
        assert said["phrase"]["key"] == "coach.draw"
        assert said["can_undo"]
        await bob.do("say", text="oh")
        assert "coaching" not in {message["type"] for message in bob.heard}


async def test_the_move_can_be_taken_back_also_after_the_answer_of_the_bot() -> None:
    async with lobby() as place:
        ada = await play_against_bot(place)
        await plays(ada, "h0")
        await coaching(ada)
        while ada.seen.state is None or ada.seen.state.to_move != 0:
            await ada.hear()
        await ada.do("undo", ply=ada.seen.ply)
        assert ada.seen.tokens == ()
        await plays(ada, "v1")  # the best one: of that nothing is said
        await plays(ada, ada.seen.state.game.format_move(ada.seen.state.legal_moves()[0]))


@pytest.mark.parametrize("settings", [{"clock_s": 60}, {"takebacks": 0}])
async def test_nothing_is_offered_where_no_move_is_taken_back(settings: Message) -> None:
    async with lobby() as place:
        ada = await play_against_bot(place, **settings)
        await plays(ada, "h0")
        assert "can_undo" not in await coaching(ada)


async def test_the_coach_and_the_bots_do_not_wait_for_each_other() -> None:
    async with lobby() as place:
        ada = await play_against_bot(place)
        bots = place.server._bots
        async with occupied(bots._quick_queue, *bots._queues):
            await plays(ada, "h0")
            await coaching(ada)
        async with occupied(bots._spare_queue):
            await ada.event("played", seat=1)


async def test_nothing_is_said_of_a_move_that_was_taken_back_meanwhile() -> None:
    async with lobby() as place:
        ada = await play_against_bot(place)
        async with occupied(place.server._bots._spare_queue):
            await plays(ada, "h0")
            await ada.do("undo", ply=ada.seen.ply)
            await plays(ada, "v0")
        assert (await coaching(ada))["move"] == "v0"


async def test_after_the_game_it_says_what_went_well_and_what_to_practise() -> None:
    async with lobby() as place:
        ada = await play_against_bot(place)
        await ada.do("resign", seat=0)
        said = await coaching(ada)
        assert said["phrase"]["key"] == "coach.end"
        assert said["phrase"]["values"].keys() == {"well", "next"}
        assert said.keys() == {"type", "seat", "game", "message", "phrase"}


async def test_nothing_is_said_of_a_game_that_was_ended_without_a_winner_meanwhile() -> None:
    async with lobby() as place:
        ada = await play_against_bot(place)
        queue = place.server._bots._spare_queue
        async with occupied(queue):
            await plays(ada, "h0")
            await ada.do("abort")
        async with occupied(queue):
            pass  # the move has been judged
        await ada.do("say", text="oh")
        assert "coaching" not in {message["type"] for message in ada.heard}


async def test_of_many_games_that_end_meanwhile_only_the_last_one_waits_to_be_summed_up() -> None:
    async with lobby() as place:
        ada = await play_against_bot(place)
        queue = place.server._bots._spare_queue
        async with occupied(queue):
            for _ in range(3):
                await ada.do("resign", seat=0)
                await ada.do("start")
            assert queue.waiting == 1
            await ada.do("resign", seat=0)
        assert (await coaching(ada))["game"] == 4


async def test_a_client_that_does_not_know_the_coach_hears_nothing_of_it() -> None:
    async with lobby() as place:
        ada = await play_against_bot(place, knows=[])
        await plays(ada, "h0")
        await ada.do("resign", seat=0)
        assert ada.seen.seats[0].coached
        assert place.server._bots._spare_queue._process is None, "nothing is judged for nobody"


async def test_a_coach_that_fails_says_nothing_and_is_there_for_the_next_move(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby() as place:
        ada = await play_against_bot(place)
        queue = place.server._bots._spare_queue
        work = queue.run

        async def fail(*about: object) -> None:
            monkeypatch.setattr(queue, "run", work)
            raise EOFError

        monkeypatch.setattr(queue, "run", fail)
        await plays(ada, "h0")
        assert "is silent" in caplog.text
        await ada.do("undo", ply=ada.seen.ply)
        await plays(ada, "v0")
        assert (await coaching(ada))["move"] == "v0"
