"""`boxroom perfect`: a game in which every player plays perfectly, position by position.

Of several best moves the first one is played, so the same position always goes on in the same way.
"""

import argparse
from functools import partial

from boxroom_client.cli.arguments.settings import canvas_from
from boxroom_client.shell.output.narrate import counted
from boxroom_client.shell.output.painting import Canvas
from boxroom_client.shell.output.wording import margin
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.games.protocol import Outcome, State
from boxroom_engine.wording import listed
from boxroom_lab.cli.position import (
    add_limits,
    add_position,
    effort_from,
    position_from,
)
from boxroom_lab.gametree.solve import Solution, solve

_WIDEST = 120
"""Columns of a board; a wider one is drawn compact."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom perfect",
        description="Print a game in which every player plays perfectly, position by position."
        " After each move stands its value: of two players for the one who plays it, of more"
        " for each.",
    )
    add_position(made)
    add_limits(made)
    made.add_argument(
        "--worksheet",
        action="store_true",
        help="print the positions alone, as the noughts-and-crosses worksheet does (3,3 cells)",
    )
    return made


def run(args: argparse.Namespace) -> int:
    """Play the game from the position that the command line describes, and print it."""
    effort_from(args)
    state, canvas = position_from(args), canvas_from(args)
    print_board = _print_as_worksheet if args.worksheet else partial(_print_board, canvas)
    print_board(state)
    while state.outcome is None:
        answer = solve(state, effort_from(args))
        if not answer.best_moves:
            raise Failure("that is too little time to find any move: give it more with --time")
        if not args.worksheet:
            print(canvas.text(_move_in_words(state, answer)), end="\n\n", flush=True)
        state = state.play(answer.best_moves[0])
        print_board(state)
    print(_result(state, state.outcome))
    return Exit.DONE


def _print_board(canvas: Canvas, state: State) -> None:
    glyphs = range(state.game.seats)
    print(canvas.paint(canvas.board(state, glyphs, _WIDEST, None).rows, glyphs), end="\n\n")


def _print_as_worksheet(state: State) -> None:
    worksheet = state.game.kind.abilities.worksheet
    text = None if worksheet is None else worksheet(state)
    if text is None:
        raise UsageError("--worksheet is for noughts and crosses 3×3 with two players")
    print(text, end="\n\n", flush=True)


def _move_in_words(state: State, answer: Solution) -> str:
    assert state.to_move is not None
    move = state.game.format_move(answer.best_moves[0])
    worth = "" if answer.value is None else f": {_worth(answer.value)}"
    guess = "" if answer.exact else ", as far as could be seen in time"
    return f"{state.ply + 1}. Player {state.to_move + 1} plays {move}{worth}{guess}."


def _worth(value: float | tuple[float, ...]) -> str:
    return listed([margin(each) for each in value]) if isinstance(value, tuple) else margin(value)


def _result(state: State, outcome: Outcome) -> str:
    winners = [f"player {seat + 1}" for seat in outcome.winners]
    if not winners:
        return "Nobody wins, it is a draw."
    kind = state.game.kind
    prize = f" with {counted(outcome.scores[outcome.winners[0]], kind)}" if kind.prize else ""
    if len(winners) == 1:
        return f"{winners[0].capitalize()} wins{prize}."
    each = f"{prize} each" if prize else ""
    return f"{listed(winners).capitalize()} win together{each}."
