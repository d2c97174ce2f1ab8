"""`boxroom puzzle`: positions of Dots and Boxes in which one move wins."""

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from boxroom_client.cli.arguments.settings import add_display_flags
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
    made.add_argument(
        "idea",  # a theme is also the look of the screen
        nargs="?",
        choices=[theme.value for theme in Theme],
        help=f"practise one idea: {', '.join(Theme)}",
        metavar="THEME",
    )
    made.add_argument("--list", action="store_true", help="print the puzzles, one in a line")
    made.add_argument("--json", action="store_true", help="print them in JSON")
    made.add_argument("--plain", action="store_true", help="line mode, also in a terminal")
    add_display_flags(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Ask puzzles on the full screen or in lines, or print them."""
    if args.list or args.json:
        _print_puzzles(_of_theme(args.idea), in_json=args.json)
        return Exit.DONE
    # Here, because these take long to import, and lists don't need them.
    from boxroom_client.cli.arguments.courses import show_courses

    idea = None if args.idea is None else Theme(args.idea)
    return show_courses(args, _course(idea))


def _course(idea: Theme | None) -> "Iterator[Course]":
    from boxroom_client.shell.puzzles import PuzzleCourse

    saved = SavedProgress()
    yield PuzzleCourse(all_puzzles(), saved.load(), saved.save, today(), idea)


def _of_theme(theme: Theme | None) -> Sequence[Puzzle]:
    puzzles = all_puzzles()
    return puzzles if theme is None else tuple(with_theme(puzzles, theme))


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
