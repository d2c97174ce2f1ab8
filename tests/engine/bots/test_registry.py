"""The registry, and what every bot in it must do."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.bots.choosy import Choosy
from tests.engine.bots.simulated_time import simulated_time

from boxroom_engine.bots.names import BotNameError
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import BOTS, UnknownBot, bot_of, bots_for, plain_name
from boxroom_engine.games.protocol import GameKind, Move, Seat
from boxroom_engine.games.registry import KINDS
from boxroom_engine.stopping import Limit

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
        (
            "Gredy",
            r"^there is no bot 'Gredy': did you mean greedy\? There are random, mcts, careless",
        ),
        ("deep blue", r"^there is no bot 'deep blue'; there are random, mcts, careless"),
        ("x" * 10_000, r"^there is no bot 'x{32}'; there are random, mcts, careless"),
    ],
)
def test_an_unknown_bot(name: str, sentence: str) -> None:
    with pytest.raises(UnknownBot, match=sentence):
        bot_of(name)


class TestOptions:
    @pytest.fixture(autouse=True)
    def _choosy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(BOTS, "choosy", Choosy(ply=7))

    def test_without_any_the_bot_is_the_registered_one(self) -> None:
        assert bot_of("choosy") is BOTS["choosy"]

    def test_those_that_are_named_and_the_defaults_of_the_others(self) -> None:
        assert bot_of("choosy:style=wild") == Choosy(style="wild")
        assert bot_of("choosy:time=1.5,ply=8") == Choosy(8, 1.5)

    @pytest.mark.parametrize(
        ("text", "plain"),
        [
            ("choosy", "choosy"),
            ("greedy", "greedy"),
            ("choosy:ply=08", "choosy:ply=8"),
            ("choosy:style=wild,time=0.50,ply=0", "choosy:ply=0,time=0.5,style=wild"),
        ],
    )
    def test_a_name_can_be_written_plainly(self, text: str, plain: str) -> None:
        assert plain_name(text) == plain
        assert bot_of(text) == bot_of(plain)

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("greedy:ply=3", "^the bot greedy has no options: write just greedy$"),
            ("choosy:plt=3", r"option 'plt': did you mean ply\? There are ply, time and style$"),
            ("choosy:depth=3", "has no option 'depth'; there are ply, time and style$"),
            ("choosy:ply=51", "^choosy: ply must be 0 to 50, not 51$"),
            ("choosy:ply=many", "^choosy: ply is a whole number"),
            ("choosy:time=0", r"^choosy: time must be 0\.01 to 60, not 0$"),
            ("choosy:style=mad", "^choosy: style is one of calm, wild, not 'mad'$"),
            ("choosy:", "after a bot's name and a colon"),
            ("choose:ply=3", r"there is no bot 'choose': did you mean choosy\?"),
        ],
    )
    def test_what_it_cant_have_is_refused_with_a_sentence(self, text: str, sentence: str) -> None:
        for read in (bot_of, plain_name):
            with pytest.raises(BotNameError, match=sentence):
                read(text)


def test_every_bot_takes_its_own_defaults() -> None:
    for name, bot in BOTS.items():
        for option in bot.options:
            assert option.parse(str(option.default)) == option.default
            assert bot_of(f"{name}:{option.name}={option.default}").name == name


def test_every_game_has_the_simple_bots() -> None:
    for kind in KINDS.values():
        assert bots_for(kind)[0] == "random"
        assert {"careless", "greedy"} < set(bots_for(kind))


def test_every_game_has_the_bots_that_know_none() -> None:
    searching = {"recursive", "iterative", "memo", "alphabeta", "mcts"}
    for kind in KINDS.values():
        assert searching < set(bots_for(kind))


any_game = given(
    choices=st.data(), seed=st.integers(0, 2**32), budget_s=st.sampled_from([0.0, math.inf])
)


@pytest.mark.parametrize(("kind", "bot"), KINDS_AND_BOTS)
@settings(max_examples=10)
@any_game
def test_whole_games_of_legal_moves(
    kind: GameKind, bot: Bot, choices: st.DataObject, seed: int, budget_s: float
) -> None:
    check_whole_game(kind, bot, choices, seed, budget_s)


@pytest.mark.long
@pytest.mark.parametrize(("kind", "bot"), KINDS_AND_BOTS)
@settings(max_examples=200)
@any_game
def test_many_whole_games_of_legal_moves(
    kind: GameKind, bot: Bot, choices: st.DataObject, seed: int, budget_s: float
) -> None:
    check_whole_game(kind, bot, choices, seed, budget_s)


def check_whole_game(
    kind: GameKind, bot: Bot, choices: st.DataObject, seed: int, budget_s: float
) -> None:
    """Play a game to its end: `play` refuses an illegal move, so this is proof enough.

    The clock goes on by a quarter of a second each time it is read.
    """
    most_seats = {"dots": 5, "noughts": 3}.get(kind.name, kind.most_seats)
    game = kind.make({}, choices.draw(st.integers(kind.fewest_seats, most_seats)))
    rng = random.Random(seed)
    state = game.initial()
    if game.seats > 2:
        state = state.withdraw(Seat(rng.randrange(game.seats)))
    while not state.is_over:
        with simulated_time(0.25) as clock:
            state = state.play(bot.choose(state, Limit(budget_s, clock), rng))
    assert state.outcome is not None


@pytest.mark.parametrize(("kind", "bot"), KINDS_AND_BOTS)
def test_the_same_seed_gives_the_same_game(kind: GameKind, bot: Bot) -> None:
    """On a board that every bot is done with in its time."""
    options = {"dots": {"rows": 3, "cols": 3}}.get(kind.name, {})

    def moves(seed: int) -> list[Move]:
        rng, state, played = random.Random(seed), kind.make(options, 2).initial(), list[Move]()
        while not state.is_over:
            with simulated_time(0.25) as clock:
                played.append(bot.choose(state, Limit(math.inf, clock), rng))
            state = state.play(played[-1])
        return played

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
