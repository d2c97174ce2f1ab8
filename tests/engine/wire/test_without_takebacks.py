"""Messages for clients that don't know takebacks, and the commands of those."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.engine.room.hosting import HostedRoom, playing

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Audience, Settings
from boxroom_engine.room.view import room_from_snapshot, snapshot
from boxroom_engine.wire import without_takebacks
from boxroom_engine.wire.messages import Hint

LARGE = Settings(options={"rows": 3, "cols": 3})


def after_takebacks(played_first: list[int]) -> list[HostedRoom]:
    """Return rooms of one game: before each takeback, and at the end.

    Before each takeback Ada and Bob play so many moves in turn.
    """
    hosted = playing(LARGE)
    rooms = []
    for number in played_first:
        for index in range(1, number + 1):
            state = hosted.room.state
            assert state is not None
            mover = hosted.room.seats[state.to_move or 0].member
            hosted.plays(mover or "", state.game.format_move(state.legal_moves()[-index]))
        rooms.append(_copy(hosted))
        hosted.ask("Ada", cmd.Undo, ply=hosted.ply)
        hosted.ask("Bob", cmd.AnswerUndo, ply=hosted.ply, agree=True)
    return [*rooms, hosted]


def _copy(hosted: HostedRoom) -> HostedRoom:
    other = HostedRoom.__new__(HostedRoom)
    other.__dict__ = dict(hosted.__dict__)
    return other


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_a_move_in_the_position_of_a_snapshot_fits_there_and_nowhere_else(
    played_first: list[int],
) -> None:
    rooms = [hosted.room for hosted in after_takebacks(played_first)]
    for index, one in enumerate(rooms):
        seen = room_from_snapshot(without_takebacks.known_snapshot(one, Audience.PLAYER))
        assert (seen.ply, seen.undo, seen.undos) == (len(one.tokens), None, 0)
        assert without_takebacks.known_snapshot(one, Audience.PLAYER).movers == one.movers
        assert len(seen.movers) == len(seen.tokens)
        sent = cmd.Play(1, 0, "h0", seen.ply, seen.game_number)
        for other in rooms[index:]:  # rooms in which it can arrive
            meant = without_takebacks.with_ply(sent, other)
            assert isinstance(meant, cmd.Play)
            fits = (meant.ply, meant.game) == (other.ply, other.game_number)
            assert fits == (one.ply == other.ply)


def test_before_the_first_takeback_nothing_is_different() -> None:
    room = playing(LARGE).room
    assert without_takebacks.known_snapshot(room, Audience.PLAYER) == snapshot(
        room, Audience.PLAYER
    )
    for command in (cmd.Play(1, 0, "h0", 0), cmd.Play(1, 0, "h0", 0, 7), cmd.Say(1, "hello")):
        assert without_takebacks.with_ply(command, room) == command


def test_the_events_about_takebacks_are_hidden() -> None:
    said = ev.Said("Ada", "oh", 0)
    asked = (ev.UndoAsked("Ada", 0), ev.UndoAgreed("Bob"), ev.UndoDeclined("Cleo"), said)
    assert without_takebacks.known_events(asked) == (ev.Hidden(), ev.Hidden(), ev.Hidden(), said)
    assert not without_takebacks.is_known(asked)
    assert not without_takebacks.has_takeback(asked)
    assert without_takebacks.has_takeback((ev.Undone("Ada", 0, 2, 0, (0, 0)),))
    assert without_takebacks.is_known((said,))


def test_a_hint_has_the_numbers_of_the_snapshot() -> None:
    *_, hosted = after_takebacks([2])
    room = hosted.room
    seen = without_takebacks.known_snapshot(room, Audience.PLAYER)
    hint = Hint(0, "h0", room.ply, room.game_number, "greedy")
    assert without_takebacks.known_hint(hint, room) == replace(hint, ply=0, game=seen.game_number)
