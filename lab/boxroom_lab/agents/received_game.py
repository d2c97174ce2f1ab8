"""A game of which a server of the agents' protocol tells us, as if we were an agent."""

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move
from boxroom_lab.agents.messages import (
    ActionMessage,
    AnswerMessage,
    NoSuchLine,
    StartMessage,
    line_of,
    move_of,
)

MOST_LIMIT_S = 3600.0
"""Longest thinking time, even if the server allows more."""


class ReceivedGame:
    """The game that `start` begins, up to the last line received.

    Raises:
        OptionError: the board is too large.
    """

    def __init__(self, start: StartMessage) -> None:
        rows, cols = start.grid
        self.position: Position = Dots(rows, cols, Border.NONE, 2).initial()
        self.limit_s = min(start.timelimit, MOST_LIMIT_S)
        """Time limit of each answer."""
        # Numbers of the players for which this side answers.
        self._players = {start.player}

    def add_player(self, start: StartMessage) -> None:
        """Answer for another player, too: a server may play both sides over one connection."""
        self._players.add(start.player)

    def apply(self, action: ActionMessage) -> None:
        """Draw a line.

        An illegal line is ignored: some servers report it to both players, and ask again.
        """
        try:
            move = move_of(self.position.game.grid, action.location, action.orientation)
            self.position = self.position.play(move)
        except (NoSuchLine, MoveError):
            return

    def is_asked(self, next_player: int | None) -> bool:
        """Whether a message that names `next_player` as next asks this side for a line.

        If it is None, the rules decide.
        """
        if self.position.to_move is None:
            return False
        return (self.position.to_move + 1 if next_player is None else next_player) in self._players

    def answer(self, move: Move) -> AnswerMessage:
        """Return the answer that draws `move`."""
        return AnswerMessage(*line_of(self.position.game.grid, move))
