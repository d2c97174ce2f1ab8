"""The user's record against each level, and the rating that follows from it.

The model is Plackett-Luce's in the approximation of Weng and Lin (JMLR 12, 2011), from openskill.
A level has a fixed rating, by its measured distance from the one below (docs/reference/bots.md);
only the user's changes with each game. It is shown on a scale on which the level `medium` has 1000,
and 260 more stand for about nine wins out of ten.

Only games for two count, one against one level, without hints, takebacks and stand-ins.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from boxroom_client.profile.history import PlayedGame
from boxroom_engine.bots.levels import LEVELS, game_class
from boxroom_engine.games.errors import FormatError

_STEP = 6.5
"""Distance of two levels on the scale of openskill, on which a beginner has 25 at first."""

_LEVEL_SIGMA = 0.5
_SCALE = 40
_UNCERTAIN = 150
"""Standard deviation, on the shown scale, above which a rating is uncertain."""

_MEDIUM = 25.0


class Result(Enum):
    """Result of a game for the user."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


_RANKS = {Result.WON: (1.0, 2.0), Result.DRAWN: (1.0, 1.0), Result.LOST: (2.0, 1.0)}
"""Ranks of the user and of the other, by the result for the user."""


@dataclass(frozen=True, slots=True)
class ClassRating:
    """The user's record and rating in one class of games; see `game_class`."""

    game_class: str
    record: Mapping[str, Mapping[Result, int]]
    """Number of games with each result, by level, from the lowest."""
    rating: int
    is_uncertain: bool

    def __str__(self) -> str:
        """Return the rating, with a ? while it is uncertain."""
        return f"{self.rating}{'?' if self.is_uncertain else ''}"


def ratings(games: Iterable[PlayedGame]) -> list[ClassRating]:
    """Return a rating for each class in which `games`, the oldest first, has one that counts."""
    played: dict[str, list[tuple[str, Result]]] = {}
    for game in games:
        level = level_played(game)
        if level is None or game.helped:
            continue
        try:
            played.setdefault(game_class(game.heading.game), []).append((level, result_of(game)))
        except FormatError:
            continue  # of a game that this version doesn't know
    return [_rating(name, results) for name, results in played.items()]


def level_played(game: PlayedGame) -> str | None:
    """Return the level that was the one opponent of the user; None if there was none."""
    if game.seat not in (0, 1) or len(game.bots) != 2:
        return None
    bot = game.bots[1 - game.seat]
    return bot if bot in LEVELS else None


def result_of(game: PlayedGame) -> Result:
    """Return the result of a game for two for the user."""
    if not game.winners or len(game.winners) == 2:
        return Result.DRAWN
    return Result.WON if game.seat in game.winners else Result.LOST


def _rating(name: str, results: Sequence[tuple[str, Result]]) -> ClassRating:
    from openskill.models import PlackettLuce  # it takes long to import

    model = PlackettLuce()
    mine: Any = model.rating()
    for level, result in results:
        distance = LEVELS.index(level) - LEVELS.index("medium")
        other = model.rating(mu=_MEDIUM + _STEP * distance, sigma=_LEVEL_SIGMA)
        [[mine], _] = model.rate([[mine], [other]], ranks=list(_RANKS[result]))
    counts = Counter(results)
    record = {
        level: {result: counts[level, result] for result in Result}
        for level in LEVELS
        if any(counts[level, result] for result in Result)
    }
    return ClassRating(
        name, record, round(_SCALE * mine.mu), is_uncertain=_SCALE * mine.sigma > _UNCERTAIN
    )
