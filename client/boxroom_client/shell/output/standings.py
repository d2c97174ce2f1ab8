"""The table of a room's games as text, the same as on the page (`standings.js`). Pure."""

from collections.abc import Iterator, Sequence

from msgspec.json import encode
from msgspec.json import format as formatted
from msgspec.structs import asdict

from boxroom_client.text_width import column_widths, left_aligned, right_aligned
from boxroom_common.json_output import format_name
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.registry import KINDS
from boxroom_engine.phrases import Phrase, Value, phrase
from boxroom_engine.room.room import Room
from boxroom_engine.standings import Standing, in_order

_MOST_NAMED = 5
"""Players whose points are told after a game; one more is named, too, as a count takes as long."""


def standings_in_short(room: Room) -> tuple[str, ...]:
    """Return a line with the table of the series after a game, or of all games if none is on.

    After the first of all games there is none, as its result says the same.
    """
    if room.series:
        return (_in_short(room.series, say("standings.best_of", n=room.settings.best_of)),)
    if len(room.table) <= len(room.players) and all(row.games == 1 for row in room.table):
        return ()
    return (_in_short(room.table),)


def _in_short(table: Sequence[Standing], series: str = "") -> str:
    """Return the games won of two players; of more in a `series`, too, and else their points."""
    rows = in_order(table)
    what = series or say("standings.so_far")
    if len(rows) == 2:
        first, second = rows
        drawn = first.games - first.wins - second.wins
        names: dict[str, Value] = {"name": called(first.name), "other": called(second.name)}
        key = "standings.two_drawn" if drawn else "standings.two"
        return say(key, what=what, won=first.wins, lost=second.wins, n=drawn, **names)
    if series:
        rows.sort(key=lambda row: -row.wins)
    named = _MOST_NAMED if len(rows) > _MOST_NAMED + 1 else len(rows)
    told: list[str | Phrase] = [
        phrase("standings.row", name=called(row.name), n=row.wins if series else row.points)
        for row in rows[:named]
    ]
    if more := len(rows) - named:
        told.append(phrase("standings.more", n=more))
    return say("standings.won" if series else "standings.points", what=what, rows=told)


def standings_table(room: Room) -> Iterator[str]:
    """Yield the table with a line for each player, the best first, and how points count."""
    if not room.table:
        yield say("standings.none")
        return
    prizes = {
        name: kind.prize[0]
        for name, kind in KINDS.items()
        if kind.prize is not None and any(name in row.scores for row in room.table)
    }
    taken = [f"prize_{prize}" for prize in prizes.values()]
    has_series = any(row.series for row in room.table)
    series = ["series"] if has_series else []
    head = ("player", "games", "wins", *taken, *series, "points_column")
    table = [[say(f"standings.{column}") for column in head]]
    for row in in_order(room.table):
        scores = [row.scores.get(name, 0) for name in prizes]
        won = [row.series] if has_series else []
        counts = (row.games, row.wins, *scores, *won, row.points)
        table.append([called(row.name), *map(str, counts)])
    first, *others = column_widths(table)
    for name, *numbers in table:
        aligned = map(right_aligned, numbers, others)
        yield f"  {'  '.join((left_aligned(name, first), *aligned))}"
    yield say("standings.how")
    if room.series:
        yield from standings_in_short(room)


def standings_json(room: Room) -> str:
    """Return the tables as JSON, with rows as in the protocol (docs/reference/commands.md)."""
    tables = {"table": room.table, "series": room.series}
    rows = {name: [asdict(row) for row in in_order(table)] for name, table in tables.items()}
    names = {"format": format_name("table", 1), "room": room.code}
    return formatted(encode({**names, **rows})).decode()
