"""`boxroom arena`: games of bots and robots against each other, and their ratings."""

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

from boxroom_client.cli.arguments.game import add_game_flags, given_options
from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.json_output import print_json
from boxroom_engine.bots.names import BotNameError
from boxroom_engine.bots.registry import BOTS, SOLVING_BOTS
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, GameKind
from boxroom_engine.games.registry import DEFAULT, KINDS, kind_of
from boxroom_engine.room.limits import bot_kind
from boxroom_lab.learners.named import LEARNERS, contender, contender_name
from boxroom_lab.robots.file import Player, RobotFile, RobotLoadError, names_robot

if TYPE_CHECKING:
    from boxroom_client.signals import StopSignals
    from boxroom_engine.arena.contest import Contest
    from boxroom_engine.arena.running_game import Result, VoidGame
    from boxroom_lab.arena.records import RecordFile
    from boxroom_lab.arena.run import ArenaRun

_GAMES = 100
_LIMIT_S = 0.2
_MOST_LIMIT_S = 3600.0
_MOST_GAMES = 100_000
_GRID = re.compile(r"([0-9]+)[x×]([0-9]+)", re.IGNORECASE)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = CommandParser(
        prog="boxroom arena",
        description="Let bots and robots play each other, and print their ratings.",
        epilog="docs/reference/bots.md explains the ratings and their intervals, "
        "docs/how-to/robots.md how to write a robot.",
    )
    made.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help=f"two or more of {', '.join(BOTS)}, with options as in chain:max_ply=8 if they have"
        " any, robots of yours: FILE.py or FILE.py:NAME, or models of learners:"
        f" {', '.join(LEARNERS)}; ratings are counted from the first one",
    )
    _add_game_arguments(made.add_argument_group("what is played"))
    run = made.add_argument_group("the run")
    run.add_argument(
        "--seed", type=int, metavar="S", help="the same seed, the same games (default: a new one)"
    )
    run.add_argument("--jobs", type=int, metavar="J", help="games at once (default: all cores)")
    run.add_argument("--json", action="store_true", help="print one JSON object instead")
    run.add_argument(
        "--records", type=Path, metavar="FILE", help="write every game's record to a new file"
    )
    return made


def _add_game_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--games",
        type=int,
        default=_GAMES,
        metavar="N",
        help=f"games of each pair, or of each group with --seats, rounded up so that every bot"
        f" has every seat as often (default: {_GAMES})",
    )
    group.add_argument(
        "--game",
        default=DEFAULT.name,
        choices=tuple(KINDS),
        metavar="GAME",
        help=f"one of {', '.join(KINDS)} (default: {DEFAULT.name})",
    )
    group.add_argument("--grid", metavar="ROWSxCOLS", help="the same as --rows and --cols")
    add_game_flags(group)
    group.add_argument(
        "--seats", type=int, default=2, metavar="N", help="how many play together (default: 2)"
    )
    group.add_argument(
        "--time",
        type=float,
        default=_LIMIT_S,
        metavar="SECONDS",
        help=f"the limit for a move (default: {_LIMIT_S})",
    )
    group.add_argument(
        "--opening",
        type=int,
        metavar="PLIES",
        help="random quiet moves that all games begin with (default: an eighth of the"
        " board, 12 at most)",
    )


def run(args: argparse.Namespace) -> int:
    """Play, and print the results so far, also after a signal; void games are a failure."""
    contest = contest_from(args)
    jobs = jobs_for(args.jobs, contest.total)
    if contest.game.kind.uses_kernel and SOLVING_BOTS & {*map(bot_kind, contest.bots)}:
        from boxroom_common.kernel.use import use_or_build

        use_or_build(partial(print, file=sys.stderr))
    from boxroom_client.signals import StopSignals
    from boxroom_lab.arena.run import ArenaRun

    began_s = time.monotonic()
    with StopSignals() as stop_signals, _records(args.records, contest.names) as records:
        played = list(_played(contest, jobs, stop_signals, records))
    arena_run = ArenaRun.of(contest, played, jobs, time.monotonic() - began_s)
    _print(arena_run, in_json=args.json)
    if stop_signals.exit_code is not None:
        return stop_signals.exit_code
    return Exit.FAILED if arena_run.void else Exit.DONE


def contest_from(args: argparse.Namespace) -> "Contest":
    """Return the contest for the command line.

    Raises:
        UsageError: the arguments contradict one another.
    """
    game = _game(args, kind_of(args.game))
    bots = _bots(args.bots, game)
    return contest_of(
        game,
        bots,
        games=args.games,
        opening=args.opening,
        limit_s=args.time,
        seed=args.seed,
    )


