"""The registry, and what every bot in it must do."""

import math
import random

import pytest
from tests.cases import each
from tests.engine.bots.choosy import Choosy
from tests.engine.bots.simulated_time import simulated_time

from boxroom_engine.bots.names import BotNameError
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import BOTS, UnknownBot, bot_of, bots_for, plain_name
from boxroom_engine.games.protocol import Game, GameKind, Move, OptionValue, Seat
from boxroom_engine.games.registry import KINDS
from boxroom_engine.stopping import Limit

KINDS_AND_BOTS = [
    (kind, bot) for kind in KINDS.values() for bot in BOTS.values() if bot.supports(kind)
]

SMALLER: dict[str, dict[str, OptionValue]] = {
    "dots": {"rows": 3, "cols": 3},
    "draughts": {"size": "6"},
}
"""Boards that every bot is done with in its time."""


def test_bots_are_found_by_name() -> None:
    for name, bot in BOTS.items():
        assert bot_of(name) is bot
        assert bot.name == name


def test_bots_are_offered_from_the_weakest_to_the_strongest() -> None:
    strengths = [bot.strength for bot in BOTS.values()]
    assert strengths == sorted(set(strengths))


@each(
    "name, sentence",
    [
        (
            "Gredy",
            r"^there is no bot 'Gredy': did you mean greedy\? There are random, mcts, child",
        ),
        ("deep blue", r"^there is no bot 'deep blue'; there are random, mcts, child, beginner"),
        ("x" * 10_000, r"^there is no bot 'x{32}'; there are random, mcts, child, beginner"),
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

    @each(
        "text, plain",
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

    @each(
        "text, sentence",
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


def seats_of(kind: GameKind) -> range:
    return range(kind.fewest_seats, {"dots": 5, "noughts": 3}.get(kind.name, 2) + 1)


def played(game: Game, bot: Bot, seed: int, budget_s: float) -> list[Move]:
    """Return the moves of a whole game, in which `play` refuses those that aren't legal.

    The clock goes on by a quarter of a second each time it is read. Of three and more players one
    has withdrawn.
    """
    rng, state, moves = random.Random(seed), game.initial(), list[Move]()
    if game.seats > 2:
        state = state.withdraw(Seat(rng.randrange(game.seats)))
    while not state.is_over:
        with simulated_time(0.25) as clock:
            moves.append(bot.choose(state, Limit(budget_s, clock), rng))
        state = state.play(moves[-1])
    return moves


@each("kind, bot", KINDS_AND_BOTS)
def test_a_game_for_two_is_the_same_if_its_seed_is(kind: GameKind, bot: Bot) -> None:
    game = kind.make(SMALLER.get(kind.name, {}), 2)
    moves = played(game, bot, 1, math.inf)
    assert played(game, bot, 1, math.inf) == moves
    assert played(game, bot, 2, math.inf) != moves


@each("kind, bot", KINDS_AND_BOTS)
def test_any_number_plays_with_time_and_without(kind: GameKind, bot: Bot) -> None:
    for seats in seats_of(kind):
        for budget_s in 0.0, math.inf:
            played(kind.make(SMALLER.get(kind.name, {}), seats), bot, seats, budget_s)


@pytest.mark.long
@each("kind, bot", KINDS_AND_BOTS)
def test_many_whole_games_on_usual_boards(kind: GameKind, bot: Bot) -> None:
    for seed in range(100):
        rng = random.Random(seed)
        game = kind.make({}, rng.choice(seats_of(kind)))
        played(game, bot, seed, rng.choice([0.0, math.inf]))
