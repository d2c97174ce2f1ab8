"""The table of a room's games as text, the same as on the page (`standings.js`). Pure."""

from collections.abc import Iterator

from msgspec.json import encode
from msgspec.json import format as formatted
from msgspec.structs import asdict

from boxroom_client.text_width import column_widths, left_aligned, right_aligned
from boxroom_common.phrases import say
from boxroom_engine.games.registry import KINDS
from boxroom_engine.phrases import Phrase, Value, phrase
from boxroom_engine.room.room import Room
from boxroom_engine.standings import in_order

_MOST_NAMED = 5
"""Players whose points are told after a game."""


def standings_in_short(room: Room) -> tuple[str, ...]:
    """Return a line with the table after a game; none after the first, whose result says it."""
    rows = in_order(room.table)
    if len(rows) <= len(room.players) and all(row.games == 1 for row in rows):
        return ()
    if len(rows) == 2:
        first, second = rows
        drawn = first.games - first.wins - second.wins
        names: dict[str, Value] = {"name": first.name, "other": second.name}
        key = "standings.two_drawn" if drawn else "standings.two"
        return (say(key, won=first.wins, lost=second.wins, n=drawn, **names),)
    points: list[str | Phrase] = [
        phrase("standings.row", name=row.name, n=row.points) for row in rows[:_MOST_NAMED]
    ]
    if more := len(rows) - len(points):
        points.append(phrase("standings.more", n=more))
    return (say("standings.points", rows=points),)


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
    head = ("player", "games", "wins", *(f"prize_{prize}" for prize in prizes.values()))
    table = [[say(f"standings.{column}") for column in (*head, "points_column")]]
    for row in in_order(room.table):
        taken = (row.scores.get(name, 0) for name in prizes)
        table.append([row.name, *map(str, (row.games, row.wins, *taken, row.points))])
    first, *others = column_widths(table)
    for name, *numbers in table:
        aligned = map(right_aligned, numbers, others)
        yield f"  {'  '.join((left_aligned(name, first), *aligned))}"
    yield say("standings.how")


def standings_json(room: Room) -> str:
    """Return the table as JSON: the code of the room, and the rows as the protocol has them."""
    rows = [asdict(row) for row in in_order(room.table)]
    return formatted(encode({"room": room.code, "table": rows})).decode()
