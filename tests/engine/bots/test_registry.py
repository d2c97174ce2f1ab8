"""The registry, and what every bot in it must do."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxroom_engine.bots.protocol import Bot, Limit
from boxroom_engine.bots.registry import BOTS, UnknownBot, bot_of, bots_for
from boxroom_engine.games.protocol import GameKind, Move, Seat
from boxroom_engine.games.registry import KINDS

KINDS_AND_BOTS = [
    pytest.param(kind, bot, id=f"{kind.name}-{bot.name}")
    for kind in KINDS.values()
    for bot in BOTS.values()
    if bot.supports(kind)
]


def test_bots_are_found_by_name() -> None:
    for name, bot in BOTS.items():
        assert bot_of(name) is bot
        assert bot.name == name
        assert bot.description


def test_bots_are_offered_from_the_weakest_to_the_strongest() -> None:
    strengths = [bot.strength for bot in BOTS.values()]
    assert strengths == sorted(set(strengths))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Gredy", r"^there is no bot 'Gredy': did you mean greedy\? There are random, greedy"),
        ("deep blue", r"^there is no bot 'deep blue'; there are random, greedy"),
        ("x" * 10_000, r"^there is no bot 'x{32}'; there are random, greedy"),
    ],
)
def test_an_unknown_bot(name: str, sentence: str) -> None:
    with pytest.raises(UnknownBot, match=sentence):
        bot_of(name)


def test_every_game_has_the_two_simple_bots() -> None:
    for kind in KINDS.values():
        assert bots_for(kind)[:2] == ("random", "greedy")


@pytest.mark.parametrize(("kind", "bot"), KINDS_AND_BOTS)
@settings(deadline=None)
@given(choices=st.data(), seed=st.integers(0, 2**32), budget_s=st.sampled_from([0.0, math.inf]))
def test_whole_games_of_legal_moves(
    kind: GameKind, bot: Bot, choices: st.DataObject, seed: int, budget_s: float
) -> None:
    """`play` refuses an illegal move, so a game that gets to its end is proof enough."""
    game = kind.make({}, choices.draw(st.integers(kind.fewest_seats, kind.most_seats or 5)))
    rng = random.Random(seed)
    state = game.initial()
    if game.seats > 2:
        state = state.withdraw(Seat(rng.randrange(game.seats)))
    while not state.is_over:
        state = state.play(bot.choose(state, Limit(budget_s, lambda: 0.0), rng))
    assert state.outcome is not None


@pytest.mark.parametrize(("kind", "bot"), KINDS_AND_BOTS)
def test_the_same_seed_gives_the_same_game(kind: GameKind, bot: Bot) -> None:
    def moves(seed: int) -> list[Move]:
        rng, state, played = random.Random(seed), kind.make({}, 2).initial(), list[Move]()
        while not state.is_over:
            played.append(bot.choose(state, Limit(math.inf, lambda: 0.0), rng))
            state = state.play(played[-1])
        return played

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
