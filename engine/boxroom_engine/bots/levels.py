"""The levels `child`, `beginner`, `easy`, `medium` and `hard`: opponents by measured distance.

Each errs as people do (see `person`), so often that a level beats the one below it as often on
boards of all sizes. `expert` is the highest level. docs/reference/bots.md has the measurements.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from boxroom_engine.bots.alphabeta import AlphaBetaBot
from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.bots.expert import ExpertBot
from boxroom_engine.bots.minimax import MinimaxBot
from boxroom_engine.bots.person import Person
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.phrases import Value, phrase
from boxroom_engine.stopping import Limit


@dataclass(frozen=True, slots=True)
class LevelBot(BotBase):
    """A level, by its errors for each size of the board."""

    name: str
    strength: int
    small: Person
    medium: Person
    large: Person
    other_games: Person

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The move of a person who errs as often as this level on this board."""
        return self.person_on(state.game).choose(state, limit, rng)

    def person_on(self, game: Game) -> Person:
        """The errors on the board of `game`."""
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


_ALPHABETA, _MINIMAX = AlphaBetaBot(time=0.2), MinimaxBot(time=0.1)
_CHAIN = ChainBot(max_ply=8)

CHILD = LevelBot(
    "child",
    2,
    small=Person(overlooks=0.7, breaks_off=0.3, careless=1.0, miscounts=1.0),
    medium=Person(overlooks=0.78, breaks_off=0.4, careless=1.0, miscounts=1.0),
    large=Person(overlooks=0.9, breaks_off=0.41, careless=0.5, miscounts=1.0),
    other_games=Person(overlooks=0.7, careless=1.0),
)
BEGINNER = LevelBot(
    "beginner",
    3,
    small=Person(overlooks=0.5, breaks_off=0.05, careless=0.6, miscounts=0.7),
    medium=Person(overlooks=0.77, breaks_off=0.28, careless=0.15, miscounts=0.9),
    large=Person(overlooks=0.8, breaks_off=0.33, careless=0.06, miscounts=0.9),
    other_games=Person(overlooks=0.5, careless=0.5),
)
EASY = LevelBot(
    "easy",
    5,
    small=Person(overlooks=0.1, careless=0.1, miscounts=0.5),
    medium=Person(overlooks=0.2, careless=0.15, miscounts=0.5, tires=0.1, thinks=_CHAIN),
    large=Person(
        overlooks=0.5, breaks_off=0.1, careless=0.06, miscounts=0.5, tires=0.1, thinks=_CHAIN
    ),
    other_games=Person(overlooks=0.2, careless=0.1),
)
MEDIUM = LevelBot(
    "medium",
    12,
    small=Person(
        overlooks=0.02, careless=0.01, miscounts=0.2, tires=0.005, thinks=ChainBot(max_ply=4)
    ),
    medium=Person(overlooks=0.015, careless=0.01, miscounts=0.15, tires=0.0075, thinks=_CHAIN),
    large=Person(overlooks=0.03, careless=0.02, miscounts=0.2, tires=0.01, thinks=_CHAIN),
    other_games=Person(tires=0.08, thinks=_ALPHABETA),
)
HARD = LevelBot(
    "hard",
    14,
    small=Person(miscounts=0.1, tires=0.001, thinks=ChainBot(max_ply=7)),
    medium=Person(overlooks=0.015, tires=0.0025, thinks=ExpertBot(time=0.05)),
    large=Person(overlooks=0.02, careless=0.01, tires=0.07, thinks=_MINIMAX, tired=_CHAIN),
    other_games=Person(tires=0.03, thinks=_ALPHABETA),
)

LEVELS = (CHILD.name, BEGINNER.name, EASY.name, MEDIUM.name, HARD.name, "expert")
"""Names of the levels' bots, from the lowest to the highest."""


def suggested_level(results: Sequence[tuple[str, float]]) -> str:
    """Return the level for a person's next game: the lowest, before there is a result.

    Else it is the one that was played last, or after two wins in a row against it the next one,
    and after two defeats the one below. The page does the same (`suggested_level.js`).

    Args:
        results: the level and the points, 1, 1/2 or 0, of each game for two against a level, the
            newest last; a game with help counts as drawn. Two games are enough.
    """
    if not results:
        return LEVELS[0]
    level, points = results[-1]
    steps = round(2 * points) - 1 if list(results[-2:-1]) == [(level, points)] else 0
    return LEVELS[min(max(LEVELS.index(level) + steps, 0), len(LEVELS) - 1)]


_NAME = re.compile(rf"({'|'.join(LEVELS)})((?:\s\d+)?(?:\s\(bot\))?)")
"""The name of a level in a seat, with its number in the room, and as in a record."""


def called(name: str) -> str:
    """Return the name of a player as people read it: that of a level in their language.

    No person has such a name (`boxroom_common.look_alikes.mistake_in_new_name`).
    """
    found = _NAME.fullmatch(name)
    return name if found is None else f"{title_of(found[1])}{found[2]}"


def title_of(bot: str) -> Value:
    """Return the name of a bot as people read it: a level has one in each language."""
    return phrase(f"level.{bot}") if bot in LEVELS else bot
