"""Boards of draughts: their squares as bits of an integer, so that all pieces move by shifts.

Only dark squares are used. They are numbered from 1, row by row from the top, from left to right;
the lower left corner is dark. A set of squares is an integer with one bit for each. After every
two rows one bit belongs to no square. So a step down to the left is a shift by `half`, one down to
the right by `half` + 1 from every row, and a step over the edge leads to a bit of no square::

    size 6, half 3                bits              numbers
      .  a  .  b  .  c             0  1  2           1  2  3
      d  .  e  .  f  .           3  4  5           4  5  6         bit 6 is no square
      .  g  .  h  .  i             7  8  9           7  8  9

Source: the layout is that of bitboards with ghost squares, as programs for 8×8 have used since
Arthur Samuel's ("Some Studies in Machine Learning Using the Game of Checkers", 1959).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

SIZES = (6, 8, 10, 12)

Squares = int
"""A set of squares, one bit for each."""


@dataclass(frozen=True, slots=True)
class Board:
    """Tables of one size; call `board_of`, which caches them."""

    size: int
    half: int
    """Number of squares in a row."""
    count: int
    """Number of squares."""
    bits: tuple[Squares, ...]
    """The bit of each square, in the order of the numbers."""
    number: dict[Squares, int]
    """Number of each square's bit, from 1."""
    all: Squares
    rows: tuple[Squares, ...]
    """The squares of each row, from the top."""

    @property
    def down(self) -> tuple[int, int]:
        """The shifts of a step down: to the left and to the right."""
        return self.half, self.half + 1

    def place(self, square: int) -> tuple[int, int]:
        """Return column and row, from 0 at the top left, of the square with this number."""
        row, at = divmod(square - 1, self.half)
        return 2 * at + (row + 1) % 2, row

    def squares(self, numbers: "tuple[int, ...] | list[int]") -> Squares:
        """Return the set of the squares with these numbers."""
        return sum(self.bits[number - 1] for number in numbers)

    def numbers(self, squares: Squares) -> list[int]:
        """Return the numbers of a set of squares, ascending."""
        return [self.number[bit] for bit in bits_of(squares)]

    def are_in_line(self, one: int, other: int) -> bool:
        """Whether two different squares are on one diagonal."""
        (x1, y1), (x2, y2) = self.place(one), self.place(other)
        return one != other and abs(x1 - x2) == abs(y1 - y2)

    def distance(self, one: int, other: int) -> int:
        """Return the number of rows from one square to the other."""
        return abs(self.place(one)[1] - self.place(other)[1])


def bits_of(squares: Squares) -> Iterator[Squares]:
    """Yield each square of a set as a set of its own, in ascending order."""
    while squares:
        bit = squares & -squares
        yield bit
        squares ^= bit


@cache
def board_of(size: int) -> Board:
    """Return the board with `size` rows, one of `SIZES`."""
    half = size // 2
    bits = tuple(1 << (row * half + at + row // 2) for row in range(size) for at in range(half))
    return Board(
        size,
        half,
        len(bits),
        bits,
        {bit: number for number, bit in enumerate(bits, 1)},
        sum(bits),
        tuple(sum(bits[row * half : (row + 1) * half]) for row in range(size)),
    )
