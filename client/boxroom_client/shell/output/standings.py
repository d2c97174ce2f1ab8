"""The table of a room's games as text, the same as on the page (`standings.js`). Pure."""

from boxroom_common.phrases import say
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
