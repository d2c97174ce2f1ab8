"""Events for clients that don't know all parts of the protocol."""

from boxroom_engine.room import events as ev
from boxroom_engine.wire.parts import (
    PAUSES,
    REQUESTS,
    SERIES,
    TAKEBACKS,
    known_events,
    parts_of,
    understood,
)

SAID = ev.Said("Ada", "oh", 0)
ASKED = (ev.UndoAsked("Ada", 0), ev.UndoAgreed("Bob"), ev.UndoDeclined("Cleo"), SAID)
UNDONE = (SAID, ev.Undone("Ada", 0, 2, 0, (0, 0)))


def test_events_of_unknown_parts_are_hidden() -> None:
    assert parts_of(ASKED) == {TAKEBACKS}
    assert known_events(ASKED, frozenset()) == (ev.Hidden(), ev.Hidden(), ev.Hidden(), SAID)


def test_the_end_of_a_series_is_hidden_from_those_who_know_none() -> None:
    won = (ev.Ended((1, 0), (0,), (2, 0)), ev.SeriesWon("Ada"))
    assert known_events(won, {TAKEBACKS}) == (won[0], ev.Hidden())
    assert known_events(won, {SERIES}) == won


def test_the_room_is_needed_after_a_change() -> None:
    assert parts_of(UNDONE) == {TAKEBACKS}
    assert known_events(UNDONE, {"what comes later"}) is None


def test_known_parts_and_what_belongs_to_none_come_as_they_are() -> None:
    assert parts_of([SAID]) == set()
    assert known_events([SAID], frozenset()) == (SAID,)
    for events in (ASKED, UNDONE):
        assert known_events(events, {TAKEBACKS, "what comes later"}) == events


def test_requests_are_a_part_of_their_own() -> None:
    asked = (ev.StandInAsked("Ada", 1, "greedy"), ev.Agreed("Bob"), ev.Declined("Cleo"))
    assert parts_of(asked) == {REQUESTS}
    assert known_events(asked, {TAKEBACKS}) == (ev.Hidden(),) * 3
    assert known_events([ev.Aborted("Ada")], {TAKEBACKS}) is None
    stood_in = (ev.StoodIn(1, "greedy"),)
    assert known_events(stood_in, frozenset()) == stood_in


def test_requests_can_be_followed_by_those_only_who_know_pauses() -> None:
    assert understood([TAKEBACKS, REQUESTS]) == {TAKEBACKS}
    assert understood([TAKEBACKS, REQUESTS, PAUSES]) == {TAKEBACKS, REQUESTS, PAUSES}
