"""Strategies for positions of all games, and for their drawings."""

import random
from dataclasses import replace
from functools import lru_cache

from hypothesis import strategies as st

from boxroom_client.shell.output.painting import look_for
from boxroom_engine.games.drawing import Drawing, Size
from boxroom_engine.games.protocol import Game, State
from boxroom_engine.games.registry import make_game

NUMBERS = (7, 1, 2)
"""Glyph numbers of the three seats; the first one's colour has another number."""

small_sides = st.integers(1, 6)


def dots(rows: int, cols: int, border: str = "none") -> Game:
    return make_game("dots", {"rows": rows, "cols": cols, "border": border}, 3)


def noughts() -> Game:
    return make_game("noughts", {}, 3)


def midgame(game: Game, moves: int, seed: int = 1) -> State:
    """Return `game` after at most so many random moves."""
    return _midgame(game.kind.name, tuple(game.options.items()), moves, seed)


@lru_cache(maxsize=256)  # shrinking asks for the same ones again and again
def _midgame(kind: str, options: tuple[tuple[str, int | str], ...], moves: int, seed: int) -> State:
    state = make_game(kind, dict(options), 3).initial()
    order = list(state.legal_moves())
    random.Random(seed).shuffle(order)
    for move in order[:moves]:
        if not state.is_over:
            state = state.play(move)
    return state


@st.composite
def positions(
    draw: st.DrawFn,
    rows: st.SearchStrategy[int] = small_sides,
    cols: st.SearchStrategy[int] = small_sides,
) -> State:
    """Draw a position of a game, from the first move to the end; most are of dots."""
    if draw(st.integers(0, 4)) == 4:
        return midgame(noughts(), draw(st.integers(0, 9)), draw(st.integers(0, 20)))
    borders = st.sampled_from(["none", "half", "full"])
    size = draw(rows), draw(cols)
    game = dots(*size, "none" if size == (1, 1) else draw(borders))
    return midgame(game, round(game.longest * draw(st.floats(0, 1))), draw(st.integers(0, 3)))


@st.composite
def drawings(draw: st.DrawFn, states: st.SearchStrategy[State] | None = None) -> Drawing:
    """Draw a drawing of a position with any look."""
    state = draw(positions() if states is None else states)
    look = look_for(
        state.game.kind, NUMBERS, ascii_only=draw(st.booleans()), names=draw(st.booleans())
    )
    return state.draw(replace(look, size=draw(st.sampled_from(Size))))
