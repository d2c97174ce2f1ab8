"""Reviews and judgements by request: of the game on the board, and of finished games."""

import msgspec
import pytest
from msgspec.structs import replace
from tests.cases import each
from tests.engine.games.dots.recorded_games import SMALL, exactly, positions_of
from tests.server import bad_bots
from tests.server.manual_clock import ManualClock
from tests.server.storage.sqlite.data_folders import finished
from tests.server.stores import Store
from tests.server.talk import Message, Talk, lobby

from boxroom_common.phrases import say
from boxroom_engine.games.dots.theory.glossary import GLOSSARY
from boxroom_engine.games.record import Record
from boxroom_engine.review.position import judged_position
from boxroom_engine.review.review import Reviewing
from boxroom_server import reviews
from boxroom_server.bots.fair_queue import Asker

ONE_LOOP = True

ROW_OF_TWO: Message = {"options": {"rows": 1, "cols": 2}, "seats": 2}
"""The board of `SMALL`."""

OF_THREE = "dots rows=1 cols=1 border=none | Ada, Bob, Cem | h0 v0 h1 v1"
NOUGHTS = "noughts dims=3,3 line=3 | Ada, Bob | 0 3 1 4 2"
UNPLAYABLE = ("chess | Ada, Bob | e4", "dots rows=1 cols=1 | Ada, Bob | h0 h0")


def expected_review(record: str) -> Message:
    """Return the fields of the answer about a game that is judged as a whole."""
    positions = positions_of(record)
    reviewing = Reviewing(positions, exactly(positions[0].game))
    assert list(reviewing.findings())
    fields: Message = msgspec.json.decode(msgspec.json.encode(reviewing.result()))
    fields["words"] = {word: say(f"meaning.{word}") for word in GLOSSARY}
    return {name: value for name, value in fields.items() if value is not None}


async def play(talks: tuple[Talk, Talk], record: str) -> None:
    """Play a recorded game of both."""
    for ply, position in enumerate(positions_of(record)[:-1]):
        seat = position.to_move
        assert seat is not None
        move = Record.parse(record).tokens[ply]
        await talks[seat].do("play", seat=seat, move=move, ply=ply)


async def test_the_game_on_the_board_is_reviewed_when_it_is_over() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two(**ROW_OF_TWO)
        assert await ada.refusal("get_review") == "not_over"
        await play((ada, bob), SMALL)
        eve = await place.join("Eve", watch=True)
        for talk in (ada, bob, eve):
            answer = await talk.ask("get_review")
            assert answer.pop("type") == "review"
            assert answer.pop("id") == talk.last_id
            assert answer == expected_review(SMALL)


async def test_others_without_a_game_have_nothing_to_review() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two(**ROW_OF_TWO)
        await play((ada, bob), SMALL)
        assert await (await place.call("Eve")).refusal("get_review") == "not_over"
        await bob.do("leave")
        assert await bob.refusal("get_review") == "not_over"


@each("settings", [{"seats": 3}, {"game": "noughts", "options": {}}])
async def test_games_without_a_judge_are_refused(settings: Message) -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings=ROW_OF_TWO | settings)
        bob = await place.join("Bob")
        others = ["random"] * (settings.get("seats", 2) - 2)
        for bot in others:
            await ada.do("fill", bot=bot)
        await ada.do("start")
        await bob.do("resign", seat=1)
        for _ in others:
            await ada.do("resign", seat=0)
        assert await ada.refusal("get_review") == "no_review"


async def test_a_single_player_is_told_that_there_is_nothing_to_review() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings=ROW_OF_TWO | {"seats": 1})
        await ada.do("start")
        await ada.do("resign", seat=0)
        assert await ada.refusal("get_review") == "no_review"


