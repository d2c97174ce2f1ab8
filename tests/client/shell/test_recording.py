"""Records: read from all sources, and replayed like a room."""

import io
from pathlib import Path

import pytest
from tests.engine.room.hosting import playing

from boxroom_client.shell.recording import (
    UnreadableRecord,
    parse_record,
    read_records,
    record_of,
    rooms,
)
from boxroom_engine.games.record import Record
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Phase, Room

GAME = "dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1"
WITHDRAWN = "dots rows=1 cols=2 border=none | Ada, Bob, Cleo | h0 ~0 v0 ~2"


def test_a_record_is_read_as_it_is_from_a_file_and_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(f"{GAME}\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{GAME}\n"))
    for source in (GAME, str(path), "-"):
        [text] = read_records(source)
        assert str(parse_record(text)) == GAME


def test_a_file_of_draughts_may_be_in_pdn(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    path.write_text('[White "W"][Black "B"] 1. 11-15 23-19 0-1 [GameType "20"] 1. 32-28 *')
    assert read_records(str(path)) == (
        "draughts rules=english size=usual | B, W | 11-15 23-19 ~1",
        "draughts rules=international size=usual | White, Black | 32-28",
    )
    path.write_text("1. 11-16 11-16 *")
    with pytest.raises(UnreadableRecord, match="that isn't a game in PDN: move 2, 11-16: "):
        read_records(str(path))


def test_several_records_are_a_line_each_and_one_may_be_broken(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(f"{GAME}\n\n{WITHDRAWN}\n")
    assert read_records(str(path)) == (GAME, WITHDRAWN)
    path.write_text(GAME.replace(" ", "\n"))
    [text] = read_records(str(path))
    assert str(parse_record(text)) == GAME


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("nowhere.txt", r"there is no file nowhere\.txt\Z"),
        ("dots h0 h1", "there is no file dots h0 h1; as a record it would need bars: "),
        (".", r"can't read \."),
        ("\0", "can't read"),
    ],
)
def test_what_cant_be_read_is_told(source: str, why: str) -> None:
    with pytest.raises(UnreadableRecord, match=why):
        read_records(source)


@pytest.mark.parametrize("text", ["noughts | Ada | 4", "chess | Ada, Bob | e4", ""])
def test_what_is_no_record_is_told(text: str) -> None:
    with pytest.raises(UnreadableRecord, match="isn't a record"):
        parse_record(text)


def test_a_file_that_isnt_text_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "noise"
    path.write_bytes(b"\xff\xfe|")
    with pytest.raises(UnreadableRecord, match="can't read"):
        read_records(str(path))


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
