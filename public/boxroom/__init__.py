"""Boxroom from Python: games, bots, solved positions, reviews, contests, and robots in rooms.

::

    import boxroom

    game = boxroom.make_game("dots", rows=2, cols=2)
    state = game.initial().play(game.parse_move("h0"))
    boxroom.solve(state).best_moves
    boxroom.arena([my_robot, "greedy"])            # a table of ratings, after 100 games
    boxroom.seat(my_robot, server="192.168.1.20")  # my_robot plays there with people

The names in `__all__` here, in `boxroom.robots` and in `boxroom.lessons` stay, by the rules of
docs/reference/compatibility.md. Those of other packages, such as `boxroom_engine`, may change at
any time. No other package imports this one. A name is imported when it is first used, so that
`import boxroom` is quick.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boxroom_engine.errors import BoxroomError as Error
    from boxroom_engine.games.draughts.pdn import PdnGame
    from boxroom_engine.games.protocol import Game, Outcome, State
    from boxroom_engine.games.record import Record
    from boxroom_engine.review.judging import JudgedGame, JudgedMove
    from boxroom_lab.gametree.solve import Solution
    from boxroom_lab.notebook.contest import arena
    from boxroom_lab.notebook.playing import bots, choose_move, games, make_game
    from boxroom_lab.notebook.reviewing import review
    from boxroom_lab.notebook.seating import seat
    from boxroom_lab.notebook.solving import solve
    from boxroom_lab.notebook.table import ArenaTable

    __version__: str

__all__ = [
    "ArenaTable",
    "Error",
    "Game",
    "JudgedGame",
    "JudgedMove",
    "Outcome",
    "PdnGame",
    "Record",
    "Solution",
    "State",
    "__version__",
    "arena",
    "bots",
    "choose_move",
    "games",
    "make_game",
    "review",
    "seat",
    "solve",
]

_PLACES: Mapping[str, str] = {
    "ArenaTable": "boxroom_lab.notebook.table:ArenaTable",
    "Error": "boxroom_engine.errors:BoxroomError",
    "Game": "boxroom_engine.games.protocol:Game",
    "JudgedGame": "boxroom_engine.review.judging:JudgedGame",
    "JudgedMove": "boxroom_engine.review.judging:JudgedMove",
    "Outcome": "boxroom_engine.games.protocol:Outcome",
    "PdnGame": "boxroom_engine.games.draughts.pdn:PdnGame",
    "Record": "boxroom_engine.games.record:Record",
    "Solution": "boxroom_lab.gametree.solve:Solution",
    "State": "boxroom_engine.games.protocol:State",
    "__version__": "boxroom_common.version:VERSION",
    "arena": "boxroom_lab.notebook.contest:arena",
    "bots": "boxroom_lab.notebook.playing:bots",
    "choose_move": "boxroom_lab.notebook.playing:choose_move",
    "games": "boxroom_lab.notebook.playing:games",
    "make_game": "boxroom_lab.notebook.playing:make_game",
    "review": "boxroom_lab.notebook.reviewing:review",
    "seat": "boxroom_lab.notebook.seating:seat",
    "solve": "boxroom_lab.notebook.solving:solve",
}
"""Module and name of each public name."""


def __getattr__(name: str) -> object:
    from pkgutil import resolve_name

    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = resolve_name(_PLACES[name])
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
