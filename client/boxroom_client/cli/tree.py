"""`boxroom tree`: the tree of a game with values, as text or as a picture."""

import argparse
from collections.abc import Callable
from pathlib import Path

from boxroom_client.cli.arguments.position import add_position, check_time, position_from
from boxroom_client.cli.arguments.settings import canvas_from
from boxroom_client.gametree.as_svg import tree_svg
from boxroom_client.gametree.as_text import tree_lines
from boxroom_client.gametree.solving import stop_after
from boxroom_client.gametree.tree import Scores, TreeTooLarge, build_tree
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.games.protocol import State
from boxroom_engine.search.max_n import MaxNSearch
from boxroom_engine.search.stopping import SearchStopped

_DEFAULT_DEPTH = 2
_DEFAULT_TIME_S = 10.0
_MOST_POSITIONS = 5000
"""Limit of the tree: larger ones can't be read."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom tree",
        description="Show the tree of a game: every move, and its value for the player who plays it"
        " if all play perfectly afterwards: the points by which that player is ahead at the end.",
    )
    add_position(made)
    made.add_argument(
        "--depth",
        type=int,
        default=_DEFAULT_DEPTH,
        metavar="N",
        help="moves from the position on (default: %(default)s)",
    )
    made.add_argument(
        "--time",
        type=float,
        default=_DEFAULT_TIME_S,
        metavar="S",
        help="show only values that are known after S seconds (default: %(default)g)",
    )
    made.add_argument("--out", type=Path, metavar="F.svg", help="draw it into this file instead")
    return made


def run(args: argparse.Namespace) -> int:
    """Print the tree, or write the picture and print its path."""
    check_time(args.time)
    if args.depth < 1:
        raise UsageError("--depth is a number of moves, at least 1")
    if args.out is not None and args.out.suffix.lower() != ".svg":
        raise UsageError(f"--out ends in .svg, not {args.out.suffix!r}")
    state = position_from(args)
    try:
        tree = build_tree(state, args.depth, _scores_in(args.time), most_positions=_MOST_POSITIONS)
    except TreeTooLarge:
        raise Failure(
            f"that tree has more than {_MOST_POSITIONS:,} positions: take a smaller --depth, or go"
            " on in the game with --moves"
        ) from None
    if args.out is not None:
        return _write(args.out, tree_svg(tree, f"{state.game.kind.title}, {args.depth} deep"))
    canvas = canvas_from(args)
    for line in tree_lines(tree, ascii_only=canvas.ascii_only):
        print(canvas.text(line))
    return Exit.DONE


def _scores_in(limit_s: float) -> Callable[[State], Scores | None]:
    """Return a function that gives the final score of each seat, or None if time is up."""
    search = MaxNSearch(stop_after(limit_s))

    def scores(state: State) -> Scores | None:
        try:
            return search.scores(state)  # it remembers, so below the root this takes no time
        except (SearchStopped, RecursionError):
            return None

    return scores


def _write(path: Path, picture: str) -> int:
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise Failure(f"can't write {path}: {error.strerror}") from None
    print(path)
    return Exit.DONE
