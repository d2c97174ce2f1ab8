"""Mistakes of one player over many games: how often each theme was missed, and whether less now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import msgspec

from boxroom_engine.games.protocol import Seat
from boxroom_engine.review.judging import JudgedMove
from boxroom_engine.review.review import Effect, Finding, Reviewing

LEAST_GAMES = 6
"""With fewer games nothing is said of a trend."""


class Mistake(msgspec.Struct, frozen=True):
    """A costly move of a player, as it is kept with the game."""

    number: int
    """Its place in the record, from 1."""
    move: str
    best: tuple[str, ...]
    """The moves that lost nothing."""
    lost_boxes: float
    theme: str | None = None
    """As in `Finding`."""


class Trend(Enum):
    """Change from the older half of the games to the newer half."""

    LESS = "less"
    SAME = "same"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class MissedTheme:
    """A theme that a player has missed."""

    theme: str
    times: int
    lost_boxes: float
    """All boxes that it cost, by best play."""
    trend: Trend | None
    """None with too few games."""


def mistakes_of(reviewing: Reviewing, seat: Seat) -> tuple[Mistake, ...]:
    """Return the costly moves of `seat`, without those in a lost position, in their order."""
    told = {
        each.number: each
        for each in reviewing.result().of([seat])
        if each.effect is not Effect.LOST_ANYWAY
    }
    return tuple(
        _mistake(told[move.number], move) for move in reviewing.judged.moves if move.number in told
    )


def _mistake(finding: Finding, judged: JudgedMove) -> Mistake:
    assert judged.lost_boxes is not None
    best = tuple(map(judged.before.game.format_move, judged.better))
    return Mistake(finding.number, finding.move, best, judged.lost_boxes, finding.theme)


def missed_themes(games: Sequence[Sequence[Mistake]]) -> list[MissedTheme]:
    """Return the themes that were missed in `games`, the newest first; the dearest theme first."""
    themes = {each.theme: None for game in games for each in game if each.theme is not None}
    missed = [_missed(theme, games) for theme in themes]
    return sorted(missed, key=lambda each: (-each.lost_boxes, -each.times, each.theme))


def _missed(theme: str, games: Sequence[Sequence[Mistake]]) -> MissedTheme:
    costs = list(_costs(theme, games))
    half = len(games) // 2
    newer, older = len(list(_costs(theme, games[:half]))), len(list(_costs(theme, games[-half:])))
    trend = Trend.SAME if newer == older else Trend.LESS if newer < older else Trend.MORE
    return MissedTheme(theme, len(costs), sum(costs), trend if len(games) >= LEAST_GAMES else None)


def _costs(theme: str, games: Sequence[Sequence[Mistake]]) -> Iterator[float]:
    return (each.lost_boxes for game in games for each in game if each.theme == theme)
