"""Games of noughts and crosses, and positions in them."""

from boxroom_engine.games.noughts import KIND, Noughts, Position
from boxroom_engine.games.protocol import Move

TWO, THREE, CUBE = Noughts(2), Noughts(3), Noughts(2, (3, 3, 3))


def make(seats: int, **options: int | str) -> Noughts:
    game = KIND.make(options, seats)
    assert isinstance(game, Noughts)
    return game


def played(game: Noughts, *cells: int) -> Position:
    state = game.initial()
    for cell in cells:
        state = state.play(Move(cell))
    return state
