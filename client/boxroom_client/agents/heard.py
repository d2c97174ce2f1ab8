"""A game, as somebody tells of it who takes us for an agent."""

from boxroom_client.agents.messages import Action, Answer, NoLine, Start, edge_of, line_of
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move

MOST_LIMIT_S = 3600.0
"""Longer than this nobody thinks, whatever is allowed."""


class HeardGame:
    """The game that `start` begins, as far as it has been told.

    Raises:
        OptionError: the board is too large.
    """

    def __init__(self, start: Start) -> None:
        rows, cols = start.grid
        self.position: Position = Dots(rows, cols, Border.NONE, 2).initial()
        self.limit_s = min(start.timelimit, MOST_LIMIT_S)
        self._players = {start.player}

    def also_plays(self, start: Start) -> None:
        """Somebody plays against itself, over one connection."""
        self._players.add(start.player)

    def hear(self, action: Action) -> None:
        """A line has been drawn.

        One that can't be is let pass: some servers tell everybody of it, and ask again.
        """
        try:
            move = edge_of(self.position.game.grid, action.location, action.orientation)
            self.position = self.position.play(move)
        except (NoLine, MoveError):
            return

    def is_asked(self, next_player: int | None) -> bool:
        """Whether whoever has said that `next_player` is next wants a line from us.

        None leaves it to the rules.
        """
        if self.position.to_move is None:
            return False
        return (self.position.to_move + 1 if next_player is None else next_player) in self._players

    def answer(self, move: Move) -> Answer:
        """How `move` is said."""
        return Answer(*line_of(self.position.game.grid, move))
