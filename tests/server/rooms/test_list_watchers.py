"""Watchers of the list of rooms: what they are sent, how much at once, to how many at a time."""

import json

from hypothesis import given
from hypothesis import strategies as st
from tests.server.manual_clock import ManualClock

from boxroom_server.net.frames import Outgoing, text_frame
from boxroom_server.rooms.list_watchers import EVERY_S, WATCHERS_AT_ONCE, ListWatchers

ONE_LOOP = True


class Watcher:
    """A client that keeps the list from what it is sent."""

    def __init__(self) -> None:
        self.entries: dict[str, int] = {}
        self.messages: list[Outgoing] = []

    def rooms_changed(self, outgoing: Outgoing) -> None:
        assert outgoing.frame == text_frame(outgoing.payload)
        self.messages.append(outgoing)
        message = json.loads(outgoing.payload)
        assert message["type"] == "rooms_changed"
        for entry in message["rooms"]:
            self.entries[entry["room"]] = entry["people"]
        for code in message["gone"]:
            self.entries.pop(code, None)


class SlowWatcher(Watcher):
    """A watcher with which the first message takes as long as changes are collected."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock

    def rooms_changed(self, outgoing: Outgoing) -> None:
        super().rooms_changed(outgoing)
        if len(self.messages) == 1:
            self._clock.advance(EVERY_S)


def entry_of(code: str, people: int) -> bytes:
    return json.dumps({"room": code, "people": people}).encode()


codes = st.sampled_from(("attic", "balcony", "cellar", 'dé"n'))
changes = st.tuples(codes, st.none() | st.integers(0, 3))


@given(st.lists(st.none() | changes, max_size=40), st.integers(1, 3))
def test_a_watcher_knows_the_list_in_the_end(
    steps: list[tuple[str, int | None] | None], most: int
) -> None:
    clock = ManualClock()
    watchers, watcher = ListWatchers(clock, most), Watcher()
    watchers.add(watcher)
    entries: dict[str, int] = {}
    for step in steps:
        if step is None:
            clock.advance(EVERY_S / 2)
            continue
        code, people = step
        watchers.room_changed(code, None if people is None else entry_of(code, people))
        if people is None:
            entries.pop(code, None)
        else:
            entries[code] = people
    clock.advance(10 * EVERY_S)
    assert watcher.entries == entries
    for message in watcher.messages:
        read = json.loads(message.payload)
        assert 1 <= len(read["rooms"]) + len(read["gone"]) <= most
    assert clock.waiting == 0, "nothing is scheduled while nothing changes"


def test_all_are_sent_the_same_bytes() -> None:
    clock = ManualClock()
    watchers, both = ListWatchers(clock, 50), (Watcher(), Watcher())
    for watcher in both:
        watchers.add(watcher)
    watchers.room_changed("attic", entry_of("attic", 1))
    clock.advance(EVERY_S)
    (one,), (other,) = (watcher.messages for watcher in both)
    assert one is other


def test_nothing_is_kept_without_watchers() -> None:
    clock = ManualClock()
    watchers, watcher = ListWatchers(clock, 50), Watcher()
    watchers.room_changed("attic", None)
    assert clock.waiting == 0
    watchers.add(watcher)
    watchers.room_changed("balcony", None)
    watchers.discard(watcher)
    clock.advance(EVERY_S)
    watchers.add(watcher)
    watchers.room_changed("cellar", None)
    clock.advance(EVERY_S)
    (message,) = watcher.messages
    assert json.loads(message.payload)["gone"] == ["cellar"]


def test_a_new_watcher_is_sent_nothing_that_was_out_of_date_when_it_came() -> None:
    clock = ManualClock()
    watchers, watcher = ListWatchers(clock, 50), Watcher()
    watchers.add(watcher)
    watchers.room_changed("attic", entry_of("attic", 1))
    watchers.discard(watcher)
    watchers.room_changed("attic", None)
    watchers.add(watcher)  # and asks for the list, in which there is no attic
    clock.advance(2 * EVERY_S)
    assert watcher.messages == []
    watchers.room_changed("balcony", entry_of("balcony", 1))
    clock.advance(EVERY_S)
    assert watcher.entries == {"balcony": 1}


async def test_no_message_overtakes_another_however_long_a_tick_takes() -> None:
    clock = ManualClock()
    watchers, early = ListWatchers(clock, 50), [Watcher() for _ in range(2 * WATCHERS_AT_ONCE - 1)]
    slow, last = SlowWatcher(clock), Watcher()
    for watcher in (*early[:WATCHERS_AT_ONCE], slow, *early[WATCHERS_AT_ONCE:], last):
        watchers.add(watcher)

    def after_the_first_tick() -> None:
        for watcher in early:
            watchers.discard(watcher)
        watchers.room_changed("attic", None)

    watchers.room_changed("attic", entry_of("attic", 1))
    clock.call_later(EVERY_S, after_the_first_tick)
    clock.advance(4 * EVERY_S)
    assert len(last.messages) == 2
    assert last.entries == {}


async def test_many_watchers_are_sent_it_in_several_ticks() -> None:
    clock = ManualClock()
    watchers, many = ListWatchers(clock, 50), [Watcher() for _ in range(2 * WATCHERS_AT_ONCE + 1)]
    for watcher in many:
        watchers.add(watcher)
    watchers.room_changed("attic", None)
    sent = []
    clock.call_later(EVERY_S, lambda: sent.append(sum(len(it.messages) for it in many)))
    leaving = many[-1]
    clock.call_later(EVERY_S, lambda: watchers.discard(leaving))
    clock.advance(EVERY_S)
    assert sent == [WATCHERS_AT_ONCE]
    assert [len(watcher.messages) for watcher in many] == [1] * (len(many) - 1) + [0]
