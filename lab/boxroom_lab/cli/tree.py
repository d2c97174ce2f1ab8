"""`boxroom tree`: the tree of a game with values, or with equal positions merged its graph."""

import argparse
from collections.abc import Callable
from pathlib import Path

from boxroom_client.cli.arguments.settings import canvas_from
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.json_output import json_line
from boxroom_engine.games.protocol import State
from boxroom_engine.search.max_n import MaxNSearch, Scores
from boxroom_engine.stopping import SearchStopped
from boxroom_lab.cli.position import add_position, check_time, position_from
from boxroom_lab.gametree.as_svg import tree_svg
from boxroom_lab.gametree.as_text import tree_lines
from boxroom_lab.gametree.effort import stop_after
from boxroom_lab.gametree.graph import Graph, GraphTooLarge, apart, build_graph
from boxroom_lab.gametree.graph_as_dot import graph_dot
from boxroom_lab.gametree.graph_as_json import graph_as_json
from boxroom_lab.gametree.graph_as_svg import graph_svg
from boxroom_lab.gametree.graph_as_text import graph_lines

_DEFAULT_DEPTH = 2
_DEFAULT_TIME_S = 10.0
_MOST_SHOWN = 5_000
"""Limit of trees and pictures: larger ones can't be read."""

_MOST_MERGED = 50_000
"""Limit of graphs as text, which programs read; those of Dots and Boxes 2×3 and of noughts and
crosses 3×4 are smaller."""

_SVG, _DOT = ".svg", ".dot"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom tree",
        description="Show the tree of a game: every move, and its value for the player who plays it"
        " if all play perfectly afterwards: the points by which that player is ahead at the end. Of"
        " three players or more of Dots and Boxes each plays for its own boxes: they are the value."
        " With --merged every position is shown once, with all that lead to it.",
    )
    add_position(made)
    made.add_argument(
        "--merged",
        action="store_true",
        help="merge positions that differ only by a symmetry of the board or by the order of moves",
    )
    made.add_argument(
        "--depth",
        type=int,
        metavar="N",
        help=f"moves from the position on (default: {_DEFAULT_DEPTH}; with --merged all)",
    )
    made.add_argument(
        "--time",
        type=float,
        default=_DEFAULT_TIME_S,
        metavar="S",
        help="show only values that are known after S seconds (default: %(default)g)",
    )
    output = made.add_mutually_exclusive_group()
    output.add_argument(
        "--out",
        type=Path,
        metavar="F.svg|dot",
        help="write it to this file instead: as a picture, or as a graph in the language of"
        " Graphviz",
    )
    output.add_argument("--json", action="store_true", help="print one JSON object instead")
    return made


def run(args: argparse.Namespace) -> int:
    """Print the tree or the graph, or write it to a file and print its path."""
    check_time(args.time)
    if args.depth is not None and args.depth < 1:
        raise UsageError("--depth is a number of moves, at least 1")
    suffix = None if args.out is None else args.out.suffix.lower()
    if suffix not in (None, _SVG, _DOT):
        raise UsageError(f"--out ends in {_SVG} or {_DOT}, not {args.out.suffix!r}")
    shown = _shown(args, position_from(args), suffix)
    if suffix is not None:
        return _write(args.out, shown)
    print(shown)
    return Exit.DONE


def _shown(args: argparse.Namespace, state: State, suffix: str | None) -> str:
    """Return the graph as text, as JSON, or in the language of the file's suffix."""
    if not (args.merged or args.json or suffix == _DOT):
        return _tree(args, state)
    graph = _built(args, state, _MOST_SHOWN if suffix == _SVG else _MOST_MERGED)
    title = f"{state.game.kind.named}, {len(graph.nodes):,} positions"
    if args.json:
        return json_line(graph_as_json(graph, merged=args.merged)).rstrip()
    if suffix == _DOT:
        return graph_dot(graph, title)
    if suffix == _SVG:
        return graph_svg(graph, title)
    return "\n".join(map(canvas_from(args).text, graph_lines(graph)))


def _tree(args: argparse.Namespace, state: State) -> str:
    """Return the graph that merges nothing as a tree: text, or a picture if it is for a file."""
    tree = _built(args, state, _MOST_SHOWN)
    if args.out is not None:
        return tree_svg(tree, f"{state.game.kind.named}, {args.depth or _DEFAULT_DEPTH} deep")
    canvas = canvas_from(args)
    return "\n".join(map(canvas.text, tree_lines(tree, ascii_only=canvas.ascii_only)))


def _built(args: argparse.Namespace, state: State, most: int) -> Graph:
    depth = args.depth or (None if args.merged else _DEFAULT_DEPTH)
    same = (lambda each: each.key) if args.merged else apart
    try:
        return build_graph(state, depth, _scores_in(args.time), same, most_positions=most)
    except GraphTooLarge:
        raise _too_large(most, "graph" if args.merged else "tree") from None


def _too_large(most: int, what: str) -> Failure:
    return Failure(
        f"that {what} has more than {most:,} positions: take a smaller --depth, or go on in the"
        " game with --moves"
    )


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
