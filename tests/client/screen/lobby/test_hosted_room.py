"""The menu with the last room of a host."""

from tests.client.screen.looks import plain

from boxroom_client.link.join_request import Create
from boxroom_client.screen.lobby.hosted_room import menu
from boxroom_client.screen.lobby.menu import ChooserState
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.messages import RoomListed

NEW = Create(Settings())


def den(people: int) -> RoomListed:
    return RoomListed("den", Settings(), "waiting", None, people, 0, 2 - people, 0)


def test_the_last_room_is_offered_before_a_new_one() -> None:
    chooser = ChooserState(menu(NEW, den(1)))
    assert [item.value for item in chooser.menu.items] == [den(1), NEW]
    assert chooser.current is not None
    assert chooser.current.value == den(1)
    drawn = plain(chooser.rows(80, 24))
    assert "Go on in den" in drawn
    assert "1 player" in drawn
    assert "A new room" in drawn


def test_an_empty_room_has_no_players() -> None:
    assert "player" not in plain(ChooserState(menu(NEW, den(0))).rows(80, 24))
