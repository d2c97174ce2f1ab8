"""The functions of a worksheet on noughts and crosses, under its names.

A *state* is a tuple of three rows, each a tuple of three cells: `'x'`, `'o'` or a space. A *score*
is 1 if x has won or wins with perfect play, -1 if o does, 0 for a draw.

>>> state = play(EMPTY, 1, 1, 'x')
>>> moves(state)[0]
(0, 0)
>>> score(state, 'o')
(0, (0, 0))

Source: a lab exercise of the University of Bath on noughts and crosses with minimax (2021).
"""

from collections.abc import Sequence

from boxroom_engine.games.errors import FormatError, MoveOutOfRange
from boxroom_engine.games.noughts.state import Cells, CellTaken
from boxroom_engine.games.noughts.worksheet import SIDE, format_cells, parse_cells, position_of
from boxroom_engine.games.protocol import Seat
from boxroom_engine.phrases import phrase
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.recursive import RecursiveMinimax

__all__ = ["EMPTY", "State", "moves", "perfect_game", "play", "print_state", "score", "score_end"]

State = tuple[tuple[str, ...], ...]
"""Three rows of three cells; a function takes any sequences of them."""

Rows = Sequence[Sequence[str]]

EMPTY: State = ((" ",) * SIDE,) * SIDE
"""The state before the first move."""

_SEATS = {"x": Seat(0), "o": Seat(1)}


def print_state(state: Rows) -> None:
    """Print the rows, with strokes between the cells, and an empty line after them.

    Raises:
        FormatError: it is no state.
    """
    print(f"{format_cells(_cells_of(state))}\n")


def score_end(state: Rows) -> int | None:
    """Return the score of a game that has ended; None if moves can still be played.

    Raises:
        FormatError: it is no state, or both players have three in a row.
    """
    position = position_of(_cells_of(state))
    return int(position.evaluate(Seat(0))) if position.is_over else None


def play(state: Rows, row: int, col: int, mark: str) -> State:
    """Return the state after `mark` was placed, `'x'` or `'o'`; a space takes a mark back.

    Raises:
        FormatError: it is no state or no mark.
        MoveOutOfRange: there is no such row or column.
        CellTaken: the cell is taken.
        GameIsOver: a player has three in a row.
    """
    cells = _cells_of(state)
    if row not in range(SIDE) or col not in range(SIDE):
        raise MoveOutOfRange(phrase("move.noughts.lesson", last=SIDE - 1, row=row, col=col))
    cell = SIDE * row + col
    if mark == " ":
        return _state_of((*cells[:cell], None, *cells[cell + 1 :]))
    position = position_of(cells, _seat_of(mark))
    if cells[cell] is not None and not position.is_over:
        free = ", ".join(map(str, moves(state)))
        raise CellTaken(phrase("move.noughts.taken_place", row=row, col=col, free=free))
    return _state_of(position.play(position.game.parse_move(str(cell))).cells)


def moves(state: Rows) -> list[tuple[int, int]]:
    """Return the row and the column of every free cell, row by row, also after a win.

    Raises:
        FormatError: it is no state.
    """
    return [divmod(cell, SIDE) for cell, seat in enumerate(_cells_of(state)) if seat is None]


def score(state: Rows, player: str) -> tuple[int, tuple[int, int] | None]:
    """Return the score with perfect play of both, and the first best move of `player`.

    The move is None if the game has ended.

    Raises:
        FormatError: it is no state or no player, or both players have three in a row.
    """
    seat, position = _seat_of(player), position_of(_cells_of(state), _seat_of(player))
    if position.is_over:
        return int(position.evaluate(Seat(0))), None
    values = RecursiveMinimax(memo=Memo()).values_of_moves(position)
    best, *_ = best_valued_moves(values)
    value = int(values[best])
    return (value if seat == _SEATS["x"] else -value), divmod(best, SIDE)


def perfect_game(state: Rows, player: str) -> int:
    """Print a game in which both play perfectly and `player` begins; return its score.

    Raises:
        FormatError: it is no state or no player, or both players have three in a row.
    """
    print_state(state)
    while score_end(state) is None:
        _, move = score(state, player)
        assert move is not None
        state = play(state, *move, player)
        print_state(state)
        player = "o" if player == "x" else "x"
    result = score_end(state)
    assert result is not None
    return result


def _cells_of(state: Rows) -> Cells:
    return parse_cells("\n".join("|".join(map(str, row)) for row in state))


def _state_of(cells: Cells) -> State:
    return tuple(tuple(row.split("|")) for row in format_cells(cells).splitlines())


def _seat_of(player: str) -> Seat:
    seat = _SEATS.get(player)
    if seat is None:
        raise FormatError(f"the players and their marks are 'x' and 'o', not {player!r}")
    return seat