async def test_finished_games_are_reviewed_by_their_number(store: Store) -> None:
    people, records = ("ada", "bob"), (SMALL, OF_THREE, NOUGHTS, *UNPLAYABLE)
    async with store.opened(ManualClock()) as storage, lobby(storage=storage) as place:
        await place.call("Ada")
        for day, record in enumerate(records):
            game = finished(day, days=day, record=record)
            storage.ledger.save_game(replace(game, people=people))
    async with store.opened(ManualClock()) as storage, lobby(storage=storage) as place:
        ada = await place.call("Ada")
        small, *others = reversed([it["game"] for it in (await ada.ask("list_games"))["games"]])
        answer = await ada.ask("get_review", game=small)
        assert answer == {"type": "review", "id": ada.last_id, **expected_review(SMALL)}
        assert len(others) == len(records) - 1
        for other in others:
            assert await ada.refusal("get_review", game=other) == "no_review"
        assert await ada.refusal("get_review", game=99) == "no_such_game"
        assert await (await place.call("Eve")).refusal("get_review", game=small) == "no_such_game"


async def test_a_review_is_answered_when_it_is_ready_and_other_messages_meanwhile() -> None:
    """While other work has the processes, reviews wait, so many at most for one client."""
    async with lobby(bot_workers=1, bot_s=1000.0) as place:
        talks = await place.game_of_two(**ROW_OF_TWO)
        ada, bob = talks
        await play(talks, SMALL)
        (queue,) = place.server._bots._queues
        await queue._wait_for_turn(Asker("others", "elsewhere"))
        asked = [await ada.say("get_review") for _ in range(reviews.MOST_PENDING)]
        assert await bob.refusal("get_review") == "too_fast"
        assert (await ada.ask("ping"))["type"] == "pong"
        queue._end_turn()
        for id in asked:
            assert (await ada.answer(id))["type"] == "review"
        assert (await bob.ask("get_review"))["type"] == "review"


async def test_a_review_that_fails_is_refused_and_can_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two(**ROW_OF_TWO)
        await play((ada, bob), SMALL)
        monkeypatch.setattr(
            "boxroom_server.reviews.ReviewGame",
            lambda record: bad_bots.job("raises", positions_of(record)[0]),
        )
        assert await ada.refusal("get_review") == "no_review"
        monkeypatch.undo()
        assert (await ada.ask("get_review"))["type"] == "review"


def expected_judgement(
    record: str, ply: int, move: str | None = None, *, all_moves: bool = False
) -> Message:
    """Return the fields of the answer about a position of a game that can be judged exactly."""
    position = positions_of(record)[ply]
    named = None if move is None else position.game.parse_move(move)
    judge = exactly(position.game)
    judged = judged_position(position, ply, named, judge, all_moves=all_moves)
    fields: Message = msgspec.json.decode(msgspec.json.encode(judged))
    return fields | {"ply": ply, "words": {word: say(f"meaning.{word}") for word in GLOSSARY}}


async def judgement(talk: Talk, **fields: object) -> Message:
    """Return the fields of the answer to `judge`."""
    answer = await talk.ask("judge", **fields)
    assert answer.pop("type") == "judgement", answer
    assert answer.pop("id") == talk.last_id
    return answer


async def test_any_position_of_the_game_on_the_board_is_judged_when_it_is_over() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two(**ROW_OF_TWO)
        await play((ada, bob), SMALL)
        eve = await place.join("Eve", watch=True)
        tokens = Record.parse(SMALL).tokens
        for talk in (ada, bob, eve):
            for ply, move in enumerate(tokens):
                assert await judgement(talk, ply=ply) == expected_judgement(SMALL, ply)
                expected = expected_judgement(SMALL, ply, move)
                assert await judgement(talk, ply=ply, move=move) == expected
        for ply in range(len(tokens)):
            expected = expected_judgement(SMALL, ply, all_moves=True)
            assert len(expected["losses"]) == len(tokens) - ply
            assert await judgement(ada, ply=ply, all_moves=True) == expected
        assert await ada.refusal("judge", ply=len(tokens)) == "no_such_ply"
        assert await ada.refusal("judge", ply=1, move="h0") == "already_drawn"
        assert await ada.refusal("judge", ply=1, move="h99") == "out_of_range"
        assert await ada.refusal("judge", ply=1, move="hello") == "malformed_move"


