"""The bots that search every game to its end, or not at all: minimax in its three forms.

Their results are the same; they differ in how long the search takes. If the search doesn't end in
time, they play as `greedy` does, and remark it; `caution` warns before games that are so long.

With more than two in play they maximize what is guaranteed against all the others together.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.options import BotOption, DecimalOption
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.search.iterative import IterativeMinimax
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import MinimaxSearch
from boxroom_engine.search.random_replies import most_promising_moves
from boxroom_engine.search.recursive import RecursiveMinimax
from boxroom_engine.stopping import Limit, SearchStopped, Stop

TIME = DecimalOption("bot.time", default=0.5, least=0.01, most=60)

_SHARE = 0.75
"""Of the limit for a move it searches no longer than this part, so that `greedy` has some too."""

_MOST_CHOICES = 40
"""With more moves to choose from it isn't begun: no search to the end of such a game ever ends."""


@dataclass(frozen=True, slots=True)
class ExhaustiveBot(BotBase):
    """A bot that plays perfectly where its form of minimax comes to the end in time."""

    name: str
    strength: int
    form: Callable[[Stop], MinimaxSearch]
    sure_moves: int
    """Half a second is enough to search a game that takes no more moves than this."""
    time: float = TIME.default

    options: ClassVar[tuple[BotOption, ...]] = (TIME,)

    def caution(self, game: Game) -> Phrase | None:
        """A warning before a game of which it may not see the end from the start; None if none."""
        if game.longest <= self.sure_moves:
            return None
        return phrase("caution.exhaustive", bot=self.name)

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """A perfect move if it is known in time, else one of `greedy`.

        Of several perfect moves it plays the one that does best against replies at random. With one
        of `greedy` it remarks that the search didn't end.
        """
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        if len(moves) <= _MOST_CHOICES:
            try:
                stop = part_of(limit, self.time).expired
                search = self.form(stop)
                values = search.values_of_moves(state)
                return rng.choice(most_promising_moves(state, values, search.value, stop))
            except (SearchStopped, RecursionError):
                pass
        seconds = f"{_seconds(limit, self.time):g}"
        limit.remark(phrase("remark.unfinished", bot=self.name, seconds=seconds))
        return GreedyBot().choose(state, limit, rng)


def part_of(limit: Limit, most_s: float) -> Limit:
    """The part of `limit` that may go into a search, so that there is time for something else."""
    return Limit(_seconds(limit, most_s), limit.clock)


def _seconds(limit: Limit, most_s: float) -> float:
    return min(most_s, _SHARE * limit.budget_s)


RECURSIVE = ExhaustiveBot(
    name="recursive",
    strength=8,
    form=RecursiveMinimax,
    sure_moves=7,
)
ITERATIVE = ExhaustiveBot(
    name="iterative",
    strength=9,
    form=IterativeMinimax,
    sure_moves=7,
)
MEMO = ExhaustiveBot(
    name="memo",
    strength=10,
    form=lambda stop: IterativeMinimax(stop, Memo()),
    sure_moves=12,
)
