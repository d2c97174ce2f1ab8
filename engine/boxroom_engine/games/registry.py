"""Registry of the games."""

from collections.abc import Mapping

from boxroom_engine.games import dots, draughts, noughts, stonehenge, subtract_square
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, GameKind, OptionValue
from boxroom_engine.phrases import phrase

KINDS: Mapping[str, GameKind] = {
    kind.name: kind
    for kind in (
        dots.KIND,
        noughts.KIND,
        stonehenge.KIND,
        subtract_square.KIND,
        draughts.KIND,
    )
}
"""The games by name, in the order in which menus offer them."""

DEFAULT = dots.KIND


def kind_of(name: str) -> GameKind:
    """Return the game kind called `name`.

    Raises:
        OptionError: there is no such game.
    """
    try:
        return KINDS[name]
    except KeyError:
        raise OptionError(
            phrase("option.no_such_game", game=repr(name), names=list(KINDS))
        ) from None


def make_game(name: str, options: Mapping[str, OptionValue], seats: int) -> Game:
    """Return the game called `name` with `options` (the rest by default) for `seats` players.

    Raises:
        OptionError: an unknown game or option, a value out of bounds, or a wrong number of seats.
    """
    return kind_of(name).make(options, seats)


def load_abilities() -> None:
    """Import the abilities of all games: a process calls it before bots think by the clock."""
    tuple(kind.abilities for kind in KINDS.values())
