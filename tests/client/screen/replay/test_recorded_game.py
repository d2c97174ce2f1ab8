"""The positions of a recorded game."""

from boxroom_client.screen.panes.journal import Journal
from boxroom_client.screen.replay.recorded_game import RecordedGame
from boxroom_client.shell.recording import rooms
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.record import Record

GAME = "dots rows=1 cols=2 border=none | Ada, Bob, Cleo | h0 h1 h2 h3 v0 ~1 v2 v1"


def recorded(text: str = GAME) -> RecordedGame:
    return RecordedGame(list(rooms(Record.parse(text))))


def told(journal: Journal) -> list[str]:
    rows = journal.rows(60, 40)
    lines = ("".join(text for _, text in row).rstrip() for row in rows)
    return [line for line in lines if line]


def test_the_log_tells_what_happened_up_to_a_position() -> None:
    game = recorded()
    assert told(game.journal(0)) == ["The game begins. In order of play: Ada, Bob and Cleo."]
    assert told(game.journal(2))[1:] == ["● 1. Ada plays h0.", "■ 2. Bob plays h1."]
    assert told(game.journal(6))[-1] == "■ 6. Bob gives up, and keeps 0 boxes."
    assert told(game.journal(8))[-5:] == [
        "● 8. Ada takes 2 boxes (v1).",
        "Ada won with 2 boxes.",
        "  2  Ada",
        "  0  Bob (gave up)",
        "  0  Cleo",
    ]


def test_every_position_has_its_room_and_the_move_that_led_there() -> None:
    game = recorded()
    assert game.last == 8
    for at in range(1, game.last + 1):
        before, after = game.room(at - 1).state, game.room(at).state
        assert before is not None
        move = game.move(at)
        assert after == (before.play(move) if move is not None else before.withdraw(Seat(1)))
    assert game.move(0) is None


def test_positions_in_which_something_was_taken_are_known() -> None:
    assert recorded().takings == (8,)
    assert recorded("dots rows=1 cols=1 border=none | Ada, Bob | h0").takings == ()
