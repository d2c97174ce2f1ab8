"""The bot that plays at random."""

import random
from collections import Counter

from tests.engine.clocks import no_limit

from boxroom_engine.bots.uniform import UniformBot
from boxroom_engine.games.dots import Border, Dots


def test_every_legal_move_comes_about_equally_often() -> None:
    state = Dots(1, 1, Border.HALF, 2).initial()
    rng, limit = random.Random(3), no_limit()
    counts = Counter(UniformBot().choose(state, limit, rng) for _ in range(2000))
    assert set(counts) == set(state.legal_moves())
    assert all(900 < count < 1100 for count in counts.values())
