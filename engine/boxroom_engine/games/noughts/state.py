"""Rules of noughts and crosses: the game, its positions and its moves.

Seat 0 is x, seat 1 is o, and there may be more. The first seat with `line` marks in a row wins, in
a straight line in any direction; a full board without such a row is a draw.

A position as text is the cells, each `.` or the number of the seat that marked it, the seat
to move (`-` when the game is over) and the seats withdrawn (`-` for none): `0.1....../0/-`.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from boxroom_engine.games import turn_order
from boxroom_engine.games.base import EqualByIdentity, GameBase
from boxroom_engine.games.drawing import Drawing, Look
from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    IllegalMove,
    MoveOutOfRange,
    OptionError,
)
from boxroom_engine.games.geometry import Geometry
from boxroom_engine.games.notation import format_to_move, format_withdrawn
from boxroom_engine.games.noughts import drawing, geometry, notation
from boxroom_engine.games.noughts.board import Board, Line, board_of
from boxroom_engine.games.noughts.forced import moves_to_search
from boxroom_engine.games.noughts.notation import in_words
from boxroom_engine.games.protocol import (
    GameKind,
    Move,
    Option,
    OptionValue,
    Outcome,
    Seat,
    State,
)
from boxroom_engine.phrases import Phrase, phrase

MOST_CELLS = 500
"""Size of the largest board: 20×20, 7×7×7 and 3×3×3×3×3 fit. No such board has more than 60,000
lines; a server refuses boards of many lines, by `Noughts.work`."""

_DIMS = Option("game.noughts.dims", default="3,3")
_LINE = Option("game.noughts.line", default=3, least=2, most=20)

_MARKS = "xoabcdefgh"  # no more than ten: a seat is one digit in a position
_MOST_FREE_NAMED = 10

Cells = tuple[Seat | None, ...]


class CellTaken(IllegalMove):
    """The cell is marked already."""

    code = "cell_taken"


class Noughts(GameBase, msgspec.Struct, frozen=True, dict=True):  # dict: for the cached property
    """Noughts and crosses for `seats` players: `line` in a row, on a board of `dims`.

    Raises:
        OptionError: the board is too small, too large, or too small for the number of players.
    """

    seats: int
    dims: tuple[int, ...] = (3, 3)
    line: int = 3

    def __post_init__(self) -> None:
        if min(self.dims) < 2:
            raise OptionError(phrase("option.noughts.small"))
        if self.board.cells > MOST_CELLS:
            raise OptionError(phrase("option.noughts.large", n=MOST_CELLS))
        if self.line > max(self.dims):
            raise OptionError(
                phrase("option.noughts.line", line=self.line, board=notation.name(self.board))
            )
        most = max(2, self.board.cells // self.line)
        if self.seats > most:
            raise OptionError(
                phrase(
                    "option.noughts.seats",
                    game=phrase("title.noughts"),
                    n=most,
                    seats=self.seats,
                    line=self.line,
                    board=notation.name(self.board),
                )
            )

    @property
    def kind(self) -> GameKind:
        return KIND

    @property
    def options(self) -> Mapping[str, OptionValue]:
        return {_DIMS.name: notation.format_place(self.dims), _LINE.name: self.line}

    @cached_property
    def board(self) -> Board:
        """The board's tables."""
        return board_of(self.dims, self.line)

    @property
    def longest(self) -> int:
        """The number of cells."""
        return self.board.cells

    @property
    def work(self) -> int:
        """The number of lines, or of cells if there are more."""
        return max(self.board.cells, self.board.number_of_lines)

    @property
    def rules(self) -> Phrase:
        """The rules with the length of a winning line."""
        return phrase("game_rules.noughts", line=self.line)

    @property
    def how_to_move(self) -> Phrase:
        """Sentences that tell a new player how to enter a move on this board."""
        return notation.how_to_move(self.board)

    def geometry(self) -> Geometry:
        return geometry.geometry_of(self.board)

    def initial(self) -> "Position":
        return Position(self, (None,) * self.board.cells, Seat(0))

    def looks_like_move(self, text: str) -> bool:
        return notation.looks_like_move(text)

    def parse_move(self, text: str) -> Move:
        """Return the cell that `text` names by its number or its place, such as row and column."""
        return notation.parse_move(self.board, text)

    def format_move(self, move: Move) -> str:
        return str(move)

    def parse_position(self, text: str) -> "Position":
        match = re.fullmatch(rf"([.0-9]{{{self.longest}}})/([0-9]|-)/([0-9](?:,[0-9])*|-)", text)
        if match is None:
            raise FormatError(
                f"a position is {self.longest} cells/seat to move/seats withdrawn,"
                f" {self.format_position(self.initial())} at first"
            )
        cells, to_move, withdrawn = (
            tuple(None if cell == "." else self._parse_seat(cell) for cell in match[1]),
            None if match[2] == "-" else self._parse_seat(match[2]),
            () if match[3] == "-" else tuple(map(self._parse_seat, match[3].split(","))),
        )
        if list(withdrawn) != sorted(set(withdrawn)) or len(withdrawn) == self.seats:
            raise FormatError(f"{match[3]} can't be the seats withdrawn: ascending, not all")
        winners = {cells[line[0]] for line in won_lines(self.board, cells)}
        row = f"{in_words(self.line)} in a row"
        if len(winners) > 1:
            raise FormatError(f"two seats have {row}, but the first row ends the game")
        if winners & set(withdrawn):
            raise FormatError(f"a seat with {row} has won, so it can't have withdrawn")
        winner = winners.pop() if winners else None
        position = Position(self, cells, to_move, frozenset(withdrawn), winner)
        is_over = winner is not None or None not in cells or len(withdrawn) == self.seats - 1
        if is_over != position.is_over or to_move in withdrawn:
            right = "it is '-'" if is_over else "it is a seat that hasn't withdrawn"
            raise FormatError(f"the seat to move can't be {match[2]!r}: {right}")
        return position

    def _parse_seat(self, text: str) -> Seat:
        if int(text) >= self.seats:
            raise FormatError(f"seats are 0 to {self.seats - 1}, not {text}")
        return Seat(int(text))

    def format_position(self, state: State) -> str:
        assert isinstance(state, Position)
        assert state.game == self
        cells = "".join("." if seat is None else str(seat) for seat in state.cells)
        return f"{cells}/{format_to_move(state.to_move)}/{format_withdrawn(state.withdrawn)}"