def contest_of(
    game: Game,
    bots: tuple[str, ...],
    *,
    games: int,
    opening: int | None,
    limit_s: float,
    seed: int | None,
) -> "Contest":
    """Return a contest of `bots` with the usual opening and a new seed unless they are given.

    Raises:
        UsageError: a number is out of its bounds, or there are too few bots.
    """
    from boxroom_engine.arena.contest import Contest
    from boxroom_engine.arena.openings import usual_plies

    if game.seats == 1:
        raise UsageError("a contest needs at least 2 seats: a single player has nobody to beat")
    if len(bots) < game.seats:
        raise UsageError(
            f"{game.seats} seats need as many bots, not {len(bots)}; the same one may be named"
            " several times"
        )
    if not 1 <= games <= _MOST_GAMES:
        raise UsageError(f"--games is 1 to {_MOST_GAMES:,}, not {games}")
    if not 0 < limit_s <= _MOST_LIMIT_S:
        raise UsageError(f"--time is a number of seconds above 0, up to {_MOST_LIMIT_S:g}")
    if opening is not None and not 0 <= opening <= game.longest:
        raise UsageError(f"--opening is 0 to {game.longest} on this board, not {opening}")
    plies = usual_plies(game) if opening is None else opening
    new_seed = SystemRandom().randrange(1_000_000) if seed is None else seed
    return Contest(game, bots, games, plies, limit_s, new_seed)


def _game(args: argparse.Namespace, kind: GameKind) -> Game:
    options = given_options(args, kind)
    if args.grid is not None:
        if {"rows", "cols"} & set(options):
            raise UsageError("--grid says the same as --rows and --cols: leave one of them out")
        if not {"rows", "cols"} <= {option.name for option in kind.options}:
            raise UsageError(f"{kind.named} has no --grid")
        found = _GRID.fullmatch(args.grid)
        if found is None:
            raise UsageError(f"--grid is rows, an x and columns, such as 5x5, not {args.grid!r}")
        options |= {"rows": found[1], "cols": found[2]}
    try:
        return kind.make(options, args.seats)
    except OptionError as error:
        raise UsageError(str(error)) from None


def _bots(texts: Sequence[str], game: Game) -> tuple[str, ...]:
    """Return the names of the contenders in their canonical form, after checking that they play."""
    bots = tuple(map(canonical_name, texts))
    if len(bots) < 2:
        raise UsageError(f"{bots[0]} needs an opponent: name another bot")
    for bot in dict.fromkeys(bots):
        check_player(bot, game)
    return bots


def canonical_name(text: str) -> str:
    """Return the name of a bot or of a robot in a file in its canonical form.

    Raises:
        UsageError: it is none.
    """
    if names_robot(text):
        return str(RobotFile.parse(text))
    try:
        return contender_name(text)
    except BotNameError as error:
        raise UsageError(str(error)) from None


def check_player(player: Player, game: Game) -> None:
    """Check that a bot or a robot plays `game`; a robot is loaded in a process of its own.

    Raises:
        UsageError: it doesn't, or it is no robot.
    """
    from boxroom_lab.robots.process import RobotProcess

    if isinstance(player, str) and not names_robot(player):
        if not contender(player).supports(game.kind):
            raise UsageError(f"the bot {player} doesn't play {game.kind.name}")
        return
    with RobotProcess(player, game) as process:
        try:
            process.load()
        except RobotLoadError as error:
            raise UsageError(str(error)) from None


def jobs_for(wanted: int | None, games: int) -> int:
    """Return the number of games at once: as wanted, or one for each core.

    Raises:
        UsageError: it is less than 1.
    """
    if wanted is not None and wanted < 1:
        raise UsageError(f"--jobs is 1 or more, not {wanted}")
    return min(games, _cores() if wanted is None else wanted)


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _records(path: Path | None, names: Sequence[str]) -> "Iterator[RecordFile | None]":
    from boxroom_lab.arena.records import RecordFile

    if path is None:
        yield None
        return
    try:
        with RecordFile(path, names) as records:
            yield records
    except FileExistsError:
        raise UsageError(f"{path} is there already, and stays as it is: name a new file") from None
    except OSError as error:
        raise Failure(f"can't write {path}: {error.strerror}") from None


def _played(
    contest: "Contest", jobs: int, stop_signals: "StopSignals", records: "RecordFile | None"
) -> "Iterator[Result | VoidGame]":
    from boxroom_lab.arena.progress import Progress
    from boxroom_lab.arena.run import play_games
    from boxroom_lab.arena.workers import Workers
    from boxroom_lab.robots.isolated_robot import load_arena_player

    progress = Progress(contest.total, sys.stderr)
    progress.show(0, 0)
    faults = 0
    try:
        with Workers(jobs, contest, load_arena_player) as workers:
            for done, result in enumerate(play_games(contest, workers, stop_signals.received), 1):
                if records is not None:
                    records.add(result)
                faults += len(result.faults)
                progress.show(done, faults)
                yield result.without_record()
    finally:
        progress.clear()


def _print(arena_run: "ArenaRun", *, in_json: bool) -> None:
    from boxroom_client.shell.output.painting import in_ascii
    from boxroom_common.terminals import is_ascii_only
    from boxroom_lab.arena.as_json import as_json
    from boxroom_lab.arena.report import report

    if in_json:
        print_json(as_json(arena_run))
        return
    shown = in_ascii if is_ascii_only(sys.stdout, os.environ) else str
    print("\n".join(report(arena_run, shown)))
