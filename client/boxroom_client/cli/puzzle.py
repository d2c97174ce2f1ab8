"""`boxroom puzzle`: positions of Dots and Boxes in which one move wins."""

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from boxroom_client.cli.arguments.courses import add_course_flags, add_theme, show_courses
from boxroom_client.profile.puzzle_progress import SavedProgress, today
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit
from boxroom_common.json_output import format_name, print_json
from boxroom_common.puzzles import all_puzzles
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.review.puzzle import Puzzle, with_theme

if TYPE_CHECKING:
    from boxroom_client.shell.courses import Course


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom puzzle",
        description="Find the line that wins. Without a theme there are ten puzzles a day, the "
        "same for everybody, and then others that suit your rating. A wrong answer is played out, "
        "so that you see why.",
    )
    add_theme(made)
    made.add_argument("--list", action="store_true", help="print the puzzles, one in a line")
    made.add_argument("--json", action="store_true", help="print them in JSON")
    add_course_flags(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Ask puzzles on the full screen or in lines, or print them."""
    idea = None if args.idea is None else Theme(args.idea)
    if not args.list and not args.json:
        return show_courses(args, _course(idea))
    puzzles = all_puzzles()
    _print_puzzles(puzzles if idea is None else [*with_theme(puzzles, idea)], in_json=args.json)
    return Exit.DONE


def _course(idea: Theme | None) -> "Iterator[Course]":
    from boxroom_client.shell.puzzles import PuzzleCourse  # here, because it takes long to import

    yield PuzzleCourse(all_puzzles(), SavedProgress(), today(), idea)


def _print_puzzles(puzzles: Sequence[Puzzle], *, in_json: bool) -> None:
    if in_json:
        print_json({"format": format_name("puzzles", 1), "puzzles": list(map(_as_dict, puzzles))})
    else:
        print("\n".join(puzzle.format() for puzzle in puzzles))


def _as_dict(puzzle: Puzzle) -> dict[str, Any]:
    game = puzzle.position.game
    return {
        "game": game.kind.name,
        **game.options,
        "position": game.format_position(puzzle.position),
        "best": list(map(game.format_move, puzzle.best)),
        "theme": puzzle.theme,
        "grade": puzzle.grade,
    }
