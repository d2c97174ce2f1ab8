"""The rules of draughts once more, on a grid and as slowly as they are written down.

The tests hold the engine against it. It shares nothing with the engine: a board is a dict from
`(column, row)` to a piece, `m` or `k` with its player, and every capture plays on a copy of it.
"""

from collections.abc import Iterator

Cell = tuple[int, int]
Pieces = dict[Cell, str]
"""The pieces: `m0` is a man of the player who began, `k1` a king of the other."""

Path = tuple[Cell, ...]
EVERY_WAY = ((-1, -1), (1, -1), (-1, 1), (1, 1))


class NaiveBoard:
    """A board on which games are played naively."""

    def __init__(self, size: int, *, international: bool) -> None:
        self.size, self.international = size, international
        self.cells = [(x, y) for y in range(size) for x in range(size) if (x + y) % 2]
        """The dark cells in the order of their numbers."""
        self.number = {cell: number for number, cell in enumerate(self.cells, 1)}
        self.pieces: Pieces = {}
        for x, y in self.cells:
            if y < size // 2 - 1:
                self.pieces[x, y] = "m1" if international else "m0"
            if y > size // 2:
                self.pieces[x, y] = "m0" if international else "m1"

    def forward(self, player: str) -> int:
        """Return the step of a player's men from row to row."""
        return 1 if (player == "0") != self.international else -1

    def is_free(self, cell: Cell, pieces: Pieces) -> bool:
        on_board = 0 <= cell[0] < self.size and 0 <= cell[1] < self.size
        return on_board and cell not in pieces

    def moves(self, player: str) -> list[tuple[Path, frozenset[Cell]]]:
        """Return the path and the captured cells of each legal move."""
        own = [cell for cell, piece in self.pieces.items() if piece[1] == player]
        captures = [each for cell in own for each in self.captures_of(cell)]
        if captures and self.international:
            most = max(len(captured) for _, captured in captures)
            return [each for each in captures if len(each[1]) == most]
        return captures or [(path, frozenset()) for cell in own for path in self.steps_of(cell)]

    def steps_of(self, cell: Cell) -> Iterator[Path]:
        piece = self.pieces[cell]
        for dx, dy in EVERY_WAY:
            if piece[0] == "m" and dy != self.forward(piece[1]):
                continue
            at = cell[0] + dx, cell[1] + dy
            while self.is_free(at, self.pieces):
                yield cell, at
                if piece[0] == "m" or not self.international:
                    break
                at = at[0] + dx, at[1] + dy

    def captures_of(self, cell: Cell) -> list[tuple[Path, frozenset[Cell]]]:
        rest = {at: piece for at, piece in self.pieces.items() if at != cell}
        return list(self.go_on((cell,), frozenset(), self.pieces[cell], rest))

    def go_on(
        self, path: Path, captured: frozenset[Cell], piece: str, others: Pieces
    ) -> Iterator[tuple[Path, frozenset[Cell]]]:
        """Yield the whole captures that begin with `path`; captured pieces are still there."""
        jumps = list(self.jumps(path[-1], captured, piece, others))
        if not jumps and captured:
            yield path, captured
        for over, end in jumps:
            yield from self.go_on((*path, end), captured | {over}, piece, others)

    def jumps(
        self, cell: Cell, captured: frozenset[Cell], piece: str, others: Pieces
    ) -> Iterator[tuple[Cell, Cell]]:
        flies = piece[0] == "k" and self.international
        for dx, dy in EVERY_WAY:
            backwards = piece[0] == "m" and dy != self.forward(piece[1])
            if backwards and not self.international:
                continue
            over = cell[0] + dx, cell[1] + dy
            while flies and self.is_free(over, others):
                over = over[0] + dx, over[1] + dy
            if over not in others or over in captured or others[over][1] == piece[1]:
                continue
            end = over[0] + dx, over[1] + dy
            while self.is_free(end, others):
                yield over, end
                if not flies:
                    break
                end = end[0] + dx, end[1] + dy

    def play(self, path: Path, captured: frozenset[Cell]) -> None:
        piece = self.pieces.pop(path[0])
        for cell in captured:
            del self.pieces[cell]
        last = self.size - 1 if self.forward(piece[1]) == 1 else 0
        self.pieces[path[-1]] = f"k{piece[1]}" if path[-1][1] == last else piece
