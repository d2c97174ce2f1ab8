import asyncio

import pytest
from tests.cases import each

from boxroom_client.link.errors import ProtocolError
from boxroom_client.link.pending_commands import (
    IN_FLIGHT,
    PendingCommands,
    Reply,
    Request,
    refused,
    said_by,
)
from boxroom_client.link.updates import SessionEnded
from boxroom_engine.phrases import phrase, verbatim
from boxroom_engine.room.accepted import COMMANDS_REMEMBERED
from boxroom_engine.room.commands import Leave, Say, Start
from boxroom_engine.room.decision import refusal
from boxroom_engine.wire.messages import Done, GetReview, ListRooms, Notice, Refused, Rooms

END = SessionEnded("left", verbatim("you left"))


async def asking(pending: PendingCommands, *requests: Request) -> list["asyncio.Task[Reply]"]:
    tasks = [asyncio.create_task(pending.ask(request)) for request in requests]
    await asyncio.sleep(0)
    return tasks


async def sent(pending: PendingCommands, count: int) -> list[Request]:
    return [await pending.next_to_send() for _ in range(count)]


async def test_ids_only_grow() -> None:
    pending = PendingCommands()
    await asking(pending, Say(99, "a"), Say(99, "b"))
    assert await sent(pending, 2) == [Say(1, "a"), Say(2, "b")]
    pending.resume(last_id=7)
    assert pending.take_id() == 8
    pending.resume(last_id=3)
    assert pending.take_id() == 9


async def test_a_reply_goes_to_its_request() -> None:
    pending = PendingCommands()
    one, other, third = await asking(pending, Say(1, "a"), Start(1), ListRooms(1))
    await sent(pending, 3)
    assert pending.resolve(Refused(2, "not_host", "no")) == Start(2)
    assert pending.resolve(Done(1, 5)) == Say(1, "a")
    assert pending.resolve(Rooms(3, ())) == ListRooms(3)
    assert await one == Done(1, 5)
    assert await other == Refused(2, "not_host", "no")
    assert await third == Rooms(3, ())


async def test_an_answer_that_nobody_waits_for_is_ignored() -> None:
    pending = PendingCommands()
    (one,) = await asking(pending, Say(1, "a"))
    assert pending.resolve(Done(1, 5)) is None
    await sent(pending, 1)
    assert pending.resolve(Done(2, 5)) is None
    assert pending.resolve(Done(1, 5)) is not None
    assert pending.resolve(Done(1, 5)) is None
    await one
    assert pending.resolve(Done(1, 5)) is None


@each(
    "asked, reply",
    [(Start(1), Rooms(1, ())), (ListRooms(1), Done(1, 1)), (GetReview(1), Rooms(1, ()))],
)
async def test_an_answer_of_the_wrong_kind_is_a_protocol_error(
    asked: Request, reply: Reply
) -> None:
    pending = PendingCommands()
    (task,) = await asking(pending, asked)
    await sent(pending, 1)
    with pytest.raises(ProtocolError):
        pending.resolve(reply)
    task.cancel()


async def test_on_a_new_connection_the_unanswered_are_sent_again_in_order() -> None:
    pending = PendingCommands()
    await asking(pending, *(Say(1, text) for text in "abcd"))
    await sent(pending, 3)
    pending.resolve(Done(2, 5))
    pending.resume(last_id=2)
    assert await sent(pending, 3) == [Say(1, "a"), Say(3, "c"), Say(4, "d")]


async def test_too_fast_isnt_an_answer_but_a_wish_for_a_pause() -> None:
    pending = PendingCommands()
    one, other = await asking(pending, Say(1, "a"), Say(1, "b"))
    await sent(pending, 2)
    pending.resolve(Refused(2, "too_fast", "slow down"))
    pending.resolve(Refused(1, "too_fast", "slow down"))
    assert pending.is_too_fast
    assert await sent(pending, 2) == [Say(3, "a"), Say(4, "b")]
    assert not one.done()
    assert not other.done()


