"""The recorder of finished games, by the updates of a room."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from boxroom_client.link.updates import EnteredRoom, EventApplied, HintReceived, Update
from boxroom_client.profile.history import GameHistory, PlayedGame
from boxroom_client.shell.game_recorder import GameRecorder
from boxroom_client.shell.recording import rooms
from boxroom_engine.games.record import Record
from boxroom_engine.room.room import Audience, Room, SeatHolder

RECORD = Record.parse("dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1")
STEPS = list(rooms(RECORD))


def numbered(room: Room, **changes: object) -> Room:
    return replace(room, **{"log": "4711", **changes})


def entered(room: Room, me: str = "Ada") -> EnteredRoom:
    return EnteredRoom(room, me, Audience.PLAYER, back=False)


def updates(me: str = "Ada", **changes: object) -> list[Update]:
    """Return the updates of a member who stays from the beginning to the end."""
    before = numbered(STEPS[0][1], **changes)
    received: list[Update] = [entered(before, me)]
    for events, room in STEPS[1:]:
        after = numbered(room, **changes)
        received += [EventApplied(0, event, before, after, 0) for event in events]
        before = after
    return received


@pytest.fixture
def history(tmp_path: Path) -> GameHistory:
    return GameHistory(tmp_path / "history.db")


def recorded(history: GameHistory, *received: Update) -> list[PlayedGame]:
    recorder = GameRecorder("example.org", history)
    for update in received:
        recorder(update)
    return history.newest()


def test_a_game_is_recorded_at_its_end(history: GameHistory) -> None:
    *before, _ = received = updates()
    assert recorded(history, *before) == []
    (game,) = recorded(history, *received)
    assert game.record == str(RECORD)
    assert (game.server, game.log, game.number) == ("example.org", "4711", 1)
    assert (game.scores, game.winners, game.seat, game.helped) == ((0, 1), (1,), 0, False)
    assert game.bots == (None, None)


def test_a_game_of_a_robot_is_named_so_and_counts_for_nobody(history: GameHistory) -> None:
    recorder = GameRecorder("example.org", history, is_robot=True)
    for update in updates():
        recorder(update)
    (game,) = history.newest()
    assert game.heading.players == ("Ada (robot)", "Bob")
    assert (game.seat, game.helped) == (0, True)


def test_one_who_comes_back_after_the_end_has_it_too_but_once(history: GameHistory) -> None:
    over = numbered(STEPS[-1][1])
    assert len(recorded(history, entered(over), entered(over))) == 1


def test_a_spectator_has_played_nothing(history: GameHistory) -> None:
    assert recorded(history, *updates(me="Cem")) == []


def test_one_who_sat_down_after_the_game_hasnt_played_it(history: GameHistory) -> None:
    over = numbered(STEPS[-1][1], seats=(SeatHolder(0, "Cem", "Cem"), STEPS[-1][1].seats[1]))
    assert recorded(history, entered(over, "Cem")) == []


def test_bots_are_named_and_several_people_have_no_seat_of_their_own(history: GameHistory) -> None:
    bot = (STEPS[0][1].seats[0], SeatHolder(1, "Bob", None, "greedy"))
    (game,) = recorded(history, *updates(seats=bot))
    assert game.bots == (None, "greedy")
    assert game.record.startswith("dots rows=1 cols=1 border=none | Ada, Bob (bot) | ")
    both = (SeatHolder(0, "Ada", "Ada"), SeatHolder(1, "Bob", "Ada"))
    game, *_ = recorded(history, *updates(seats=both, log="4712"))
    assert game.seat is None


def test_help_is_noted(history: GameHistory) -> None:
    first, *rest = updates()
    (game,) = recorded(history, first, HintReceived(0, "h0", 0, 1, "expert"), *rest)
    assert game.helped
    game, *_ = recorded(history, *updates(log="4712", undos=1))
    assert game.helped
    game, *_ = recorded(history, *updates(log="4713", unrated=True))
    assert game.helped


def test_a_history_that_cant_be_written_ends_no_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "history.db").mkdir()
    for update in updates():
        GameRecorder("", GameHistory(tmp_path / "history.db"))(update)
    recorder = GameRecorder("", GameHistory(tmp_path / "history.db"))
    for update in updates():
        recorder(update)
    assert "the game isn't in the history: " in caplog.text
