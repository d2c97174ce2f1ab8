"""What is wished for, as a way into a room."""

from boxroom_client.link.join_request import Create, Join
from boxroom_client.shell.join_options import Wish
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.messages import RoomListed

DEN = RoomListed("den", Settings(), "waiting", "Ada", 1, 0, 1, 0)


def test_a_password_makes_a_new_room_private() -> None:
    wish = Wish(room="den", password="sesame", create=True)
    assert wish.to_create() == Create(Settings(private=True), "den", "sesame")


def test_who_wants_to_watch_watches_in_any_room() -> None:
    wish = Wish(watch=True)
    assert wish.to_join(DEN) == Join("den", watch=True)
    assert wish.to_create() == Create(Settings(), watch=True)
