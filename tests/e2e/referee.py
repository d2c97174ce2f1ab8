"""A referee who counts Dots and Boxes by the rules alone, from the lines that a terminal shows.

It shares no code with Boxroom, so that a table can be compared with its own.
"""

import re
from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

_BEGINS = re.compile(r"(?:The game|Game \d+) begins\. In order of play: (.+)\.$")
_PLAYS = re.compile(r" (?:plays ([hv]\d+)|takes .+ \(([hv]\d+)\))\.$")


class Row(NamedTuple):
    """A row of a table."""

    name: str
    games: int
    won: int
    boxes: int
    points: int


class Game:
    """A game on a board of `rows` by `cols` boxes."""

    def __init__(self, rows: int, cols: int, players: list[str]) -> None:
        self._players = players
        self._squares = [
            {f"h{r * cols + c}", f"h{(r + 1) * cols + c}"}
            | {f"v{r * (cols + 1) + c}", f"v{r * (cols + 1) + c + 1}"}
            for r, c in product(range(rows), range(cols))
        ]
        self.free = sorted(set().union(*self._squares))
        """Lines that aren't drawn."""
        self.boxes = dict.fromkeys(players, 0)
        """The boxes of each player so far."""
        self.to_move = players[0]
        self.lines: list[str] = []
        """The lines that are drawn, in order."""

    @property
    def moves(self) -> int:
        """Number of lines that are drawn."""
        return len(self.lines)

    @property
    def is_over(self) -> bool:
        """Whether all lines are drawn."""
        return not self.free

    def play(self, line: str) -> None:
        """Draw a line for the player to move."""
        self.free.remove(line)
        self.lines.append(line)
        taken = sum(line in square and square.isdisjoint(self.free) for square in self._squares)
        self.boxes[self.to_move] += taken
        if not taken:
            following = self._players.index(self.to_move) + 1
            self.to_move = self._players[following % len(self._players)]


def games_on(lines: Iterable[str], rows: int, cols: int) -> list[Game]:
    """Return the games that `lines` tell of; the last one may be going on."""
    games: list[Game] = []
    for line in lines:
        if begins := _BEGINS.search(line):
            games.append(Game(rows, cols, re.split(", | and ", begins[1])))
        elif plays := _PLAYS.search(line):
            games[-1].play(plays[1] or plays[2])
    return games


def table_of(games: Iterable[Game]) -> set[Row]:
    """Return the table after `games`: 2 points for each player with fewer boxes, 1 with as many."""
    table: dict[str, Row] = {}
    for game in games:
        for name, mine in game.boxes.items():
            others = [boxes for other, boxes in game.boxes.items() if other != name]
            points = sum(2 * (mine > boxes) + (mine == boxes) for boxes in others)
            row = table.get(name, Row(name, 0, 0, 0, 0))
            table[name] = Row(
                name,
                row.games + 1,
                row.won + (mine > max(others)),
                row.boxes + mine,
                row.points + points,
            )
    return set(table.values())
