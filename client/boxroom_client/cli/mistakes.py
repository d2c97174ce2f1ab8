"""`boxroom mistakes`: the ideas by which you lose boxes, over the games that you have kept."""

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from boxroom_client.cli.arguments.courses import add_course_flags, add_theme, show_courses
from boxroom_client.cli.arguments.settings import settings_from, speak
from boxroom_client.profile.history import GameHistory
from boxroom_client.profile.puzzle_progress import SavedProgress, today
from boxroom_common.command_parser import CommandParser, counting_number
from boxroom_common.exits import Exit, Failure
from boxroom_common.json_output import format_name, print_json
from boxroom_common.phrases import say
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.phrases import Value, phrase
from boxroom_engine.review.mistakes import MissedTheme, Trend, missed_themes
from boxroom_engine.review.puzzle import with_theme

if TYPE_CHECKING:
    from boxroom_client.shell.courses import Course
    from boxroom_client.shell.own_mistakes import ReviewedGame

_GAMES = 12


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom mistakes",
        description="See the ideas by which you lose boxes at Dots and Boxes, in the games that "
        "you have played to their end against one other player. Each game is reviewed once. With "
        "a theme, you get the very positions again, as puzzles.",
    )
    add_theme(made)
    made.add_argument(
        "--last",
        type=counting_number,
        default=_GAMES,
        metavar="N",
        help=f"the N newest games (default: {_GAMES})",
    )
    made.add_argument("--json", action="store_true", help="answer in JSON")
    add_course_flags(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Review the games that weren't, and show the mistakes in all of them, or practise a theme."""
    # Here, because it takes long to import.
    from boxroom_client.shell.own_mistakes import reviewed_games

    speak(settings_from(args))
    games, signals = reviewed_games(GameHistory(), args.last)
    if signals.exit_code is not None:
        return signals.exit_code
    if args.idea is not None:
        return _practise(games, Theme(args.idea), args)
    themes = missed_themes([game.mistakes for game in games])
    if args.json:
        print_json(_as_dict(games, themes))
    else:
        print("\n".join(_lines(len(games), themes)))
    return Exit.DONE


def _practise(games: "Sequence[ReviewedGame]", idea: Theme, args: argparse.Namespace) -> int:
    from boxroom_client.shell.puzzles import OwnCourse

    puzzles = [puzzle for game in games for puzzle in with_theme(game.puzzles(), idea)]
    if not puzzles:
        theme = phrase(f"puzzle.theme.{idea}")
        raise Failure(say("mistakes.none_of_theme", theme=theme, command=f"boxroom puzzle {idea}"))

    def courses() -> "Iterator[Course]":
        yield OwnCourse(puzzles, SavedProgress(), today(), idea)

    return show_courses(args, courses())


def _lines(games: int, themes: Sequence[MissedTheme]) -> Iterator[str]:
    if not games:
        yield say("mistakes.no_games")
        return
    yield say("mistakes.heading" if themes else "mistakes.none", n=games)
    for missed in themes:
        yield say(
            "mistakes.line",
            theme=phrase(f"puzzle.theme.{missed.theme}"),
            times=phrase("mistakes.times", n=missed.times),
            boxes=phrase("mistakes.boxes", n=round(missed.lost_boxes)),
            trend=_trend(missed.trend),
        )
    if themes:
        yield say("mistakes.practise", command=f"boxroom mistakes {themes[0].theme}")


def _trend(trend: Trend | None) -> Value:
    return "" if trend is None or trend is Trend.SAME else phrase(f"mistakes.trend.{trend.value}")


def _as_dict(games: "Sequence[ReviewedGame]", themes: Sequence[MissedTheme]) -> dict[str, Any]:
    return {
        "format": format_name("mistakes", 1),
        "games": [
            {"id": game.id, "mistakes": msgspec.to_builtins(game.mistakes)} for game in games
        ],
        "themes": msgspec.to_builtins(themes),
    }
