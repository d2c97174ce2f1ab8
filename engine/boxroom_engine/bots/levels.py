"""The levels `beginner`, `easy`, `medium` and `hard`: opponents by measured distance.

Each plays as one bot, and a measured share of its moves, at random, as a weaker one. Both depend on
the size of the board, so that a level beats the one below it as often on all of them. `expert` is
the highest level. docs/reference/bots.md has the measurements.
"""

import random
from dataclasses import dataclass
from typing import NamedTuple

from boxroom_engine.bots.alphabeta import AlphaBetaBot
from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.minimax import MinimaxBot
from boxroom_engine.bots.protocol import Bot, BotBase
from boxroom_engine.bots.uniform import UniformBot
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.stopping import Limit


class Mixture(NamedTuple):
    """Two bots, and the share of the moves that the weaker one plays."""

    bot: Bot
    weaker: Bot
    share: float


@dataclass(frozen=True, slots=True)
class LevelBot(BotBase):
    """A level, by the mixture for each size of the board."""

    name: str
    strength: int
    small: Mixture
    medium: Mixture
    large: Mixture
    other_games: Mixture

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The move of one of its two bots."""
        mixture = self._mixture(state.game)
        is_weak = rng.random() < mixture.share
        return (mixture.weaker if is_weak else mixture.bot).choose(state, limit, rng)

    def _mixture(self, game: Game) -> Mixture:
        match game_class(game):
            case "small":
                return self.small
            case "medium":
                return self.medium
            case "large":
                return self.large
            case _:
                return self.other_games


def game_class(game: Game) -> str:
    """Return the size of the board, if the game tells sizes apart (`GameKind.size`); else its name.

    Within a class, a level has the same strength.
    """
    size = game.kind.size
    return game.kind.name if size is None else size(game)


_RANDOM, _GREEDY, _ALPHABETA = UniformBot(), GreedyBot(), AlphaBetaBot(time=0.2)
_CHAIN, _MINIMAX = ChainBot(max_ply=8), MinimaxBot(time=0.1)

BEGINNER = LevelBot(
    "beginner",
    3,
    small=Mixture(_GREEDY, _RANDOM, 0.2),
    medium=Mixture(_GREEDY, _RANDOM, 0.05),
    large=Mixture(_GREEDY, _RANDOM, 0.03),
    other_games=Mixture(_GREEDY, _RANDOM, 0.5),
)
EASY = LevelBot(
    "easy",
    6,
    small=Mixture(_GREEDY, _RANDOM, 0.0),
    medium=Mixture(_CHAIN, _GREEDY, 0.3),
    large=Mixture(_CHAIN, _GREEDY, 0.2),
    other_games=Mixture(_GREEDY, _RANDOM, 0.2),
)
MEDIUM = LevelBot(
    "medium",
    11,
    small=Mixture(ChainBot(max_ply=4), _GREEDY, 0.1),
    medium=Mixture(_MINIMAX, _CHAIN, 0.6),
    large=Mixture(_MINIMAX, _CHAIN, 0.7),
    other_games=Mixture(_ALPHABETA, _GREEDY, 0.5),
)
HARD = LevelBot(
    "hard",
    13,
    small=Mixture(ChainBot(max_ply=7), _GREEDY, 0.0),
    medium=Mixture(MinimaxBot(time=0.3), _CHAIN, 0.05),
    large=Mixture(_MINIMAX, _CHAIN, 0.25),
    other_games=Mixture(_ALPHABETA, _GREEDY, 0.2),
)

LEVELS = (BEGINNER.name, EASY.name, MEDIUM.name, HARD.name, "expert")
"""Names of the levels' bots, from the lowest to the highest. The phrase of that key is a title."""
