"""Every game that Boxroom knows, by name."""

from collections.abc import Mapping

from boxroom_engine.games import dots, noughts, stonehenge, subtract_square
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, GameKind, OptionValue

KINDS: Mapping[str, GameKind] = {
    kind.name: kind for kind in (dots.KIND, noughts.KIND, stonehenge.KIND, subtract_square.KIND)
}
"""The games in the order in which they are offered; the first one is the default."""

DEFAULT = dots.KIND


def kind_of(name: str) -> GameKind:
    """The kind called `name`.

    Raises:
        OptionError: there is no such game.
    """
    try:
        return KINDS[name]
    except KeyError:
        raise OptionError(f"there is no game {name!r}; there are {', '.join(KINDS)}") from None


def make_game(name: str, options: Mapping[str, OptionValue], seats: int) -> Game:
    """The game called `name` with `options` (the rest by default) for `seats` players.

    Raises:
        OptionError: an unknown game or option, a value out of bounds, a wrong seat count.
    """
    return kind_of(name).make(options, seats)