class Position(EqualByIdentity, msgspec.Struct, frozen=True, eq=False):
    """One position, made by `Noughts.initial` and `parse_position`, `play` and `withdraw`."""

    game: Noughts
    cells: Cells
    """For each cell the seat that marked it."""
    to_move: Seat | None
    """The seat to move, or None when the game is over."""
    withdrawn: frozenset[Seat] = frozenset()
    """The seats that withdrew."""
    winner: Seat | None = None
    """The seat with a line. It follows from the cells; to look for it takes long."""
    last: Move | None = None
    """The last cell marked, if known; only drawings use it, so equal positions can differ in it."""

    @property
    def identity(self) -> Hashable:
        """The position without what only drawings use; unlike the key it isn't turned."""
        return self.game, self.cells, self.to_move, self.withdrawn

    @property
    def key(self) -> Hashable:
        """The position in a normal form that is the same for all symmetric positions."""
        marks = tuple(-1 if seat is None else seat for seat in self.cells)
        normal = min(permute(marks) for permute in self.game.board.symmetries)
        return normal, self.to_move, self.withdrawn

    @property
    def ply(self) -> int:
        return len(self.cells) - self.cells.count(None) + len(self.withdrawn)

    @property
    def scores(self) -> tuple[int, ...]:
        """1 for a seat with a line, 0 for the others."""
        return tuple(int(seat == self.winner) for seat in range(self.game.seats))

    @property
    def outcome(self) -> Outcome | None:
        """The winner is the seat with a line or the last that stayed; a full board is a draw."""
        if self.to_move is not None:
            return None
        left = [Seat(s) for s in range(self.game.seats) if s not in self.withdrawn]
        winners = left if len(left) == 1 else [seat for seat in left if seat == self.winner]
        return Outcome(self.scores, tuple(winners))

    def legal_moves(self) -> tuple[Move, ...]:
        if self.to_move is None:
            return ()
        return tuple(Move(cell) for cell, seat in enumerate(self.cells) if seat is None)

    def play(self, move: Move) -> "Position":
        seat = self.to_move
        if seat is None:
            raise GameIsOver(phrase("move.over"))
        if not 0 <= move < len(self.cells):
            name, most = notation.name(self.game.board), len(self.cells) - 1
            raise MoveOutOfRange(phrase("move.noughts.cells", move=move, board=name, last=most))
        if self.cells[move] is not None:
            raise CellTaken(phrase("move.noughts.taken", move=move, free=self._free_in_words()))
        cells = (*self.cells[:move], seat, *self.cells[move + 1 :])
        lines = self.game.board.lines_through(move)
        winner = seat if any(_owner(cells, line) == seat for line in lines) else None
        is_over = winner is not None or None not in cells
        after = None if is_over else turn_order.seat_after(seat, self.game.seats, self.withdrawn)
        return Position(self.game, cells, after, self.withdrawn, winner, move)

    def _free_in_words(self) -> Phrase | str:
        """Return the free cells as a list, cut if it would be long."""
        free = self.legal_moves()
        named = ", ".join(map(str, free[:_MOST_FREE_NAMED]))
        more = len(free) - _MOST_FREE_NAMED
        return phrase("move.and_more", moves=named, more=more) if more > 0 else named

    def withdraw(self, seat: Seat) -> "Position":
        withdrawn, to_move = turn_order.withdraw(
            seat, self.game.seats, self.to_move, self.withdrawn
        )
        return msgspec.structs.replace(self, withdrawn=withdrawn, to_move=to_move)

    def draw(self, look: Look) -> Drawing:
        """Return the board as text, with the cells of a winning line as won."""
        lines = won_lines(self.game.board, self.cells) if self.winner is not None else ()
        won = {cell for line in lines for cell in line}
        return drawing.draw(self.game.board, self, won, look)


