"""The learners by name: contenders of the arena that err as people do."""

import random

import pytest
from tests.engine.clocks import no_limit

from boxroom_engine.bots.names import BotNameError
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import BOTS, bot_of
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_lab.learners.named import LEARNERS, contender, contender_name


def boxes(one: str, other: str) -> int:
    """The boxes by which the first is ahead after 30 games on 4×4, half of which it begins."""
    ahead = 0
    for number in range(30):
        ahead += _margin(contender(one), contender(other), number)
    return ahead


def _margin(one: Bot, other: Bot, number: int) -> int:
    rng, first = random.Random(number), number % 2
    players = (other, one) if first else (one, other)
    state = make_game("dots", {"rows": 4, "cols": 4}, 2).initial()
    while state.to_move is not None:
        state = state.play(players[state.to_move].choose(state, no_limit(), rng))
    return int(state.scores[first] - state.scores[1 - first])


def test_a_learner_is_no_bot_that_anybody_is_offered() -> None:
    assert not LEARNERS.keys() & BOTS.keys()
    with pytest.raises(BotNameError):
        bot_of("learner-taker")


def test_bots_and_learners_are_contenders() -> None:
    assert contender("learner-taker") is LEARNERS["learner-taker"]
    assert contender("chain:max_ply=4") == bot_of("chain:max_ply=4")
    assert contender_name("learner-taker") == "learner-taker"
    assert contender_name("chain:max_ply=08") == "chain:max_ply=8"
    with pytest.raises(BotNameError):
        contender("learner-of-nothing")


def test_learners_play_games_of_captures_alone() -> None:
    plays = {name for name, kind in KINDS.items() if LEARNERS["learner-taker"].supports(kind)}
    assert plays == {"dots"}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("learner-careless", "learner-scribbler"),
        ("learner-taker", "learner-careless"),
        ("learner-hasty", "learner-taker"),
        ("learner-counter", "learner-hasty"),
        ("learner-master", "learner-counter"),
    ],
)
def test_practice_pays(better: str, worse: str) -> None:
    assert boxes(better, worse) > 30
