"""`boxroom analyse`: the moves that lost points in a recorded game, and the reasons."""

import argparse
import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.record import add_record, record_from
from boxroom_client.cli.arguments.settings import canvas_from
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.record import Record
from boxroom_engine.room.text import clean
from boxroom_engine.wording import listed

if TYPE_CHECKING:
    from boxroom_client.analysis.analysed_game import AnalysedGame
    from boxroom_client.signals import StopSignals

_LIMIT_S = 5.0
_MOST_LIMIT_S = 3600.0
_SUFFIX = ".svg"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom analyse",
        description="Go through a recorded game of Dots and Boxes, and print which moves lost"
        " points, why, and what would have been better.",
        epilog="docs/analysis.md explains the words, and the JSON object.",
    )
    add_record(made)
    made.add_argument("--all", action="store_true", help="describe every move")
    made.add_argument(
        "--time",
        type=float,
        default=_LIMIT_S,
        metavar="S",
        help=f"seconds for each position at most; more reach further back (default: {_LIMIT_S:g})",
    )
    made.add_argument("--json", action="store_true", help="print one JSON object instead")
    made.add_argument(
        "--graph", type=Path, metavar="F.svg", help="write the graph of the margin to a file, too"
    )
    made.add_argument(
        "--ascii", action=argparse.BooleanOptionalAction, help="no characters beyond ASCII"
    )
    return made


def run(args: argparse.Namespace) -> int:
    """Analyse the game, and print the results so far, also after a signal."""
    if not 0 < args.time <= _MOST_LIMIT_S:
        raise UsageError(f"--time is a number of seconds above 0, up to {_MOST_LIMIT_S:g}")
    if args.graph is not None and args.graph.suffix.lower() != _SUFFIX:
        raise UsageError(f"--graph ends in {_SUFFIX}, not {args.graph.suffix!r}")
    from boxroom_client.signals import StopSignals

    record = record_from(args)
    game, positions = _positions(record)
    with StopSignals() as stop_signals:
        analysed = _analysed(record, game, positions, args.time, stop_signals)
    if args.graph is not None:
        _write_graph(analysed, args.graph)
    if args.json:
        from boxroom_client.analysis.as_json import as_json

        print(json.dumps(as_json(analysed), separators=(",", ":")))
    else:
        _print(analysed, args)
    return Exit.DONE if stop_signals.exit_code is None else stop_signals.exit_code


def _positions(record: Record) -> tuple[Dots, list[Position]]:
    """Return all positions of the recorded game.

    Raises:
        Failure: it isn't Dots and Boxes, or has an illegal move.
    """
    if not isinstance(record.game, Dots):
        raise Failure(
            f"only Dots and Boxes can be analysed, not {record.game.kind.title};"
            " boxroom replay shows any game"
        )
    try:
        states = list(record.positions())
    except FormatError as error:
        raise Failure(f"that isn't a game: {error}") from None
    return record.game, [state for state in states if isinstance(state, Position)]


def _analysed(
    record: Record,
    game: Dots,
    positions: Sequence[Position],
    limit_s: float,
    stop_signals: "StopSignals",
) -> "AnalysedGame":
    """Judge the game from its end, as far as the time allows; show the progress meanwhile."""
    from boxroom_client.analysis.analysed_game import AnalysedGame
    from boxroom_client.status_line import StatusLine
    from boxroom_engine.games.dots.solve.judge import TimedJudge
    from boxroom_engine.games.dots.theory.judging import Judgement, judged

    judge = TimedJudge(game, limit_s, stop_signals.received, time.monotonic)
    line = StatusLine(sys.stderr)
    last = len(positions) - 1

    def judge_with_progress(position: Position) -> Judgement | None:
        line.show(f"judging from the end: position {position.ply} of {last}")
        return judge(position)

    try:
        found = judged(positions, judge_with_progress)
    finally:
        line.clear()
    players = tuple(clean(name) or "?" for name in record.players)  # a stranger may have made it
    return AnalysedGame(game, players, found, limit_s, is_whole=not stop_signals.received())


def _title(analysed: "AnalysedGame") -> str:
    from boxroom_client.shell.room_settings import in_words
    from boxroom_engine.room.room import Settings

    game = analysed.game
    settings = Settings(game.kind.name, dict(game.options), game.seats)
    return f"{in_words(settings)}: {listed(analysed.players)}"


def _write_graph(analysed: "AnalysedGame", path: Path) -> None:
    from boxroom_client.analysis.chart_svg import chart_svg

    try:
        path.write_text(chart_svg(analysed, _title(analysed)), encoding="utf-8")
    except OSError as error:
        raise Failure(f"can't write {path}: {error.strerror}") from None


def _print(analysed: "AnalysedGame", args: argparse.Namespace) -> None:
    from boxroom_client.analysis.chart import caption, chart
    from boxroom_client.analysis.report import TextLayout, report
    from boxroom_engine.games.dots.solve.solver import SLOW_ENGINE

    canvas = canvas_from(args)
    columns = shutil.get_terminal_size().columns
    page = TextLayout(columns, canvas.ascii_only)
    glyphs = range(analysed.game.seats)
    lines = report(analysed, page, every_move=args.all)
    print(canvas.text("\n".join((_title(analysed), *lines, ""))))
    print(canvas.text(caption(analysed)))
    print(canvas.paint(chart(analysed, columns, ascii_only=canvas.ascii_only), glyphs))
    if args.graph is not None:
        print(f"\nThe graph is in {args.graph}.")
    if SLOW_ENGINE is not None:
        print(f"\n{SLOW_ENGINE}")