async def test_in_a_running_game_who_is_to_move_asks_for_a_hint_first() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two(**ROW_OF_TWO, hints=True)
        eve = await place.join("Eve", watch=True)
        assert await ada.refusal("judge", ply=0) == "no_hint_asked"
        await ada.do("ask_hint", seat=0, ply=0)
        await bob.event("hint_asked", seat=0)
        assert await judgement(ada, ply=0, move="h0") == expected_judgement(SMALL, 0, "h0")
        assert await bob.refusal("judge", ply=0) == "not_your_turn"
        assert await eve.refusal("judge", ply=0) == "not_your_turn"
        await ada.do("play", seat=0, move="h0", ply=0)
        assert await ada.refusal("judge", ply=0) == "not_your_turn"
        assert await bob.refusal("judge", ply=1) == "no_hint_asked"
        await bob.do("ask_hint", seat=1, ply=1)
        assert await judgement(bob, ply=1) == expected_judgement(SMALL, 1)
        assert await bob.refusal("judge", ply=0) == "stale"
        assert await bob.refusal("judge", ply=2) == "stale"


async def test_without_hints_a_running_game_is_not_judged() -> None:
    async with lobby() as place:
        ada, _ = await place.game_of_two(**ROW_OF_TWO)
        assert await ada.refusal("judge", ply=0) == "hints_off"


async def test_there_must_be_a_game() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        assert await ada.refusal("judge", ply=0) == "not_in_a_room"
        await ada.do("create_room", token="a long token", settings=ROW_OF_TWO)
        assert await ada.refusal("judge", ply=0) == "not_started"


async def test_positions_of_finished_games_are_judged_by_the_number_of_the_game(
    store: Store,
) -> None:
    async with store.opened(ManualClock()) as storage, lobby(storage=storage) as place:
        await place.call("Ada")
        for day, record in enumerate((SMALL, NOUGHTS)):
            game = finished(day, days=day, record=record)
            storage.ledger.save_game(replace(game, people=("ada", "bob")))
    async with store.opened(ManualClock()) as storage, lobby(storage=storage) as place:
        ada = await place.call("Ada")
        noughts, small = [it["game"] for it in (await ada.ask("list_games"))["games"]]
        assert await judgement(ada, ply=3, game=small) == expected_judgement(SMALL, 3)
        assert await ada.refusal("judge", ply=7, game=small) == "no_such_ply"
        assert await ada.refusal("judge", ply=0, game=noughts) == "no_review"
        assert await (await place.call("Eve")).refusal("judge", ply=0, game=small) == "no_such_game"


async def test_judgements_wait_with_the_reviews_of_the_same_client() -> None:
    async with lobby(bot_workers=1, bot_s=1000.0) as place:
        talks = await place.game_of_two(**ROW_OF_TWO)
        ada, bob = talks
        await play(talks, SMALL)
        (queue,) = place.server._bots._queues
        await queue._wait_for_turn(Asker("others", "elsewhere"))
        asked = [await ada.say("judge", ply=0) for _ in range(reviews.MOST_PENDING)]
        assert await bob.refusal("judge", ply=0) == "too_fast"
        assert (await ada.ask("ping"))["type"] == "pong"
        queue._end_turn()
        for id in asked:
            assert (await ada.answer(id))["type"] == "judgement"


async def test_a_position_that_takes_too_long_is_refused() -> None:
    """Of a board that no search solves in the time of a move."""
    async with lobby(bot_s=0.05) as place:
        ada, bob = await place.game_of_two(options={"rows": 9, "cols": 9})
        await bob.do("resign", seat=1)
        assert await ada.refusal("judge", ply=0) == "no_review"