async def test_what_was_too_fast_is_sent_with_an_id_above_what_was_accepted_since() -> None:
    pending = PendingCommands()
    one, other, third = await asking(pending, *(Say(1, text) for text in "abc"))
    await sent(pending, 2)
    pending.resolve(Refused(1, "too_fast", "slow down"))
    pending.resolve(Done(2, 5))
    assert await other == Done(2, 5)
    assert await sent(pending, 2) == [Say(3, "a"), Say(4, "c")]
    assert pending.resolve(Done(1, 5)) is None
    pending.resolve(Done(3, 6))
    pending.resolve(Done(4, 7))
    assert (await one, await third) == (Done(3, 6), Done(4, 7))


async def test_what_the_server_may_know_is_sent_before_what_it_refused() -> None:
    pending = PendingCommands()
    await asking(pending, *(Say(1, text) for text in "abc"))
    await sent(pending, 3)
    pending.resolve(Refused(1, "too_fast", "slow down"))
    pending.resume(last_id=0)
    assert await sent(pending, 3) == [Say(2, "b"), Say(3, "c"), Say(4, "a")]


async def test_no_more_are_in_flight_than_a_server_surely_remembers() -> None:
    assert IN_FLIGHT < COMMANDS_REMEMBERED
    pending = PendingCommands()
    await asking(pending, *(Say(1, str(number)) for number in range(IN_FLIGHT + 1)))
    await sent(pending, IN_FLIGHT)
    next_one = asyncio.create_task(pending.next_to_send())
    await asyncio.sleep(0)
    assert not next_one.done()
    pending.resolve(Done(1, 5))
    assert await next_one == Say(IN_FLIGHT + 1, str(IN_FLIGHT))


async def test_who_doesnt_wait_any_more_isnt_sent() -> None:
    pending = PendingCommands()
    one, _ = await asking(pending, Say(1, "a"), Say(1, "b"))
    one.cancel()
    await asyncio.sleep(0)
    assert await sent(pending, 1) == [Say(1, "b")]


async def test_at_the_end_everybody_is_refused() -> None:
    pending = PendingCommands()
    requests = [Say(1, str(number)) for number in range(2 * IN_FLIGHT)]
    asked = await asking(pending, *requests)
    pending.finish(END)
    replies = await asyncio.gather(*asked, pending.ask(Start(1)))
    assert all(isinstance(reply, Refused) and reply.code == "left" for reply in replies)


async def test_whether_a_good_bye_is_said() -> None:
    pending = PendingCommands()
    assert not pending.is_leaving
    (leaving,) = await asking(pending, Leave(1))
    assert pending.is_leaving
    await sent(pending, 1)
    pending.resolve(Refused(1, "not_in_a_room", "you are out"))
    assert not pending.is_leaving
    await leaving


async def test_commands_for_a_room_that_is_gone_are_refused() -> None:
    pending = PendingCommands()
    say, _ = await asking(pending, Say(1, "a"), ListRooms(1))
    pending.refuse_commands(refusal("other_room"))
    pending.resume(0)
    assert await say == refused(1, refusal("other_room"))
    assert await sent(pending, 1) == [ListRooms(1)]


async def test_the_longest_request_can_be_given_up() -> None:
    pending = PendingCommands()
    pending.refuse_longest(refusal("too_long.server"))  # nothing is asked: nothing happens
    short, long = await asking(pending, Say(1, "a"), Say(1, "a" * 1000))
    await sent(pending, 2)
    pending.refuse_longest(refusal("too_long.server"))
    assert await long == refused(2, refusal("too_long.server"))
    assert not short.done()


async def test_what_cant_be_encoded_is_refused() -> None:
    reply = await PendingCommands().ask(Say(1, "\udcff"))
    assert isinstance(reply, Refused)
    assert reply.code == "bad_text"


def test_a_server_is_quoted_only_where_its_phrase_is_unknown() -> None:
    stale, newer = phrase("refusal.stale"), phrase("refusal.newer")
    assert said_by(Refused(1, "stale", "too late", stale)) == stale
    assert str(said_by(Refused(1, "newer", "too new", newer))) == "too new"
    assert str(said_by(Notice("remark", "too hard"))) == "too hard"
