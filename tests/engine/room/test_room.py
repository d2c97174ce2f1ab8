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
