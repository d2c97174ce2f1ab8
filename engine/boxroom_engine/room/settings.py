"""Whether a house takes a room with certain settings."""

from boxroom_engine.games.errors import OptionError
from boxroom_engine.room.house import RoomLimits
from boxroom_engine.room.refusal import Refused
from boxroom_engine.room.room import Settings


def check_settings(settings: Settings, house: RoomLimits) -> None:
    """Refuse settings that name no game, or one that the house doesn't take.

    The number of seats is checked before the game is made, so that a giant costs nothing.
    """
    if settings.seats > house.seats:
        raise Refused("too_many_seats", f"rooms here have at most {house.seats} seats")
    try:
        game = settings.make_game()
    except OptionError as error:
        raise Refused("bad_option", str(error)) from None
    if game.longest > house.longest_game:
        raise Refused(
            "too_large",
            f"that board has {game.longest} moves; here a board has at most {house.longest_game}",
        )
