import asyncio

from boxroom_client.link.update_queue import UpdateQueue
from boxroom_client.link.updates import (
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    SessionEnded,
    Update,
)
from boxroom_engine.phrases import verbatim
from boxroom_engine.room.events import Joined
from boxroom_engine.room.room import Audience, Room

NOW = EnteredRoom(Room("kiwa"), "Ann", Audience.PLAYER, back=True)
END = SessionEnded("left", verbatim("you left"))


def event(seq: int) -> EventApplied:
    return EventApplied(seq, Joined("Bob"), Room("kiwa"), Room("kiwa"), 0)


async def taken(queue: UpdateQueue) -> list[Update]:
    everything = []
    while (update := await queue.get()) is not None:
        everything.append(update)
    return everything


async def test_it_gives_what_it_was_given_in_order_and_ends() -> None:
    queue = UpdateQueue(lambda: NOW)
    given: list[Update] = [
        NOW,
        event(1),
        ConnectionLost("cut", 1),
        ConnectionRestored(),
        event(2),
        END,
    ]
    for update in given:
        queue.put(update)
    assert await taken(queue) == given


async def test_nothing_comes_after_the_end() -> None:
    queue = UpdateQueue(lambda: NOW)
    for update in (END, event(1), SessionEnded("kicked", verbatim("twice"))):
        queue.put(update)
    assert await taken(queue) == [END]
    assert await queue.get() is None


async def test_it_waits_for_what_comes() -> None:
    queue = UpdateQueue(lambda: NOW)
    waiting = asyncio.create_task(taken(queue))
    for update in (event(1), event(2), END):
        await asyncio.sleep(0)
        queue.put(update)
    assert await waiting == [event(1), event(2), END]


async def test_who_is_too_far_behind_is_told_where_things_stand() -> None:
    queue = UpdateQueue(lambda: NOW, most=3)
    for seq in range(1, 6):
        queue.put(event(seq))
    assert await queue.get() == NOW
    assert await queue.get() == event(5)


async def test_a_loss_and_the_end_are_told_even_to_them() -> None:
    queue = UpdateQueue(lambda: NOW, most=1)
    for update in (event(1), ConnectionLost("cut", 1)):
        queue.put(update)
    queue.put(END)
    assert await taken(queue) == [NOW, ConnectionLost("cut", 1), END]
