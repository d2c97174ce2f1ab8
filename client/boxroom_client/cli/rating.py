"""`boxroom rating`: your record against each level, and your rating."""

import argparse
from collections.abc import Iterator
from typing import Any

from boxroom_client.profile.history import GameHistory
from boxroom_client.profile.rating import ClassRating, Result, ratings
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit
from boxroom_common.json_output import format_name, print_json
from boxroom_engine.bots.levels import called
from boxroom_engine.games.registry import KINDS

_BOARDS = {
    "small": "Dots and Boxes, small boards (up to 4×4)",
    "medium": "Dots and Boxes, medium boards (up to 6×6)",
    "large": "Dots and Boxes, large boards",
}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom rating",
        description="Show your record against each level, and your rating, for each game. Games "
        "of your history count in which you played one level alone, without hints and takebacks.",
        epilog="docs/reference/bots.md explains the rating. The level medium has 1000; "
        "a ? stands behind a rating that is uncertain yet.",
    )
    made.add_argument("--json", action="store_true", help="answer in JSON")
    return made


def run(args: argparse.Namespace) -> int:
    """Print the ratings, and return the exit code."""
    games = GameHistory().newest()[::-1]
    found = ratings(games)
    if args.json:
        print_json({"format": format_name("ratings", 1), "ratings": list(map(_as_dict, found))})
    elif not found:
        print("You have no rating yet: play a level, such as boxroom play --bot easy, to the end.")
    else:
        print("\n\n".join("\n".join(_lines(rating)) for rating in found))
    return Exit.DONE


def _lines(rating: ClassRating) -> Iterator[str]:
    name = rating.game_class
    yield f"{_BOARDS[name] if name in _BOARDS else KINDS[name].named}: {rating}"
    for level, results in rating.record.items():
        counts = "".join(f"{results[result]:>5} {result.value}" for result in Result)
        yield f"  {called(level):<8}{counts}"


def _as_dict(rating: ClassRating) -> dict[str, Any]:
    return {
        "class": rating.game_class,
        "rating": rating.rating,
        "uncertain": rating.is_uncertain,
        "levels": {
            level: {result.value: count for result, count in results.items()}
            for level, results in rating.record.items()
        },
    }
