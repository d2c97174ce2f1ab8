"""Write the puzzles of Dots and Boxes, which terminal and page offer.

Games that are played at random, but well enough, lead to positions that are solved exactly. One is
a puzzle if its best moves win and all others don't and get at least two boxes less, and if the best
moves are one, or lines of one chain or loop. Its grade is by the weakest bot that finds it: 1 for
one that counts chains when few lines are left, 2 for `rough`, which looks two moves ahead and
guesses the rest, and 3 for stronger ones.

    python -m scripts.write_puzzles --processes 4
"""

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import islice, zip_longest
from pathlib import Path

from boxroom_common.kernel.use import use_or_build
from boxroom_engine.bots.levels import EASY
from boxroom_engine.bots.person import Person
from boxroom_engine.bots.rough import RoughBot
from boxroom_engine.bots.uniform import UniformBot
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.solver import Solver, solver_for
from boxroom_engine.games.dots.theory.captures import neutral, sacrifices, takeable
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.dots.theory.theme import Theme, theme_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.review.puzzle import GRADES, MOST_FREE, PER_DAY, Puzzle
from boxroom_engine.stopping import Limit

FILE = Path(__file__).resolve().parents[1] / "common/boxroom_common/puzzles/dots.txt"

BOARDS = ((3, 3), (3, 3), (3, 4), (4, 4), (4, 4), (5, 5))
FEWEST_FREE = 5
LEAST_GAP = 4
"""Margin that the best moves have above all others: two boxes more, which the other hasn't."""

MOST_CHARS = 80
"""Length of the longest line of the file."""

STRIDE = 211
"""Places in the list by theme between a puzzle of a day and the next one, which mix the themes."""

TRIES = 12
FOUND = 4
"""A bot finds a puzzle if so many of its moves are right, of `TRIES`: a third, as people look
longer at a puzzle than in a game."""

COUNTER = EASY.medium
"""Counts chains when few lines are left, else plays at once: the level `easy` as on a board of 5×5.
On smaller ones it never counts, and the levels below it find more by luck than by an idea."""

GUESSER = replace(COUNTER, tired=UniformBot())
"""The same, but it draws any line where it doesn't count. To take everything needs no idea of those
who always do, so it is as hard as to leave some."""

GAMES_PER_TASK = 200


@cache
def solver(rows: int, cols: int) -> Solver:
    """Return the solver of this process for a board."""
    return solver_for(rows, cols)


def some_move(position: Position, rng: random.Random) -> Move:
    """Return a move of a player who mostly takes what there is, and mostly gives little away."""
    takes = takeable(position)
    if takes and rng.random() < 0.9:
        return rng.choice(takes)
    if safe := neutral(position):
        return rng.choice(safe)
    gifts = sacrifices(position)
    if takes or rng.random() < 0.3:
        return rng.choice([*gifts])
    least = min(gifts.values())
    return rng.choice([move for move, boxes in gifts.items() if boxes == least])


def endings(rng: random.Random) -> Iterator[Position]:
    """Yield the last positions of a game, in any order."""
    position = Dots(*rng.choice(BOARDS), Border.NONE, 2).initial()
    found = []
    while not position.is_over:
        if FEWEST_FREE <= len(position.legal_moves()) <= MOST_FREE:
            found.append(position)
        position = position.play(some_move(position, rng))
    rng.shuffle(found)
    yield from found


def margin_after(position: Position, move: Move) -> int:
    """Return the margin to come of the seat to move if it plays `move`."""
    after = position.play(move)
    value = 0 if after.is_over else solver_at(after).solve(after.edges, moves=False).value
    moves_again = after.to_move in (position.to_move, None)
    return len(after.taken) + (value if moves_again else -value)


def solver_at(position: Position) -> Solver:
    """Return the solver for the board of `position`."""
    return solver(position.game.rows, position.game.cols)


def strict_best(position: Position) -> tuple[Move, ...]:
    """Return the best moves if they make a puzzle; none else."""
    assert position.to_move is not None
    lead = position.scores[position.to_move] - position.scores[1 - position.to_move]
    solved = solver_at(position).solve(position.edges)
    best = solved.best_moves
    if lead + solved.value <= 0 or not is_one_idea(position, best):
        return ()
    most_of_others = min(-lead, solved.value - LEAST_GAP)
    others = (move for move in position.legal_moves() if move not in best)
    return best if all(margin_after(position, each) <= most_of_others for each in others) else ()


