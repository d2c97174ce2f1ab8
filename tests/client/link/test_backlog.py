import asyncio

from boxroom_client.link.backlog import Backlog
from boxroom_client.link.updates import (
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    SessionEnded,
    Update,
)
from boxroom_engine.room.events import Joined
from boxroom_engine.room.room import Audience, Room

NOW = EnteredRoom(Room("kiwa"), "Ann", Audience.PLAYER, back=True)
END = SessionEnded("left", "you left")


def happened(seq: int) -> EventApplied:
    return EventApplied(seq, Joined("Bob"), Room("kiwa"), Room("kiwa"))


async def taken(backlog: Backlog) -> list[Update]:
    everything = []
    while (happening := await backlog.take()) is not None:
        everything.append(happening)
    return everything


async def test_it_gives_what_it_was_given_in_order_and_ends() -> None:
    backlog = Backlog(lambda: NOW)
    given: list[Update] = [
        NOW,
        happened(1),
        ConnectionLost("cut", 1),
        ConnectionRestored(),
        happened(2),
        END,
    ]
    for happening in given:
        backlog.put(happening)
    assert await taken(backlog) == given


async def test_nothing_comes_after_the_end() -> None:
    backlog = Backlog(lambda: NOW)
    for happening in (END, happened(1), SessionEnded("kicked", "twice")):
        backlog.put(happening)
    assert await taken(backlog) == [END]
    assert await backlog.take() is None


async def test_it_waits_for_what_comes() -> None:
    backlog = Backlog(lambda: NOW)
    waiting = asyncio.create_task(taken(backlog))
    for happening in (happened(1), happened(2), END):
        await asyncio.sleep(0)
        backlog.put(happening)
    assert await waiting == [happened(1), happened(2), END]


async def test_who_is_too_far_behind_is_told_where_things_stand() -> None:
    backlog = Backlog(lambda: NOW, most=3)
    for seq in range(1, 6):
        backlog.put(happened(seq))
    assert await backlog.take() == NOW
    assert await backlog.take() == happened(5)


async def test_a_loss_and_the_end_are_told_even_to_them() -> None:
    backlog = Backlog(lambda: NOW, most=1)
    for happening in (happened(1), ConnectionLost("cut", 1)):
        backlog.put(happening)
    backlog.put(END)
    assert await taken(backlog) == [NOW, ConnectionLost("cut", 1), END]
