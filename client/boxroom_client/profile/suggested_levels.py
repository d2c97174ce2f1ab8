"""The level that is suggested to the user for the next game, by the games of the history."""

from collections.abc import Iterable

from boxroom_client.profile.history import GameHistory, HistoryError, PlayedGame
from boxroom_client.profile.rating import Result, level_played, result_of
from boxroom_engine.bots.levels import suggested_level
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.registry import KINDS

_POINTS = {Result.WON: 1.0, Result.DRAWN: 0.5, Result.LOST: 0.0}


def suggested_levels(history: GameHistory | None = None) -> dict[str, str]:
    """Return the level that is suggested for each kind of game, by its name.

    A history that can't be read suggests the lowest.
    """
    try:
        games = (history or GameHistory()).newest()
    except HistoryError:
        games = []
    return levels_after(reversed(games))


def levels_after(games: Iterable[PlayedGame]) -> dict[str, str]:
    """Return the level that is suggested for each kind after `games`, the oldest first."""
    results: dict[str, list[tuple[str, float]]] = {name: [] for name in KINDS}
    for game in games:
        level = level_played(game)
        if level is None:
            continue
        try:
            kind = game.heading.game.kind.name
        except FormatError:
            continue  # of a game that this version doesn't know
        result = Result.DRAWN if game.helped else result_of(game)
        results[kind].append((level, _POINTS[result]))
    return {kind: suggested_level(played) for kind, played in results.items()}
