import asyncio

import pytest

from boxroom_client.link.errors import ProtocolError
from boxroom_client.link.pending_commands import IN_FLIGHT, Answer, PendingCommands, Question
from boxroom_client.link.updates import SessionEnded
from boxroom_engine.room.commands import Leave, Say, Start
from boxroom_engine.room.room import COMMANDS_REMEMBERED
from boxroom_engine.wire.messages import Done, ListRooms, Refused, Rooms

END = SessionEnded("left", "you left")


async def asking(unanswered: PendingCommands, *questions: Question) -> list["asyncio.Task[Answer]"]:
    tasks = [asyncio.create_task(unanswered.ask(question)) for question in questions]
    await asyncio.sleep(0)
    return tasks


async def sent(unanswered: PendingCommands, count: int) -> list[Question]:
    return [await unanswered.next_to_send() for _ in range(count)]


async def test_ids_only_grow() -> None:
    unanswered = PendingCommands()
    await asking(unanswered, Say(99, "a"), Say(99, "b"))
    assert await sent(unanswered, 2) == [Say(1, "a"), Say(2, "b")]
    unanswered.resume(last_id=7)
    assert unanswered.take_id() == 8
    unanswered.resume(last_id=3)
    assert unanswered.take_id() == 9


async def test_an_answer_goes_to_its_question() -> None:
    unanswered = PendingCommands()
    one, other, third = await asking(unanswered, Say(1, "a"), Start(1), ListRooms(1))
    await sent(unanswered, 3)
    assert unanswered.answered(Refused(2, "not_host", "no")) == Start(2)
    assert unanswered.answered(Done(1, 5)) == Say(1, "a")
    assert unanswered.answered(Rooms(3, ())) == ListRooms(3)
    assert await one == Done(1, 5)
    assert await other == Refused(2, "not_host", "no")
    assert await third == Rooms(3, ())


async def test_an_answer_that_nobody_waits_for_is_nobodys() -> None:
    unanswered = PendingCommands()
    (one,) = await asking(unanswered, Say(1, "a"))
    assert unanswered.answered(Done(1, 5)) is None
    await sent(unanswered, 1)
    assert unanswered.answered(Done(2, 5)) is None
    assert unanswered.answered(Done(1, 5)) is not None
    assert unanswered.answered(Done(1, 5)) is None
    await one
    assert unanswered.answered(Done(1, 5)) is None


@pytest.mark.parametrize(
    ("question", "answer"), [(Start(1), Rooms(1, ())), (ListRooms(1), Done(1, 1))]
)
async def test_an_answer_of_the_wrong_kind_is_garbled(question: Question, answer: Answer) -> None:
    unanswered = PendingCommands()
    (asked,) = await asking(unanswered, question)
    await sent(unanswered, 1)
    with pytest.raises(ProtocolError):
        unanswered.answered(answer)
    asked.cancel()


async def test_on_a_new_connection_the_unanswered_are_sent_again_in_order() -> None:
    unanswered = PendingCommands()
    await asking(unanswered, *(Say(1, text) for text in "abcd"))
    await sent(unanswered, 3)
    unanswered.answered(Done(2, 5))
    unanswered.resume(last_id=2)
    assert await sent(unanswered, 3) == [Say(1, "a"), Say(3, "c"), Say(4, "d")]


async def test_too_fast_isnt_an_answer_but_a_wish_for_a_pause() -> None:
    unanswered = PendingCommands()
    one, other = await asking(unanswered, Say(1, "a"), Say(1, "b"))
    await sent(unanswered, 2)
    unanswered.answered(Refused(2, "too_fast", "slow down"))
    unanswered.answered(Refused(1, "too_fast", "slow down"))
    assert unanswered.is_too_fast
    assert await sent(unanswered, 2) == [Say(3, "a"), Say(4, "b")]
    assert not one.done()
    assert not other.done()


