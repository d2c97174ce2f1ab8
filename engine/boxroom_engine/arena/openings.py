"""Openings: a few random moves, the same ones for everybody who plays from them.

Without them two bots that leave nothing to chance would play the same game again and again.
The moves are quiet, so nobody is ahead before the bots begin: in Dots and Boxes neutral edges
(see `structure`), elsewhere moves that take nothing and don't end the game.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import count

from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.theory.captures import neutral, takeable
from boxroom_engine.games.protocol import Game, Move, State

_LONGEST = 12
_TRIES = 30
"""How often an opening is drawn again that leads where an earlier one led."""


def usual_plies(game: Game) -> int:
    """So many moves of an opening leave the game open: an eighth of the board, 12 at most."""
    return min(game.longest // 8, _LONGEST)


def openings(game: Game, plies: int, seed: int) -> Iterator[tuple[Move, ...]]:
    """Openings without end, each of `plies` moves or as many as are quiet.

    They lead to different positions as long as such are found; after that they repeat.
    """
    seen: set[State] = set()
    for number in count():
        for attempt in range(_TRIES):
            rng = random.Random(f"{seed} opening {number} {attempt}")
            moves, after = _opening(game, plies, rng)
            if after not in seen:
                break
        seen.add(after)
        yield moves


def _opening(game: Game, plies: int, rng: random.Random) -> tuple[tuple[Move, ...], State]:
    state = game.initial()
    moves: list[Move] = []
    while len(moves) < plies and (quiet := _quiet(state)):
        moves.append(rng.choice(quiet))
        state = state.play(moves[-1])
    return tuple(moves), state


def _quiet(state: State) -> Sequence[Move]:
    if isinstance(state, Position):
        return () if takeable(state) else neutral(state)
    after = ((move, state.play(move)) for move in state.legal_moves())
    return [move for move, then in after if not then.taken and not then.is_over]
