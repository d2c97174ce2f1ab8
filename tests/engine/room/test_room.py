"""Marks of the players in a room."""

from tests.engine.room.hosting import HostedRoom, playing

from boxroom_engine.games.marks import Mark
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Settings


def marks(hosted: HostedRoom) -> dict[str | None, Mark]:
    """Return the mark of each player by name."""
    return {
        holder.name: hosted.room.mark(Seat(seat)) for seat, holder in enumerate(hosted.room.seats)
    }


def after_a_rematch(game: str) -> HostedRoom:
    """Return a room in its second game, which Bob begins; he was second in the first."""
    hosted = playing(Settings(game))
    hosted.ask("Ada", cmd.Resign, seat=0)
    hosted.ask("Ada", cmd.Rematch)
    hosted.ask("Bob", cmd.Rematch)
    return hosted


def test_glyph_and_colour_go_with_the_player() -> None:
    assert marks(playing()) == {"Ada": Mark(0), "Bob": Mark(1)}
    assert marks(after_a_rematch("dots")) == {"Bob": Mark(1), "Ada": Mark(0)}


def test_marks_of_a_game_belong_to_its_seats_and_colours_still_to_the_player() -> None:
    assert marks(playing(Settings("noughts"))) == {"Ada": Mark(0, "x"), "Bob": Mark(1, "o")}
    assert marks(after_a_rematch("noughts")) == {"Bob": Mark(1, "x"), "Ada": Mark(0, "o")}


def test_before_a_game_they_are_those_of_the_game_to_come() -> None:
    hosted = HostedRoom()
    assert hosted.room.mark(Seat(1)) == Mark(1)
    hosted.ask("Ada", cmd.Configure, settings=Settings("stonehenge"))
    assert hosted.room.mark(Seat(1)) == Mark(1, "2")
