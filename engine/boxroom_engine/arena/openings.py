"""Openings: a few random moves at the beginning of a game, the same for all who play it.

Without an opening, two deterministic bots would repeat the same game. The moves are quiet, so no
player is ahead before the bots begin: in a game of captures those that `CaptureTheory.quiet` names,
elsewhere moves that take nothing, don't end the game, and leave nothing unsettled
(`GameKind.is_unsettled`).
"""

import random
from collections.abc import Iterator, Sequence
from itertools import count

from boxroom_engine.games.protocol import Game, Move, State

_LONGEST = 12
_ATTEMPTS = 30
"""Number of attempts at an opening that leads to a new position."""


def usual_plies(game: Game) -> int:
    """Return the usual length of an opening: an eighth of the board, 12 moves at most."""
    return min(game.longest // 8, _LONGEST)


def openings(game: Game, plies: int, seed: int) -> Iterator[tuple[Move, ...]]:
    """Yield openings without end, each of `plies` moves, or fewer if none so long is found.

    They lead to different positions as long as new ones are found; after that they repeat.
    """
    seen: set[State] = set()
    for number in count():
        for attempt in range(_ATTEMPTS):
            rng = random.Random(f"{seed} opening {number} {attempt}")
            moves, after = _opening(game, plies, rng)
            if after not in seen and len(moves) == plies:
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
    captures = state.game.kind.abilities.captures
    if captures is not None:
        return () if captures.takes(state) else captures.quiet(state)
    after = ((move, state.play(move)) for move in state.legal_moves())
    is_unsettled = state.game.kind.is_unsettled
    return [
        move
        for move, then in after
        if not then.taken
        and not then.is_over
        and not (is_unsettled is not None and is_unsettled(then))
    ]
