"""Rooms after a crash and restart of the server: all members may return, and nothing is lost."""

from tests.cases import each
from tests.engine.room.hosting import LIMITS, HostedRoom, names, playing, with_policy

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import OnDrop


def woken(room: HostedRoom, down_ms: int = 3_600_000) -> tuple[ev.Event, ...]:
    """Return the events after a restart for which the server was down for `down_ms`."""
    room.now_ms += down_ms
    return room.does(cmd.Wake(down_ms))


def test_players_come_back_into_their_seats() -> None:
    room = playing(with_policy(OnDrop.BOT, seats=3))
    assert woken(room) == (ev.Woken(room.now_ms + LIMITS.grace_ms),)
    assert room.room.host == "Ada"
    assert names(room.enter("Bob")) == "returned"
    assert names(room.enter("Ada")) == "returned"
    assert names(room.plays("Ada", "h0")) == "played"


def test_spectators_come_back_without_a_password_and_leave_after_the_grace_time() -> None:
    room = playing(spectators=["Dora", "Emil"])
    woken(room)
    assert names(room.enter("Dora")) == "returned"
    for _ in range(3):
        room.waits_out_the_grace()
    assert "Emil" not in room.room.members
    assert room.room.host == "Dora"


def test_absent_members_get_the_whole_grace_time_again() -> None:
    room = playing(with_policy(OnDrop.BOT))
    room.drop("Ada")
    room.now_ms += LIMITS.grace_ms - 1
    woken(room)
    assert room.room.members["Ada"].grace_until_ms == room.now_ms + LIMITS.grace_ms


def test_members_who_were_gone_stay_gone() -> None:
    room = playing(with_policy(OnDrop.BOT))
    room.drop("Ada")
    room.waits_out_the_grace()
    woken(room)
    assert room.room.is_gone("Ada")
    assert room.room.seats[0].bot == "greedy"
    assert names(room.enter("Ada")) == "returned took_back"


def test_the_clock_goes_on_with_what_it_had_left() -> None:
    room = playing(with_policy(OnDrop.WAIT, clock_s=5))
    room.now_ms += 2_000
    woken(room)
    assert room.room.deadline_ms == room.now_ms + 3_000


@each("set_to_ms", [-3_600_000, 365 * 86_400_000])
def test_the_clock_goes_on_whatever_the_time_of_day_was_set_to_meanwhile(set_to_ms: int) -> None:
    room = playing(with_policy(OnDrop.WAIT, clock_s=5))
    room.now_ms += 2_000
    woken(room, set_to_ms)
    assert room.room.deadline_ms == room.now_ms + 3_000


def test_a_clock_never_has_more_than_its_whole_time_left() -> None:
    room = playing(with_policy(OnDrop.WAIT, clock_s=5))
    room.now_ms -= 3_600_000
    room.does(cmd.Wake(0))
    assert room.room.deadline_ms == room.now_ms + 5_000


def test_an_empty_room_has_nothing_to_wake_for() -> None:
    room = HostedRoom(others=["Bob"])
    room.ask("Ada", cmd.Leave)
    room.ask("Bob", cmd.Leave)
    assert woken(room) == ()
