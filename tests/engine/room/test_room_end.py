"""A room that has had its events takes only the rest of the game that is on."""

from msgspec.structs import replace
from tests.engine.room.hosting import LIMITS, ONE_BOX, HostedRoom, playing, with_policy

from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import OnDrop, Phase


def about_to_end(after: int = 0) -> HostedRoom:
    """Return a room with a game that is on, and with `after` events until its end."""
    room = playing()
    room.limits = replace(LIMITS, events=room.room.seq + after)
    return room


def test_a_game_goes_on_to_its_end() -> None:
    room = about_to_end()
    room.drop("Bob")
    room.enter("Bob")
    room.plays("Ada", "h0")
    room.plays("Bob", "h1")
    room.plays("Ada", "v0")
    room.plays("Bob", "v1")
    assert room.room.phase is Phase.OVER


def test_a_player_takes_a_seat_back_from_a_stand_in() -> None:
    room = playing(with_policy(OnDrop.BOT, clock_s=5), limits=LIMITS)
    room.misses_the_clock("h0")
    room.plays("Bob", "h1")
    room.misses_the_clock("v0")
    assert room.room.seats[0].bot is not None
    room.limits = replace(LIMITS, events=room.room.seq)
    room.ask("Ada", cmd.Sit)
    assert room.room.seats[0].bot is None
    room.ask("Ada", cmd.Resign, seat=0)
    assert room.refused("Ada", cmd.Sit, seat=0) == "room_ended"


def test_nothing_else_begins() -> None:
    room = about_to_end()
    assert room.refused("Ada", cmd.Say, text="hello") == "room_ended"
    assert room.refused("Ada", cmd.AskHint, seat=0, ply=0) == "room_ended"
    assert room.refused("Ada", cmd.HandOver, member="Bob") == "room_ended"
    assert room.refuses(cmd.Enter("Cleo", watch=True)) == "room_ended"
    room.ask("Ada", cmd.Resign, seat=0)
    assert room.refused("Ada", cmd.Rematch) == "room_ended"
    assert room.refused("Ada", cmd.Start) == "room_ended"
    assert room.refused("Ada", cmd.Configure, settings=ONE_BOX) == "room_ended"
    assert room.refuses(cmd.Enter("Bob")) == "room_ended"


def test_members_may_go() -> None:
    room = about_to_end()
    room.ask("Bob", cmd.Leave)
    room.ask("Ada", cmd.Resign, seat=0)
    room.ask("Ada", cmd.Stand, seat=0)
    room.ask("Ada", cmd.Leave)
    assert not room.room.members


def test_everything_is_taken_before() -> None:
    room = about_to_end(after=1)
    room.ask("Ada", cmd.Say, text="hello")
    assert room.refused("Ada", cmd.Say, text="hello") == "room_ended"
