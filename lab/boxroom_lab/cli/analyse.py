"""`boxroom analyse`: the moves that lost something in a recorded game, and better ones.

Dots and Boxes is judged by its theory, with reasons; other games of two by search.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.record import add_record, record_from
from boxroom_client.cli.arguments.settings import add_flag, canvas_from
from boxroom_client.profile.config import ASCII
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.json_output import print_json
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.games.record import Record
from boxroom_engine.room.text import clean
from boxroom_engine.stopping import StopToken

if TYPE_CHECKING:
    from boxroom_client.shell.output.painting import Canvas
    from boxroom_client.signals import StopSignals
    from boxroom_engine.games.abilities import Judge, Judgement, Outlook
    from boxroom_engine.review.review import Reviewing
    from boxroom_lab.analysis.analysed_game import AnalysedGame

_LIMIT_S = 2.5
_SEARCH_LIMIT_S = 1.0
_MOST_LIMIT_S = 3600.0
_SUFFIX = ".svg"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom analyse",
        description="Go through a recorded game, and print which moves lost something, and what"
        " would have been better; in Dots and Boxes also why.",
        epilog="docs/reference/analysis.md explains the words, and the JSON object.",
    )
    add_record(made)
    made.add_argument("--all", action="store_true", help="describe every move")
    made.add_argument(
        "--time",
        type=float,
        metavar="S",
        help="seconds for each position at most; more reach further back"
        f" (default: {_LIMIT_S:g}; in other games than Dots and Boxes {_SEARCH_LIMIT_S:g})",
    )
    made.add_argument(
        "--lines",
        type=int,
        metavar="N",
        help="show best play as boards after move N, which lost something, and the better one",
    )
    made.add_argument("--json", action="store_true", help="print one JSON object instead")
    made.add_argument(
        "--graph", type=Path, metavar="F.svg", help="write the graph of the margin to a file, too"
    )
    add_flag(made, ASCII)
    return made


def run(args: argparse.Namespace) -> int:
    """Analyse the game, and print the results so far, also after a signal."""
    _check_arguments(args)
    record = record_from(args)
    _check_game(record.game, args)
    from boxroom_client.signals import StopSignals
    from boxroom_lab.analysis.analysed_game import AnalysedGame

    stop, limit_s = StopToken(), limit_of(record.game, args.time)
    judge = judge_of(record.game, limit_s, stop)
    with StopSignals() as stop_signals:
        found = _reviewed(record, judge, stop, stop_signals)
        is_whole = not stop_signals.received()
    players = tuple(clean(name) or "?" for name in record.players)  # a stranger may have made it
    findings = {each.number: each for each in found.result().findings}
    _print(AnalysedGame(record.game, players, found.judged, findings, limit_s, is_whole), args)
    return Exit.DONE if stop_signals.exit_code is None else stop_signals.exit_code


def _check_arguments(args: argparse.Namespace) -> None:
    _check_time(args.time)
    if args.graph is not None and args.graph.suffix.lower() != _SUFFIX:
        raise UsageError(f"--graph ends in {_SUFFIX}, not {args.graph.suffix!r}")


def _check_time(time_s: float | None) -> None:
    if time_s is not None and not 0 < time_s <= _MOST_LIMIT_S:
        raise UsageError(f"--time is a number of seconds above 0, up to {_MOST_LIMIT_S:g}")


def _check_game(game: Game, args: argparse.Namespace) -> None:
    """Refuse what only games with a judge have.

    Raises:
        Failure: more than two players.
        UsageError: a graph.
    """
    check_seats(game)
    if args.graph is not None and game.kind.abilities.judge is None:
        raise UsageError(f"--graph shows a lead in boxes, and {game.kind.named} has none")


def check_seats(game: Game) -> None:
    """Check that the game can be analysed: if it has no judge, only for two players.

    Raises:
        Failure: more than two players, or one.
    """
    if game.kind.abilities.judge is None and game.seats != 2:
        raise Failure(f"{game.kind.named} can be analysed for two players, not for {game.seats}")


def limit_of(game: Game, time_s: float | None) -> float:
    """Return the seconds for each position, `time_s` if it is given.

    Raises:
        UsageError: the time is out of its bounds.
    """
    _check_time(time_s)
    if time_s is not None:
        return time_s
    return _SEARCH_LIMIT_S if game.kind.abilities.judge is None else _LIMIT_S


def judge_of(game: Game, limit_s: float, stop: StopToken) -> "Judge":
    """Return the judge that the game has, else one that searches."""
    make_judge = game.kind.abilities.judge
    if make_judge is None:
        from boxroom_engine.search.judge import SearchJudge

        return SearchJudge(limit_s, stop, time.monotonic)
    if game.kind.uses_kernel:
        from boxroom_common.kernel.use import use_or_build

        use_or_build(partial(print, file=sys.stderr))
    return make_judge(game, limit_s, stop, time.monotonic)


def _reviewed(
    record: Record, judge: "Judge", stop: StopToken, stop_signals: "StopSignals"
) -> "Reviewing":
    """Review the game from its end, as far as the time allows; show the progress meanwhile."""
    from boxroom_client.signals import watched
    from boxroom_client.status_line import StatusLine
    from boxroom_engine.review.review import Reviewing

    line, positions = StatusLine(sys.stderr), tuple(record.positions())

    def show(position: State) -> None:
        line.show(f"judging from the end: position {position.ply} of {len(positions) - 1}")

    reviewing = Reviewing(positions, _ShownJudge(judge, show), record.opening)
    try:
        watched(lambda: list(reviewing.findings()), stop, stop_signals.received)
    finally:
        line.clear()
    return reviewing


class _ShownJudge:
    """A judge that calls `show` before it judges a position."""

    def __init__(self, judge: "Judge", show: Callable[[State], None]) -> None:
        self._judge = judge
        self._show = show

    def __call__(self, position: State) -> "Judgement | None":
        self._show(position)
        return self._judge(position)

    def best_moves(self, position: State) -> tuple[Move, ...]:
        return self._judge.best_moves(position)

    def outlook(self, position: State, move: Move) -> "Outlook":
        return self._judge.outlook(position, move)


def _print(analysed: "AnalysedGame", args: argparse.Namespace) -> None:
    """Print the results, as words of the game's theory or as expectations; write the graph."""
    from boxroom_lab.analysis import as_json, expectation_report, report

    if args.graph is not None:
        _write_graph(analysed, args.graph)
    if args.json:
        print_json(as_json.as_json(analysed))
        return
    canvas, columns = canvas_from(args), shutil.get_terminal_size().columns
    layout = report.TextLayout(columns, canvas.ascii_only)
    report_on = report.report if analysed.has_margin else expectation_report.report
    lines = report_on(analysed, layout, every_move=args.all)
    print(canvas.text("\n".join((analysed.title, *lines))))
    if analysed.has_margin:
        _print_chart(analysed, canvas, columns)
    if args.lines is not None:
        _print_lines(analysed, args.lines, canvas, columns)
    if args.graph is not None:
        print(f"\nThe graph is in {args.graph}.")


def _print_chart(analysed: "AnalysedGame", canvas: "Canvas", columns: int) -> None:
    from boxroom_lab.analysis.chart import caption, chart

    print()
    print(canvas.text(caption(analysed)))
    rows = chart(analysed, columns, ascii_only=canvas.ascii_only)
    print(canvas.paint(rows, range(analysed.game.seats)))


def _print_lines(analysed: "AnalysedGame", number: int, canvas: "Canvas", columns: int) -> None:
    from boxroom_lab.analysis.lines import lines_from

    if number not in analysed.findings:
        raise Failure(f"move {number} isn't among those that lost something")
    print()
    print("\n".join(lines_from(analysed, analysed.findings[number], canvas, columns)))


def _write_graph(analysed: "AnalysedGame", path: Path) -> None:
    from boxroom_lab.analysis.chart_svg import chart_svg

    try:
        path.write_text(chart_svg(analysed, analysed.title), encoding="utf-8")
    except OSError as error:
        raise Failure(f"can't write {path}: {error.strerror}") from None
