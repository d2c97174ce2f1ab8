"""Premoves: the seat they belong to, when they are due, and why they can't be played any more."""

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.client.fake_connection import small
from tests.engine.room.hosting import HostedRoom

from boxroom_client.shell.premoves import Premove, premove
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import OnDrop, Room


def two() -> HostedRoom:
    room = HostedRoom(small(2, 2), others=["Bob"])
    room.ask("Ada", cmd.Start)
    return room


def given_early(room: Room, me: str, text: str) -> Premove:
    made = premove(room, me, text)
    assert made is not None
    return made


def test_it_is_for_the_next_turn_and_due_then() -> None:
    room = two()
    assert premove(room.room, "Ada", "h0") is None  # it is her turn
    early = given_early(room.room, "Bob", "h0")
    assert (early.seat, early.game) == (1, 1)
    assert not early.is_due(room.room, "Bob")
    room.plays("Ada", "v0")
    assert early.is_due(room.room, "Bob")
    assert early.obstacle(room.room, "Bob") is None


def test_of_several_seats_it_belongs_to_the_one_whose_turn_is_next() -> None:
    room = HostedRoom(small(2, 2, seats=4), others=["Bob"])
    room.ask("Ada", cmd.Sit, name="Cleo")
    room.ask("Bob", cmd.Sit, name="Dan")
    room.ask("Ada", cmd.Start)
    assert [holder.member for holder in room.room.seats] == ["Ada", "Bob", "Ada", "Bob"]
    early = given_early(room.room, "Bob", "h0")
    assert early.seat == 1
    room.ask("Bob", cmd.Resign, seat=1)
    assert "withdrawn" in (early.obstacle(room.room, "Bob") or "")
    assert given_early(room.room, "Bob", "h0").seat == 3


@each("who", ["Zoe", "Ada"])
def test_who_has_no_turn_to_come_gives_none(who: str) -> None:
    room = HostedRoom(small(2, 2, seats=3), others=["Bob", "Cleo"])
    assert premove(room.room, who, "h0") is None  # no game is on
    room.ask("Ada", cmd.Start)
    room.ask("Ada", cmd.Resign, seat=0)
    assert premove(room.room, who, "h0") is None


def test_a_move_that_another_has_played_cant_be_played_any_more() -> None:
    room = two()
    early = given_early(room.room, "Bob", "h0")
    room.plays("Ada", "h0")
    assert "h0" in (early.obstacle(room.room, "Bob") or "")


def test_the_position_must_follow_on_that_in_which_it_was_given() -> None:
    room = two()
    before = room.room
    room.plays("Ada", "h1")
    room.plays("Bob", "h2")
    early = given_early(room.room, "Bob", "h0")
    assert early.obstacle(before, "Bob") == "moves were taken back"
    room.ask("Ada", cmd.Resign, seat=0)
    assert early.obstacle(room.room, "Bob") == "that game is over"
    room.ask("Ada", cmd.Rematch)
    room.ask("Bob", cmd.Rematch)
    assert early.obstacle(room.room, "Bob") == "that game is over"


def test_the_name_of_a_move_isnt_taken_for_the_beginning_of_another() -> None:
    one, other = (HostedRoom(small(5, 5), others=["Bob"]) for _ in range(2))
    for room, name in (one, "h1"), (other, "h12"):
        room.ask("Ada", cmd.Start)
        room.plays("Ada", name)
    early = Premove(given_early(one.room, "Ada", "h0").seat, "h0", 1, one.room.history)
    assert early.obstacle(other.room, "Ada") == "moves were taken back"


def test_a_seat_that_a_bot_plays_for_gives_none() -> None:
    room = HostedRoom(small(2, 2, on_drop=OnDrop.BOT), others=["Bob"])
    room.ask("Ada", cmd.Start)
    early = given_early(room.room, "Bob", "h0")
    room.ask("Bob", cmd.Leave)
    assert early.obstacle(room.room, "Bob") == "you don't play in that seat now"
    assert premove(room.room, "Bob", "h0") is None


@given(st.data())
def test_one_that_is_due_and_has_no_obstacle_is_legal(data: st.DataObject) -> None:
    room = two()
    early: Premove | None = None
    while (state := room.room.running) is not None:
        names = [state.game.format_move(move) for move in state.legal_moves()]
        early = premove(room.room, "Bob", data.draw(st.sampled_from(names))) or early
        if early is not None and early.obstacle(room.room, "Bob") is None:
            is_due = early.is_due(room.room, "Bob")
            assert is_due == (my_seat_to_move(room.room, "Bob") == early.seat)
            assert early.text in names
            assert early.move_in(room.room) == state.game.parse_move(early.text)
        mover = room.room.seats[state.to_move or 0].member or ""
        room.plays(mover, data.draw(st.sampled_from(names)))
    assert early is None or early.move_in(room.room) is None