def won_lines(board: Board, cells: Cells) -> Iterator[Line]:
    """Return the lines of `board` whose cells one seat marked."""
    return (line for line in board.lines if _owner(cells, line) is not None)


def _owner(cells: Cells, line: Line) -> Seat | None:
    """Return the seat that marked all cells of `line`, if there is one."""
    first = cells[line[0]]
    return first if all(cells[cell] == first for cell in line) else None


def _moves_to_search(state: State) -> Sequence[Move]:
    assert isinstance(state, Position)
    assert state.to_move is not None
    others = [s for s in range(state.game.seats) if s not in {state.to_move, *state.withdrawn}]
    only_other = Seat(others[0]) if len(others) == 1 else None
    return moves_to_search(state.game.board, state.cells, state.to_move, only_other)


def _build(options: Mapping[str, OptionValue], seats: int) -> Noughts:
    dims = notation.parse_dims(str(options[_DIMS.name]))
    return Noughts(seats, dims, int(options[_LINE.name]))


KIND = GameKind(
    name="noughts",
    options=(_DIMS, _LINE),
    fewest_seats=2,
    most_seats=len(_MARKS),
    build=_build,
    marks=_MARKS,
    only_the_win_counts=True,
    moves_to_search=_moves_to_search,
    abilities_module="boxroom_engine.games.noughts.abilities",
)
"""Noughts and crosses in the registry."""
