"""Recorded games that are worth a review, and a judge with time for them."""

from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.dots.solve.judge import TimedJudge
from boxroom_engine.games.record import Record
from boxroom_engine.stopping import StopToken

SMALL = "dots rows=1 cols=2 border=none | Ada, Bob | h0 h2 v0 h1 v1 h3 v2"
"""Ada should begin in the middle; with h1 Bob leaves a box."""

LARGE = (
    "dots rows=5 cols=5 border=none | Ada, Bob | "
    "h25 v1 h1 h10 h22 h11 h29 v9 h15 h12 v0 h16 v4 h27 h9 h17 v7 v28 h14 v19 v23 h23 v17 h2 "
    "h13 h18 h3 v25 h26 h4 v5 v10 h8 v3 v11 h24 v29 v21 v22 v20 h21 h19 v16 v26 v27 h28 v15 "
    "v14 v13 v12 v24 h20 v18 h0 h5 v6 h6 v2 h7 v8"
)
"""Ada was winning, but opened the wrong chain; then both take boxes that they should decline."""

OF_THREE = "dots rows=2 cols=2 border=none | Ada, Bob, Cem | h0 h2 ~1 v0 h1 v1"
"""A game of three, of whom two are left when Bob has given up."""

JUDGED_FROM_PLY = 25
"""Ply from which `LARGE` is solved within seconds, also by the solver in Python."""


def exactly(game: Dots) -> TimedJudge:
    return TimedJudge(game, 60.0, StopToken(), lambda: 0.0)


def positions_of(record: str, *, from_ply: int = 0) -> list[Position]:
    states = list(Record.parse(record).positions())
    return [state for state in states[from_ply:] if isinstance(state, Position)]
