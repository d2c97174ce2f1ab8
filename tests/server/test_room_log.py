"""The log in memory, as every log of rooms has to be."""

import pytest

from boxroom_engine.room.events import Entry, Joined, Left
from boxroom_server.room_log import Conflict, MemoryLog, RoomLog

FIRST = Entry(1, 0, (Joined("Ada"), Joined("Bob")))
SECOND = Entry(3, 0, (Left("Bob"),))


def kept(log: RoomLog, name: str, entry: Entry) -> None:
    """Append to a log that keeps at once."""
    errors: list[Exception | None] = []
    log.append(name, entry, b"", errors.append)
    (error,) = errors
    if error is not None:
        raise error


async def test_followers_are_given_entries_in_order_and_at_once() -> None:
    log = MemoryLog()
    one: list[Entry] = []
    other: list[Entry] = []
    log.follow("attic", one.append)
    unfollow = log.follow("attic", other.append)
    kept(log, "attic", FIRST)
    assert one == other == [FIRST]
    unfollow()
    kept(log, "attic", SECOND)
    assert one == [FIRST, SECOND]
    assert other == [FIRST]


@pytest.mark.parametrize("seq", [1, 2, 4])
async def test_only_the_next_number_can_be_appended(seq: int) -> None:
    log = MemoryLog()
    followed: list[Entry] = []
    log.follow("attic", followed.append)
    kept(log, "attic", FIRST)
    with pytest.raises(Conflict):
        kept(log, "attic", Entry(seq, 0, (Left("Ada"),)))
    kept(log, "attic", SECOND)
    assert followed == [FIRST, SECOND]


async def test_rooms_have_nothing_to_do_with_one_another() -> None:
    log = MemoryLog()
    attic: list[Entry] = []
    log.follow("attic", attic.append)
    kept(log, "cellar", FIRST)
    assert attic == []
    kept(log, "attic", FIRST)
    assert attic == [FIRST]


async def test_a_room_that_is_forgotten_begins_again_at_one() -> None:
    log = MemoryLog()
    old: list[Entry] = []
    unfollow = log.follow("attic", old.append)
    kept(log, "attic", FIRST)
    await log.forget("attic")
    unfollow()
    new: list[Entry] = []
    log.follow("attic", new.append)
    kept(log, "attic", FIRST)
    assert new == [FIRST]
    assert old == [FIRST]
