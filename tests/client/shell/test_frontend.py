"""Requests to join or create a room, from the options of the command line."""

from boxroom_client.link.join_request import Create, Join
from boxroom_client.shell.frontend import JoinOptions
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.messages import RoomListed

DEN = RoomListed("den", Settings(), "waiting", "Ada", 1, 0, 1, 0)


def test_a_password_makes_a_new_room_private() -> None:
    join_options = JoinOptions(room="den", password="sesame", create=True)
    assert join_options.to_create() == Create(Settings(private=True), "den", "sesame")


def test_who_wants_to_watch_watches_in_any_room() -> None:
    join_options = JoinOptions(watch=True)
    assert join_options.to_join(DEN) == Join("den", watch=True)
    assert join_options.to_create() == Create(Settings(), watch=True)


def test_a_new_room_has_the_settings_and_bots_that_are_asked_for() -> None:
    join_options = JoinOptions(create=True, settings=Settings(seats=4), bots=("easy",))
    assert join_options.to_create() == Create(Settings(seats=4), bots=("easy",))
