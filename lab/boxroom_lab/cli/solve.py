"""`boxroom solve`: the value of a position, and the best moves in it."""

import argparse
import sys
import time
from dataclasses import replace
from functools import partial

from boxroom_client.signals import StopSignals
from boxroom_client.status_line import StatusLine
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit
from boxroom_common.json_output import format_name, player_of, print_json
from boxroom_engine.games.protocol import State
from boxroom_lab.cli.position import (
    add_limits,
    add_position,
    effort_from,
    position_from,
)
from boxroom_lab.gametree.effort import Effort
from boxroom_lab.gametree.solve import Solution, solve

_MOVES_IN_SECONDS = 31
"""Lines of 3×4 boxes, which are solved in seconds; three players may take longer."""

_MOVES_IN_MINUTES = 40
"""Lines of 4×4 boxes."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom solve",
        description="Print the value of a position for the player to move, if both play perfectly,"
        " and every best move. Of three or more, who all play for their own, it is the score of"
        " each: in Dots and Boxes the boxes from here on.",
        epilog="A large board takes hours: Dots and Boxes 3×4 takes seconds, 4×4 minutes, and of"
        " 5×5 only positions with 15 lines or more can be solved in minutes. Ctrl-C ends the search"
        " and prints what is known by then, with exit code 130.",
    )
    add_position(made)
    add_limits(made)
    made.add_argument("--json", action="store_true", help="print one JSON object")
    return made


def run(args: argparse.Namespace) -> int:
    """Solve the position that the command line describes, and print the result."""
    limits = effort_from(args)
    state = position_from(args)
    if state.game.kind.uses_kernel:
        from boxroom_common.kernel.use import use_or_build

        use_or_build(partial(print, file=sys.stderr))
    with StopSignals() as stop_signals:
        effort = replace(limits, is_interrupted=stop_signals.received, began_s=time.monotonic())
        answer = _solve_with_progress(state, effort)
    seconds = effort.elapsed_s
    if args.json:
        position = {
            "format": format_name("solution", 1),
            "game": state.game.kind.name,
            "options": dict(state.game.options),
            "to_move": state.to_move,
            "player_to_move": player_of(state.to_move),
        }
        fields = position | answer.as_json() | {"seconds": round(seconds, 6)}
        print_json(fields)
    else:
        print(*answer.sentences(), sep="\n")
        print(f"{answer.solved.nodes:,} positions in {seconds:.2f} s.")
    return Exit.DONE if stop_signals.exit_code is None else stop_signals.exit_code


def _solve_with_progress(state: State, effort: Effort) -> Solution:
    """Solve `state`; at a terminal show on stderr what to expect and what is known so far."""
    if not sys.stderr.isatty():
        return solve(state, effort)
    if expected := _expectation(state, effort):
        print(f"{expected} Ctrl-C ends the search and prints what is known.", file=sys.stderr)
    line = StatusLine(sys.stderr)
    try:
        return solve(state, replace(effort, show=line.show))
    finally:
        line.clear()


def _expectation(state: State, effort: Effort) -> str:
    """Return a sentence on how long the search may take; empty if it takes seconds."""
    if effort.limit_s is not None:
        return f"This takes {effort.limit_s:g} s at most."
    moves = state.game.longest - state.ply
    if moves <= _MOVES_IN_SECONDS:
        return ""
    if moves <= _MOVES_IN_MINUTES:
        return "This may take some minutes."
    return "This may take hours or days; with --time there is an estimate in time."
