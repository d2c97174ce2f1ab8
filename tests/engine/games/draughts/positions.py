"""Positions of draughts from a picture in words, for tests."""

from boxroom_engine.games.draughts import Draughts, Position
from boxroom_engine.games.draughts.pieces import Pieces
from boxroom_engine.games.draughts.text import format_pieces

Numbers = tuple[int, ...]


def position(
    rules: str,
    men: tuple[Numbers, Numbers] = ((), ()),
    kings: tuple[Numbers, Numbers] = ((), ()),
    *,
    turn: int = 0,
    size: str = "usual",
) -> Position:
    """Return the position with these pieces, with `turn` to move."""
    game = Draughts(rules, size)
    sets = [(game.board.squares(one), game.board.squares(other)) for one, other in (men, kings)]
    pieces = Pieces(sets[0], sets[1])
    ending = pieces.ending_plies(game.differences)
    text = f"{format_pieces(pieces, game.board)}/0/{'-' if ending is None else ending}"
    return game.parse_position(f"{text}/-/{turn}/{turn}/-")


def names(state: Position) -> list[str]:
    """Return the legal moves as text."""
    return [state.game.format_move(move) for move in state.legal_moves()]


def play(state: Position, *moves: str) -> Position:
    """Return the position after `moves`."""
    for move in moves:
        state = state.play(state.game.parse_move(move))
    return state
