"""`boxroom solve`: what a position is worth, and the best moves in it."""

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from boxroom_client.cli.game_argument import add_game, settings_of
from boxroom_client.exits import Exit, Failure, UsageError
from boxroom_client.shell.settings import SEATS
from boxroom_client.shell.wording import listed
from boxroom_engine.bots.thinking import Thought, think
from boxroom_engine.games.dots import Position
from boxroom_engine.games.dots.exact import SLOW_ENGINE, solver_for
from boxroom_engine.games.dots.maxn import MaxN, SolvedForAll
from boxroom_engine.games.dots.solved import Solved, Stop
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, State

_SMALL_EDGES = 31
"""The edges of 3×4 boxes. For larger boards a search is given a large table.

A table is filled here and there, so its whole memory is in use at once.
"""

_SMALL_TABLE_BYTES = 1 << 26
_LARGE_TABLE_BYTES = 1 << 30

_EXACT_PART = 0.75
"""Of a limited time, the part after which an estimate is made instead."""

_SEED = 0
"""Of the playouts of an estimate: the same question gets much the same answer."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is known for certain, and an estimate if the value isn't."""

    solved: Solved | SolvedForAll
    thought: Thought | None = None
    playouts: int = 0

    @property
    def value(self) -> float | Sequence[int] | None:
        if self.thought is not None:
            return round(self.thought.margin, 2)
        return self.solved.value if self.solved.least == self.solved.most else None

    @property
    def best_moves(self) -> tuple[Move, ...]:
        return self.solved.best_moves if self.thought is None else (self.thought.move,)


def parser() -> argparse.ArgumentParser:
    """The command line; every option of every game is a flag."""
    made = argparse.ArgumentParser(
        prog="boxroom solve",
        description="Tell what a position is worth to the player to move, both playing best, and"
        " every best move.",
    )
    options = add_game(made)
    options.add_argument(
        "--players", type=int, default=2, metavar="N", help="how many play (default: 2)"
    )
    made.add_argument(
        "--moves",
        default="",
        metavar="MOVES",
        help='what has been played, for example "h0 v3" (default: nothing)',
    )
    made.add_argument(
        "--time", type=float, metavar="S", help="answer after S seconds, by an estimate if need be"
    )
    made.add_argument("--json", action="store_true", help="print one JSON object")
    return made


def run(args: argparse.Namespace) -> int:
    """Solve the position that the command line describes, and tell what came out."""
    if args.time is not None and not args.time > 0:
        raise UsageError("--time is a number of seconds above 0")
    state = _position(args)
    if not isinstance(state, Position):
        raise Failure("only Dots and Boxes can be solved")
    if state.is_over:
        raise Failure("the game is over: there is nothing left to solve")
    began_s = time.monotonic()
    answer = _solve_for_all(state, args.time) if state.game.seats > 2 else _solve(state, args.time)
    seconds = time.monotonic() - began_s
    if args.json:
        print(json.dumps(_as_json(state, answer, seconds), separators=(",", ":")))
    else:
        print("\n".join(_in_words(state, answer, seconds)))
    return Exit.DONE


def _position(args: argparse.Namespace) -> State:
    """The position after `--moves`.

    Raises:
        UsageError: there is no such game, or it can't be played so.
    """
    settings = settings_of(args, **{SEATS.name: args.players})
    game = settings.make_game()
    state = game.initial()
    for number, text in enumerate(args.moves.split(), 1):
        try:
            state = state.play(game.parse_move(text))
        except MoveError as error:
            raise UsageError(f"move {number} of --moves can't be played: {error}") from None
    return state


def _solve_for_all(position: Position, limit_s: float | None) -> _Answer:
    game = position.game
    search = MaxN(game.rows, game.cols, game.seats, _LARGE_TABLE_BYTES)
    return _Answer(search.solve(position, stop=_stop_after(limit_s)))


def _solve(position: Position, limit_s: float | None) -> _Answer:
    """The value for two, or an estimate for which a part of the time is left."""
    game = position.game
    is_small = game.grid.edges <= _SMALL_EDGES
    solver = solver_for(
        game.rows, game.cols, _SMALL_TABLE_BYTES if is_small else _LARGE_TABLE_BYTES
    )
    exact_s = None if limit_s is None else limit_s * _EXACT_PART
    solved = solver.solve(position.edges, stop=_stop_after(exact_s))
    if limit_s is None or solved.least == solved.most:
        return _Answer(solved)
    stop = _stop_after(limit_s * (1 - _EXACT_PART))
    thoughts = think(position, stop, random.Random(_SEED), solver=solver)
    return _Answer(solved, thoughts[0], sum(thought.visits for thought in thoughts))


def _stop_after(seconds: float | None) -> Stop:
    if seconds is None:
        return lambda: False
    until_s = time.monotonic() + seconds
    return lambda: time.monotonic() >= until_s


def _as_json(position: Position, answer: _Answer, seconds: float) -> dict[str, object]:
    """One object. If it isn't exact, it also says between what bounds the value is for certain.

    Values are margins to come for two players, and lists of boxes to come, one number a seat, for
    more. One that isn't known is an estimate for two, and null for more.
    """
    game, solved = position.game, answer.solved
    known: dict[str, object] = {
        "game": game.kind.name,
        "options": dict(game.options),
        "to_move": position.to_move,
        "exact": solved.exact,
        "value": answer.value,
        "best_moves": [game.format_move(move) for move in answer.best_moves],
        "nodes": solved.nodes,
        "seconds": round(seconds, 6),
    }
    if not solved.exact:
        known |= {"least": solved.least, "most": solved.most, "playouts": answer.playouts}
    return known


def _in_words(position: Position, answer: _Answer, seconds: float) -> Iterator[str]:
    game, solved = position.game, answer.solved
    moves = [game.format_move(move) for move in answer.best_moves]
    yield _worth(position, solved)
    if solved.exact:
        many = "The best move is" if len(moves) == 1 else f"The {len(moves)} best moves are"
        yield f"{many} {listed(moves)}."
    elif answer.thought is not None:
        yield (
            f"An estimate: about {_margin(round(answer.thought.margin))}, and {listed(moves)} seems"
            f" best, after {answer.playouts:,} playouts."
        )
    elif moves:
        yield f"As good as any that was looked at: {listed(moves)}."
    yield f"{solved.nodes:,} positions in {seconds:.2f} s."
    if SLOW_ENGINE is not None and isinstance(solved, Solved):
        yield SLOW_ENGINE


def _worth(position: Position, solved: Solved | SolvedForAll) -> str:
    """What the position is worth, or what is known of it."""
    who = f"player {(position.to_move or 0) + 1}, who is to move"
    match solved:
        case Solved() if solved.least == solved.most:
            return f"{_margin(solved.value)} for {who}: boxes from here on, less the opponent's."
        case Solved(least=least, most=most):
            return (
                f"Between {_margin(least)} and {_margin(most)} for {who}:"
                " the search ended before it was known exactly."
            )
        case SolvedForAll() if solved.least == solved.most:
            shares = (
                f"{boxes} for {who if seat == position.to_move else f'player {seat + 1}'}"
                for seat, boxes in enumerate(solved.value)
            )
            return f"Boxes from here on, if all play for their own: {listed(shares)}."
        case SolvedForAll(least=least, most=most):
            return (
                f"At least {max(least)} of the {max(most)} boxes to come for {who}:"
                " the search ended before it was known exactly."
            )
        case _:
            assert_never(solved)


def _margin(value: int) -> str:
    """A margin with its sign: "+2", "0", "−3"."""
    return f"{value:+d}".replace("-", "−") if value else "0"