def is_one_idea(position: Position, best: tuple[Move, ...]) -> bool:
    """Return whether `best` is one move, or lines of one chain or loop; and not all moves."""
    strings = parts_of(position).strings
    is_one = len(best) == 1 or any(set(best) <= set(string.edges) for string in strings)
    return is_one and len(best) < len(position.legal_moves())


def grade_of(position: Position, best: tuple[Move, ...], theme: Theme) -> int:
    """Return the grade by the weakest bot that finds a best move."""
    weakest = GUESSER if theme is Theme.TAKE_ALL else COUNTER
    if finds(weakest, position, best):
        return 1
    return 2 if finds(RoughBot(), position, best) else 3


def finds(bot: Person | RoughBot, position: Position, best: tuple[Move, ...]) -> bool:
    """Return whether enough moves of `bot` are among the best."""
    tries = (
        bot.choose(position, Limit(math.inf, time.monotonic), random.Random(seed))
        for seed in range(TRIES)
    )
    right = (move for move in tries if move in best)
    return len(list(islice(right, FOUND))) == FOUND


def puzzle_at(position: Position) -> Puzzle | None:
    """Return the puzzle that `position` is; None if it is none."""
    best = strict_best(position)
    theme = theme_of(position, best) if best else None
    return Puzzle(position, best, theme, grade_of(position, best, theme)) if theme else None


def puzzles_from(seed: int) -> list[str]:
    """Return puzzles of some games, at most one of each, as lines."""
    rng = random.Random(seed)
    games = (endings(rng) for _ in range(GAMES_PER_TASK))
    found = (next(filter(None, map(puzzle_at, game)), None) for game in games)
    lines = (puzzle.format() for puzzle in found if puzzle)
    return [line for line in lines if len(line) <= MOST_CHARS]


def chosen(puzzles: Iterable[Puzzle], per_theme: int) -> Iterator[Puzzle]:
    """Yield so many puzzles of each theme, no two the same when turned, the easiest first.

    They are as many of each grade and board as there can be.
    """
    different = {puzzle.position.key: puzzle for puzzle in puzzles}.values()
    for theme in Theme:
        of_theme = [puzzle for puzzle in different if puzzle.theme == theme]
        yield from sorted(evenly(of_theme)[:per_theme], key=lambda puzzle: puzzle.grade)


def evenly(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Return `puzzles` in another order: one of each grade on each board, then the next ones."""
    kinds: dict[tuple[int, int], list[Puzzle]] = {}
    for puzzle in puzzles:
        kinds.setdefault((puzzle.position.game.grid.boxes, puzzle.grade), []).append(puzzle)
    rounds = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    return [puzzle for each in rounds for puzzle in each if puzzle is not None]


def in_days(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Return `puzzles`, which stand by theme, so that each ten mix themes, the easiest first."""
    mixed = [puzzles[STRIDE * number % len(puzzles)] for number in range(len(puzzles))]
    tens = (mixed[first : first + PER_DAY] for first in range(0, len(mixed), PER_DAY))
    return [puzzle for ten in tens for puzzle in sorted(ten, key=lambda each: each.grade)]


def counts(puzzles: Iterable[Puzzle]) -> str:
    """Return how many there are of each theme and grade."""
    found = Counter((puzzle.theme, puzzle.grade) for puzzle in puzzles)
    return "\n".join(
        f"{theme:<12}{' '.join(f'{found[theme, grade]:>4}' for grade in GRADES)}" for theme in Theme
    )


def main() -> None:
    """Look for puzzles in many games, and write some of each theme."""
    parser = argparse.ArgumentParser(description="Write the puzzles of Dots and Boxes.")
    parser.add_argument("--per-theme", type=int, default=45, help="how many (default: 45)")
    parser.add_argument("--games", type=int, default=12_000, help="how many (default: 12,000)")
    parser.add_argument("--processes", type=int, default=None, help="default: one a processor")
    args = parser.parse_args()
    use_or_build(print)
    seeds = range(args.games // GAMES_PER_TASK)
    with ProcessPoolExecutor(args.processes, initializer=use_or_build, initargs=(print,)) as pool:
        found = [Puzzle.parse(line) for lines in pool.map(puzzles_from, seeds) for line in lines]
    puzzles = in_days(list(chosen(found, args.per_theme)))
    FILE.write_text("".join(f"{puzzle.format()}\n" for puzzle in puzzles), encoding="ascii")
    print(f"{len(puzzles)} of {len(found)} puzzles, by theme and grade:")
    print(counts(puzzles))


if __name__ == "__main__":
    main()
