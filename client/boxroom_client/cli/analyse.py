"""`boxroom analyse`: the moves that lost something in a recorded game, and better ones.

Dots and Boxes is judged by its theory, with reasons; other games of two by search.
"""

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from boxroom_client.cli.arguments.record import add_record, record_from
from boxroom_client.cli.arguments.settings import canvas_from
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.protocol import Game, State
from boxroom_engine.games.record import Record
from boxroom_engine.room.text import clean
from boxroom_engine.wording import listed

if TYPE_CHECKING:
    from boxroom_client.analysis.analysed_game import AnalysedGame
    from boxroom_client.signals import StopSignals

_LIMIT_S = 5.0
_SEARCH_LIMIT_S = 1.0
_MOST_LIMIT_S = 3600.0
_SUFFIX = ".svg"

_Position = TypeVar("_Position", bound=State)
_Judgement = TypeVar("_Judgement")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom analyse",
        description="Go through a recorded game, and print which moves lost something, and what"
        " would have been better; in Dots and Boxes also why.",
        epilog="docs/analysis.md explains the words, and the JSON object.",
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
    if args.time is not None and not 0 < args.time <= _MOST_LIMIT_S:
        raise UsageError(f"--time is a number of seconds above 0, up to {_MOST_LIMIT_S:g}")
    if args.graph is not None and args.graph.suffix.lower() != _SUFFIX:
        raise UsageError(f"--graph ends in {_SUFFIX}, not {args.graph.suffix!r}")
    from boxroom_client.signals import StopSignals

    record = record_from(args)
    if not isinstance(record.game, Dots):
        return _run_by_search(record, args)
    from boxroom_common.kernel.use import use_or_build

    use_or_build(partial(print, file=sys.stderr))
    positions = [state for state in record.positions() if isinstance(state, Position)]
    limit_s = _LIMIT_S if args.time is None else args.time
    with StopSignals() as stop_signals:
        analysed = _analysed(record, record.game, positions, limit_s, stop_signals)
    if args.graph is not None:
        _write_graph(analysed, args.graph)
    if args.json:
        from boxroom_client.analysis.as_json import as_json

        print(json.dumps(as_json(analysed), separators=(",", ":")))
    else:
        _print(analysed, args)
    return Exit.DONE if stop_signals.exit_code is None else stop_signals.exit_code


def _run_by_search(record: Record, args: argparse.Namespace) -> int:
    """Analyse a game of two in which only the win counts, and print the results so far."""
    from boxroom_client.analysis import expectation_report
    from boxroom_client.analysis.expectation import Searcher, searched_moves
    from boxroom_client.analysis.report import TextLayout
    from boxroom_client.signals import StopSignals

    _check_for_search(record, args)
    states, players = list(record.positions()), _names(record)
    limit_s = _SEARCH_LIMIT_S if args.time is None else args.time
    with StopSignals() as stop_signals:
        searcher = Searcher(limit_s, stop_signals.received)
        with _with_progress(searcher, len(states) - 1) as search:
            moves = searched_moves(states, search)
        is_whole = not stop_signals.received()
    last = states[-1]
    if args.json:
        found = expectation_report.as_json(players, last, moves, limit_s=limit_s, is_whole=is_whole)
        print(json.dumps(found, separators=(",", ":")))
    else:
        canvas = canvas_from(args)
        layout = TextLayout(shutil.get_terminal_size().columns, canvas.ascii_only)
        lines = expectation_report.report(
            players, last, moves, layout, limit_s=limit_s, every_move=args.all
        )
        print(canvas.text("\n".join((_title(record.game, players), *lines))))
    return Exit.DONE if stop_signals.exit_code is None else stop_signals.exit_code


def _check_for_search(record: Record, args: argparse.Namespace) -> None:
    """Refuse what only Dots and Boxes has.

    Raises:
        Failure: more than two players.
        UsageError: a graph.
    """
    title = record.game.kind.title
    if record.game.seats != 2:
        raise Failure(f"{title} can be analysed for two players, not for {record.game.seats}")
    if args.graph is not None:
        raise UsageError(f"--graph shows a lead in boxes, and {title} has none")


def _names(record: Record) -> tuple[str, ...]:
    return tuple(clean(name) or "?" for name in record.players)  # a stranger may have made it


@contextmanager
def _with_progress(
    judge: Callable[[_Position], _Judgement], last: int
) -> Iterator[Callable[[_Position], _Judgement]]:
    """Yield `judge`, which shows which position it judges while the context lasts."""
    from boxroom_client.status_line import StatusLine

    line = StatusLine(sys.stderr)

    def judge_with_progress(position: _Position) -> _Judgement:
        line.show(f"judging from the end: position {position.ply} of {last}")
        return judge(position)

    try:
        yield judge_with_progress
    finally:
        line.clear()


def _analysed(
    record: Record,
    game: Dots,
    positions: Sequence[Position],
    limit_s: float,
    stop_signals: "StopSignals",
) -> "AnalysedGame":
    """Judge the game from its end, as far as the time allows; show the progress meanwhile."""
    from boxroom_client.analysis.analysed_game import AnalysedGame
    from boxroom_client.signals import watched
    from boxroom_engine.games.dots.solve.judge import TimedJudge
    from boxroom_engine.games.dots.theory.judging import judged
    from boxroom_engine.stopping import StopToken

    stop = StopToken()
    timed_judge = TimedJudge(game, limit_s, stop, time.monotonic)
    with _with_progress(timed_judge, len(positions) - 1) as judge:
        found = watched(lambda: judged(positions, judge), stop, stop_signals.received)
    players, is_whole = _names(record), not stop_signals.received()
    return AnalysedGame(game, players, found, limit_s, is_whole=is_whole)


def _title(game: Game, players: Sequence[str]) -> str:
    from boxroom_client.shell.room_settings import in_words
    from boxroom_engine.room.room import Settings

    settings = Settings(game.kind.name, dict(game.options), game.seats)
    return f"{in_words(settings)}: {listed(players)}"


def _write_graph(analysed: "AnalysedGame", path: Path) -> None:
    from boxroom_client.analysis.chart_svg import chart_svg

    try:
        path.write_text(
            chart_svg(analysed, _title(analysed.game, analysed.players)), encoding="utf-8"
        )
    except OSError as error:
        raise Failure(f"can't write {path}: {error.strerror}") from None


def _print(analysed: "AnalysedGame", args: argparse.Namespace) -> None:
    from boxroom_client.analysis.chart import caption, chart
    from boxroom_client.analysis.report import TextLayout, report

    canvas = canvas_from(args)
    columns = shutil.get_terminal_size().columns
    page = TextLayout(columns, canvas.ascii_only)
    glyphs = range(analysed.game.seats)
    lines = report(analysed, page, every_move=args.all)
    print(canvas.text("\n".join((_title(analysed.game, analysed.players), *lines, ""))))
    print(canvas.text(caption(analysed)))
    print(canvas.paint(chart(analysed, columns, ascii_only=canvas.ascii_only), glyphs))
    if args.graph is not None:
        print(f"\nThe graph is in {args.graph}.")
