"""In which room a line is typed, and by whom."""

from dataclasses import dataclass

from boxroom_engine.games.protocol import Game
from boxroom_engine.room.room import Room


@dataclass(frozen=True, slots=True)
class Context:
    """In which room a line is typed, and by whom."""

    room: Room
    me: str
    bots: tuple[str, ...] = ()
    """The bots that the server can seat in this room's game."""

    @property
    def game(self) -> Game:
        """The game on the board, or the one that the room would start."""
        return self.room.state.game if self.room.state else self.room.settings.make_game()