async def test_what_was_too_fast_is_sent_with_an_id_above_what_was_accepted_since() -> None:
    unanswered = PendingCommands()
    one, other, third = await asking(unanswered, *(Say(1, text) for text in "abc"))
    await sent(unanswered, 2)
    unanswered.answered(Refused(1, "too_fast", "slow down"))
    unanswered.answered(Done(2, 5))
    assert await other == Done(2, 5)
    assert await sent(unanswered, 2) == [Say(3, "a"), Say(4, "c")]
    assert unanswered.answered(Done(1, 5)) is None
    unanswered.answered(Done(3, 6))
    unanswered.answered(Done(4, 7))
    assert (await one, await third) == (Done(3, 6), Done(4, 7))


async def test_what_the_server_may_know_is_sent_before_what_it_refused() -> None:
    unanswered = PendingCommands()
    await asking(unanswered, *(Say(1, text) for text in "abc"))
    await sent(unanswered, 3)
    unanswered.answered(Refused(1, "too_fast", "slow down"))
    unanswered.resume(last_id=0)
    assert await sent(unanswered, 3) == [Say(2, "b"), Say(3, "c"), Say(4, "a")]


async def test_no_more_are_in_flight_than_a_server_surely_remembers() -> None:
    assert IN_FLIGHT < COMMANDS_REMEMBERED
    unanswered = PendingCommands()
    await asking(unanswered, *(Say(1, str(number)) for number in range(IN_FLIGHT + 1)))
    await sent(unanswered, IN_FLIGHT)
    next_one = asyncio.create_task(unanswered.next_to_send())
    await asyncio.sleep(0)
    assert not next_one.done()
    unanswered.answered(Done(1, 5))
    assert await next_one == Say(IN_FLIGHT + 1, str(IN_FLIGHT))


async def test_who_doesnt_wait_any_more_isnt_sent() -> None:
    unanswered = PendingCommands()
    one, _ = await asking(unanswered, Say(1, "a"), Say(1, "b"))
    one.cancel()
    await asyncio.sleep(0)
    assert await sent(unanswered, 1) == [Say(1, "b")]


async def test_at_the_end_everybody_is_refused() -> None:
    unanswered = PendingCommands()
    questions = [Say(1, str(number)) for number in range(2 * IN_FLIGHT)]
    asked = await asking(unanswered, *questions)
    unanswered.finish(END)
    answers = await asyncio.gather(*asked, unanswered.ask(Start(1)))
    assert all(isinstance(answer, Refused) and answer.code == "left" for answer in answers)


async def test_whether_a_good_bye_is_said() -> None:
    unanswered = PendingCommands()
    assert not unanswered.is_leaving
    (leaving,) = await asking(unanswered, Leave(1))
    assert unanswered.is_leaving
    await sent(unanswered, 1)
    unanswered.answered(Refused(1, "not_in_a_room", "you are out"))
    assert not unanswered.is_leaving
    await leaving


async def test_commands_for_a_room_that_is_gone_are_refused() -> None:
    unanswered = PendingCommands()
    say, _ = await asking(unanswered, Say(1, "a"), ListRooms(1))
    unanswered.refuse_commands("other_room", "gone")
    unanswered.resume(0)
    assert await say == Refused(1, "other_room", "gone")
    assert await sent(unanswered, 1) == [ListRooms(1)]


async def test_the_longest_question_can_be_given_up() -> None:
    unanswered = PendingCommands()
    unanswered.refuse_longest("too_long", "nothing is asked, and so nothing happens")
    short, long = await asking(unanswered, Say(1, "a"), Say(1, "a" * 1000))
    await sent(unanswered, 2)
    unanswered.refuse_longest("too_long", "too long")
    assert await long == Refused(2, "too_long", "too long")
    assert not short.done()


async def test_what_cant_be_encoded_is_refused() -> None:
    answer = await PendingCommands().ask(Say(1, "\udcff"))
    assert isinstance(answer, Refused)
    assert answer.code == "bad_text"
