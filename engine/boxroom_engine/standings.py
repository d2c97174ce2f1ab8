"""The table of a room's games: for each player the games, wins, points and scores so far.

Pure values, of which a room keeps some as its state. A player is a name: people at one keyboard
have a row each, and a person has the same row after coming back, also while a bot stands in.
docs/reference/room.md says how points count.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

MOST_ROWS = 100
"""Rows that a table keeps, or as many as the last game had players; who played last stays."""


class Standing(Struct, frozen=True, gc=False, omit_defaults=True):
    """A row of the table: what a player has reached so far."""

    name: str
    games: int = 0
    wins: int = 0
    """Games won alone."""
    points: int = 0
    scores: dict[str, int] = {}
    """For each kind of game the sum of the scores, such as boxes."""
    series: int = 0
    """Series won."""


class PlayerResult(NamedTuple):
    """A player's result in one game."""

    name: str
    score: int
    points: int
    has_won: bool
    """Whether the player won alone."""


def points_of(
    scores: Sequence[int],
    winners: Collection[int],
    withdrawn: Collection[int],
    *,
    only_the_win_counts: bool = False,
) -> tuple[int, ...]:
    """Return the points of each seat: 2 for each player behind it, 1 for each level with it.

    Winners are before all others, and those who withdrew behind all; else the score decides,
    unless `only_the_win_counts` or the game is a draw.
    """
    by_score = winners and not only_the_win_counts

    def place(seat: int, score: int) -> tuple[bool, bool, int]:
        is_winner = seat in winners
        return is_winner, seat not in withdrawn, score if by_score and not is_winner else 0

    places = [place(seat, score) for seat, score in enumerate(scores)]
    in_order = sorted(places)
    return tuple(bisect_left(in_order, at) + bisect_right(in_order, at) - 1 for at in places)


def with_game(
    rows: tuple[Standing, ...], kind: str, results: Sequence[PlayerResult]
) -> tuple[Standing, ...]:
    """Return `rows` after a game of that `kind`: the rows of its players are the last ones."""
    by_name = {row.name: row for row in rows}
    for name, score, points, has_won in results:
        row = by_name.pop(name, Standing(name))
        scores = {**row.scores, kind: row.scores.get(kind, 0) + score}
        by_name[name] = replace(
            row,
            games=row.games + 1,
            wins=row.wins + has_won,
            points=row.points + points,
            scores=scores,
        )
    return tuple(by_name.values())[-max(MOST_ROWS, len(results)) :]


def series_winner(rows: Sequence[Standing], best_of: int) -> str | None:
    """Return the player of a series who can't be caught up in the games that are left, if any.

    After `best_of` games the first who is ahead wins. All players have played all of its games.
    """
    if not rows:
        return None
    leader, *others = sorted(rows, key=lambda row: -row.wins)
    left = max(best_of - leader.games, 0)
    most = max((row.wins for row in others), default=0)
    return leader.name if leader.wins > most + left else None


def with_series(rows: tuple[Standing, ...], winner: str) -> tuple[Standing, ...]:
    """Return `rows` after `winner` has won a series."""
    return tuple(replace(row, series=row.series + 1) if row.name == winner else row for row in rows)


def with_new_name(rows: tuple[Standing, ...], former: str, name: str) -> tuple[Standing, ...]:
    """Return `rows` in which the player `former` is called `name`, which no other row is."""
    return tuple(replace(row, name=name) if row.name == former else row for row in rows)


def in_order(rows: Sequence[Standing]) -> list[Standing]:
    """Return the rows by points, then by wins, then by name."""
    return sorted(rows, key=lambda row: (-row.points, -row.wins, row.name))
