"""The coach: who can have it, what it does to a game, and when it stops."""

from tests.engine.room.hosting import HostedRoom

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Settings

TWO_BOXES = Settings(options={"rows": 1, "cols": 2})


def against_bot(settings: Settings = TWO_BOXES) -> HostedRoom:
    room = HostedRoom(settings)
    room.ask("Ada", cmd.Fill, bot="greedy")
    return room


def coached() -> HostedRoom:
    room = against_bot()
    assert room.ask("Ada", cmd.Coach, seat=0, on=True) == (ev.Coached(0, on=True),)
    return room


def test_it_is_called_before_a_game_which_is_unrated_then() -> None:
    room = coached()
    assert room.refused("Ada", cmd.Coach, seat=0, on=True) == "no_change"
    assert not room.room.unrated
    room.ask("Ada", cmd.Start)
    assert room.room.unrated


def test_a_game_in_which_it_helped_stays_unrated_when_it_stops() -> None:
    room = against_bot()
    room.ask("Ada", cmd.Start)
    assert not room.room.unrated
    room.ask("Ada", cmd.Coach, seat=0, on=True)
    room.ask("Ada", cmd.Coach, seat=0, on=False)
    assert room.room.unrated
    assert room.refused("Ada", cmd.Coach, seat=0, on=False) == "no_change"
    room.ask("Ada", cmd.Resign, seat=0)
    room.ask("Ada", cmd.Rematch)
    assert not room.room.unrated


def test_only_the_own_seat_has_it() -> None:
    room = against_bot()
    assert room.refused("Ada", cmd.Coach, seat=1, on=True) == "not_your_seat"
    room.enter("Cleo")
    assert room.refused("Cleo", cmd.Coach, seat=0, on=True) == "not_your_seat"


def test_nobody_has_it_beside_another_person() -> None:
    room = HostedRoom(TWO_BOXES, others=["Bob"])
    assert room.refused("Ada", cmd.Coach, seat=0, on=True) == "no_coach"


def test_nobody_has_it_beside_another_player_at_the_same_keyboard() -> None:
    room = HostedRoom(TWO_BOXES)
    room.ask("Ada", cmd.Sit, name="Eva")
    assert room.refused("Ada", cmd.Coach, seat=0, on=True) == "no_coach"


def test_it_knows_only_games_that_can_be_reviewed() -> None:
    assert against_bot(Settings("noughts")).refused("Ada", cmd.Coach, seat=0, on=True) == "no_coach"
    three = against_bot(Settings(options={"rows": 1, "cols": 2}, seats=3))
    assert three.refused("Ada", cmd.Coach, seat=0, on=True) == "no_coach"


def test_it_stops_when_another_person_sits_down() -> None:
    room = coached()
    room.ask("Ada", cmd.Unseat, seat=1)
    assert room.enter("Bob")[-1] == ev.Coached(0, on=False)


def test_it_stops_with_a_game_that_it_does_not_know() -> None:
    room = coached()
    room.ask("Ada", cmd.Configure, settings=Settings("noughts"))
    assert room.log[-1].events[-1] == ev.Coached(0, on=False)


def test_it_stays_with_a_player_in_another_seat_and_ends_with_the_seat() -> None:
    room = coached()
    room.ask("Ada", cmd.Start, first=1)
    assert [holder.coached for holder in room.room.seats] == [False, True]
    room.ask("Ada", cmd.Resign, seat=1)
    room.ask("Ada", cmd.Stand)
    assert not any(holder.coached for holder in room.room.seats)


def test_it_stays_while_a_bot_stands_in_for_the_player() -> None:
    room = coached()
    room.enter("Cleo", watch=True)
    room.ask("Ada", cmd.Start)
    room.drop("Ada")
    assert room.room.seats[0].coached
