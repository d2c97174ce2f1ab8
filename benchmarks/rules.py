"""Speed of the rules of Dots and Boxes: positions per second, beside a naive reference.

Both play the same random games, in turns, so that a busy machine slows both; the ratio is
what can be compared between machines. The reference keeps a list of drawn edges and a list of
owners, changes them in place (it needn't even copy) and looks at every box after every move.

    python benchmarks/rules.py --seconds 10
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.protocol import Move

SIZES = (5, 20, 30)
SEATS = (2, 8)
ROUNDS = 5


class Naive:
    """The rules with lists, looking at the whole board after each move."""

    def __init__(self, game: Dots) -> None:
        self.seats = game.seats
        self.edges_of = game.grid.edges_of
        self.drawn = [False] * game.grid.edges
        self.owner: list[int | None] = [None] * game.grid.boxes
        self.to_move = 0

    def play(self, move: Move) -> None:
        """Draw an edge, count the boxes again, and set the seat to move."""
        self.drawn[move] = True
        again = False
        for box, edges in enumerate(self.edges_of):
            if self.owner[box] is None and all(self.drawn[edge] for edge in edges):
                self.owner[box] = self.to_move
                again = True
        if not again:
            self.to_move = (self.to_move + 1) % self.seats

    @property
    def scores(self) -> tuple[int, ...]:
        """Boxes of each seat."""
        return tuple(self.owner.count(seat) for seat in range(self.seats))


Play = Callable[[Dots, Sequence[Move]], tuple[int, ...]]
"""Function that plays a whole game and returns its scores."""


def play_boxroom(game: Dots, moves: Sequence[Move]) -> tuple[int, ...]:
    """Play the game with the engine's immutable positions."""
    state = game.initial()
    for move in moves:
        state = state.play(move)
    return state.scores


def play_naive(game: Dots, moves: Sequence[Move]) -> tuple[int, ...]:
    """Play the game with the reference."""
    board = Naive(game)
    for move in moves:
        board.play(move)
    return board.scores


def rate(play: Play, game: Dots, seconds: float, rng: random.Random) -> float:
    """Return the positions per second of `play` over whole random games, for at least `seconds`."""
    moves = list(game.initial().legal_moves())
    spent, positions = 0.0, 0
    while spent < seconds:
        rng.shuffle(moves)
        start = time.perf_counter()
        play(game, moves)
        spent += time.perf_counter() - start
        positions += len(moves)
    return positions / spent


def measure(game: Dots, seconds: float) -> tuple[float, float, float]:
    """Return both rates and the ratio, each the median of rounds in which the two alternate."""
    rng = random.Random(1)
    moves = list(game.initial().legal_moves())
    rng.shuffle(moves)
    assert play_boxroom(game, moves) == play_naive(game, moves)
    rounds = [
        tuple(rate(play, game, seconds / ROUNDS / 2, rng) for play in (play_boxroom, play_naive))
        for _ in range(ROUNDS)
    ]
    ratios = [ours / theirs for ours, theirs in rounds]
    ours, theirs = (statistics.median(rates) for rates in zip(*rounds, strict=True))
    return ours, theirs, statistics.median(ratios)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--seconds", type=float, default=12, help="for the whole table (default %(default)s)"
    )
    seconds = parser.parse_args().seconds / (len(SIZES) * len(SEATS))
    print("boxes    seats   boxroom/s   µs/play     naive/s     ratio")
    for size in SIZES:
        for seats in SEATS:
            ours, theirs, ratio = measure(Dots(size, size, Border.NONE, seats), seconds)
            board = f"{size}×{size}"
            print(
                f"{board:8} {seats:5} {ours:11,.0f} {1e6 / ours:9.2f} {theirs:11,.0f} {ratio:8.1f}x"
            )


if __name__ == "__main__":
    main()
