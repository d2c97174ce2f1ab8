"""`boxroom solve`: the value of a position, and the best moves in it."""

import argparse
import json
import time

from boxroom_client.cli.arguments.position import add_position, add_time, check_time, position_from
from boxroom_client.gametree.solve_any import solve_any
from boxroom_client.gametree.solve_dots import solve_dots
from boxroom_client.gametree.solving import SolveResult
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit
from boxroom_engine.games.dots import Position
from boxroom_engine.games.protocol import State


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom solve",
        description="Print the value of a position for the player to move, if both play perfectly,"
        " and every best move.",
    )
    add_position(made)
    add_time(made)
    made.add_argument("--json", action="store_true", help="print one JSON object")
    return made


def run(args: argparse.Namespace) -> int:
    """Solve the position that the command line describes, and print the result."""
    check_time(args.time)
    state = position_from(args)
    began_s = time.monotonic()
    answer = solve_position(state, args.time)
    seconds = time.monotonic() - began_s
    if args.json:
        print(json.dumps(_as_json(state, answer, seconds), separators=(",", ":")))
    else:
        print(*answer.sentences(), f"{answer.nodes:,} positions in {seconds:.2f} s.", sep="\n")
    return Exit.DONE


def solve_position(state: State, limit_s: float | None) -> SolveResult:
    """Solve `state` with the best solver for its game."""
    if isinstance(state, Position):
        return solve_dots(state, limit_s)
    return solve_any(state, limit_s)


def _as_json(state: State, answer: SolveResult, seconds: float) -> dict[str, object]:
    """Return the JSON object; an estimate has more fields about its basis."""
    game = state.game
    known: dict[str, object] = {
        "game": game.kind.name,
        "options": dict(game.options),
        "to_move": state.to_move,
        "exact": answer.exact,
        "value": answer.value,
        "best_moves": [game.format_move(move) for move in answer.best_moves],
        "nodes": answer.nodes,
        "seconds": round(seconds, 6),
    }
    return known if answer.exact else known | answer.bounds()
