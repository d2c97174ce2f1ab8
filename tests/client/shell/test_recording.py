"""Records, replayed like a room."""

import pytest
from tests.engine.room.hosting import playing

from boxroom_client.shell.record_files import UnreadableRecord
from boxroom_client.shell.recording import record_of, rooms
from boxroom_engine.games.record import Record
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Room

GAME = "dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1"
WITHDRAWN = "dots rows=1 cols=2 border=none | Ada, Bob, Cleo | h0 ~0 v0 ~2"


def test_a_record_happens_like_a_game_in_a_room() -> None:
    (start, first), *_, (end, last) = rooms(Record.parse(GAME))
    assert start == (ev.Started(1, ("Ada", "Bob")),)
    assert first.phase is Phase.PLAYING
    assert end == (ev.Played(1, "v1", (0,), None, (0, 1)), ev.Ended((0, 1), (1,)))
    assert last.phase is Phase.OVER
    assert last.tokens == ("h0", "v0", "h1", "v1")
    assert all(room.is_connected(name) for room in (first, last) for name in ("Ada", "Bob"))


def test_withdrawals_happen_too() -> None:
    events = [event for step, _ in rooms(Record.parse(WITHDRAWN)) for event in step]
    resigned = [event.seat for event in events if isinstance(event, ev.Withdrew)]
    assert resigned == [0, 2]
    assert events[-1] == ev.Ended((0, 0, 0), (1,))


def test_a_move_that_cant_be_played_is_told_where_it_stands() -> None:
    steps = rooms(Record.parse("dots rows=1 cols=1 border=none | Ada, Bob | h0 h0"))
    assert next(steps)
    assert next(steps)
    with pytest.raises(UnreadableRecord, match="token 2, h0"):
        next(steps)


def test_names_that_could_fool_a_terminal_are_cleaned() -> None:
    record = Record.parse("dots rows=1 cols=1 border=none | %1B[31mAda, %E2%80%AE | h0")
    _, room = next(rooms(record))
    assert room.players == ("[31mAda", "?")


def test_the_record_of_a_room_tells_its_bots() -> None:
    hosted = playing()
    hosted.plays("Ada", "h0")
    assert str(record_of(hosted.room)) == "dots rows=1 cols=1 border=none | Ada, Bob | h0"
    assert record_of(Room("attic")) is None
