"""The mirror follows the log as docs/reference/protocol.md describes it, or raises an error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.cases import each

from boxroom_client.link.mirror import Mirror, OutOfSync, UnsupportedRoom
from boxroom_client.link.updates import ConnectionRestored, EnteredRoom
from boxroom_engine.room import events as ev
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Audience, Room, Settings
from boxroom_engine.room.view import snapshot
from boxroom_engine.wire.messages import Events, InRoom, Resumed

SETTINGS = Settings(options={"rows": 1, "cols": 1})
LOG: tuple[ev.Event, ...] = (
    ev.Created("kiwa", "log-1", "Ann", SETTINGS),
    ev.Joined("Ann"),
    ev.Sat(0, "Ann", "Ann"),
    ev.Joined("Bob"),
    ev.Sat(1, "Bob", "Bob"),
    ev.Started(1, ("Ann", "Bob")),
    ev.Played(0, "h0", (), 1, (0, 0)),
    ev.Said("Bob", "hm", 5),
    ev.Played(1, "h1", (), 0, (0, 0)),
    ev.Hidden(),
    ev.Played(0, "v0", (), 1, (0, 0)),
    ev.Played(1, "v1", (0,), None, (0, 1)),
    ev.Ended((0, 1), (1,)),
)


def folded(seq: int) -> Room:
    """Return the room after event number `seq` of the log."""
    room = Room("kiwa")
    for event in LOG[:seq]:
        room = evolve(room, event, 0)
    return room


def in_room(seq: int) -> InRoom:
    return InRoom("Ann", Audience.PLAYER, 0, snapshot(folded(seq), Audience.PLAYER), 0)


def resumed(you: str, room: str, after: int) -> Resumed:
    return Resumed(you, room, after, 0, Audience.PLAYER)


def entered(seq: int) -> Mirror:
    mirror = Mirror()
    mirror.enter(in_room(seq))
    return mirror


def test_it_begins_from_a_snapshot() -> None:
    mirror = Mirror()
    assert mirror.last_seen is None
    assert not mirror.is_watching
    assert mirror.enter(in_room(5)) == EnteredRoom(folded(5), "Ann", Audience.PLAYER, back=False)
    assert mirror.room == folded(5)
    assert mirror.me == "Ann"
    assert mirror.last_seen == ("log-1", 5)


def test_a_second_snapshot_says_that_there_was_a_gap() -> None:
    mirror = entered(5)
    assert mirror.enter(in_room(9)).back
    assert mirror.room == folded(9)


def test_who_has_no_seat_is_watching() -> None:
    assert entered(2).is_watching
    assert not entered(3).is_watching


@given(st.integers(3, len(LOG)), st.data())
def test_any_cut_of_the_log_into_entries_leads_to_the_same_room(
    first: int, data: st.DataObject
) -> None:
    mirror = entered(first)
    seqs = []
    while (seq := mirror.last_seen) is not None and seq[1] < len(LOG):
        until = data.draw(st.integers(seq[1] + 1, len(LOG)))
        for applied in mirror.apply(Events(seq[1] + 1, 0, LOG[seq[1] : until])):
            assert applied.before == folded(applied.seq - 1)
            assert applied.event == LOG[applied.seq - 1]
            assert applied.after == folded(applied.seq)
            seqs.append(applied.seq)
    assert seqs == list(range(first + 1, len(LOG) + 1))
    assert mirror.room == folded(len(LOG))


@given(st.integers(3, len(LOG)), st.integers(1, len(LOG)))
def test_only_the_next_event_follows(here: int, seq: int) -> None:
    mirror = entered(here)
    if seq == here + 1:
        assert mirror.apply(Events(seq, 0, LOG[seq - 1 : seq]))
        return
    with pytest.raises(OutOfSync):
        mirror.apply(Events(seq, 0, LOG[seq - 1 : seq]))
    assert mirror.room == folded(here)
    assert mirror.last_seen is None


def test_without_a_snapshot_nothing_follows() -> None:
    with pytest.raises(OutOfSync):
        Mirror().apply(Events(1, 0, LOG))
    with pytest.raises(OutOfSync):
        Mirror().resume(resumed("Ann", "kiwa", 0))


@each(
    "event",
    [
        ev.Sat(7, "Bob", "Bob"),
        ev.Played(0, "h0", (), 1, (0, 0)),
        ev.Played(0, "x9", (), 1, (0, 0)),
        ev.Withdrew(9, ev.WithdrawalReason.RESIGNED, 1, (0, 0)),
    ],
)
def test_an_event_that_cant_be_leaves_the_room_as_it_was(event: ev.Event) -> None:
    mirror = entered(7)
    with pytest.raises(OutOfSync, match="event 9 can't be"):
        mirror.apply(Events(8, 0, (ev.Said("Bob", "hm", 5), event)))
    assert mirror.room == folded(7)
    assert mirror.last_seen is None


def test_out_of_sync_only_a_snapshot_helps() -> None:
    mirror = entered(5)
    with pytest.raises(OutOfSync):
        mirror.apply(Events(7, 0, LOG[6:7]))
    with pytest.raises(OutOfSync):
        mirror.apply(Events(6, 0, LOG[5:6]))
    with pytest.raises(OutOfSync):
        mirror.resume(resumed("Ann", "kiwa", 5))
    assert mirror.enter(in_room(6)).back
    assert mirror.last_seen == ("log-1", 6)


def test_it_resumes_where_it_stands() -> None:
    mirror = entered(6)
    assert mirror.resume(resumed("Ann", "kiwa", 6)) == ConnectionRestored()
    last = mirror.apply(Events(7, 0, LOG[6:8]))[-1]
    assert last.after == folded(8)
    assert last.at_ms == 0


@each(
    "elsewhere",
    [resumed("Ann", "kiwa", 5), resumed("Bob", "kiwa", 6), resumed("Ann", "tobe", 6)],
)
def test_it_resumes_nowhere_else(elsewhere: Resumed) -> None:
    mirror = entered(6)
    with pytest.raises(OutOfSync):
        mirror.resume(elsewhere)
    assert mirror.last_seen is None


@each("settings", [Settings("chess"), Settings(options={"rows": 0}), Settings(options={"x": 1})])
def test_a_game_that_isnt_known_here_cant_be_followed(settings: Settings) -> None:
    seen = in_room(7)
    strange = replace(seen, room=replace(seen.room, settings=settings))
    with pytest.raises(UnsupportedRoom, match="newer"):
        Mirror().enter(strange)
