"""What `replay` and `draw` share on the command line: a record, and how far to go in it."""

import argparse
from collections.abc import Sequence

from msgspec.structs import replace

from boxroom_client.exits import Failure, UsageError
from boxroom_client.recording import UnreadableRecord, read_record, rooms
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room

Step = tuple[tuple[ev.Event, ...], Room]


def add_record(parser: argparse.ArgumentParser, *, otherwise: str = "the end") -> None:
    """Add the record and `--to` to `parser`; `otherwise` is what is shown without `--to`."""
    parser.add_argument("record", metavar="RECORD", help="a record, a file with one, or - (stdin)")
    parser.add_argument(
        "--to",
        type=int,
        metavar="N",
        help=f"go to the position after N moves (default: {otherwise})",
    )


def steps(args: argparse.Namespace) -> Sequence[Step]:
    """The start of the recorded game and what came of each move, as far as was asked for.

    Raises:
        Failure: the record can't be read.
        UsageError: it hasn't that many moves.
    """
    return _steps(args, whole=False)


def all_steps(args: argparse.Namespace) -> Sequence[Step]:
    """The same up to the end, wherever in it somebody wants to begin; see `steps`."""
    return _steps(args, whole=True)


def _steps(args: argparse.Namespace, *, whole: bool) -> Sequence[Step]:
    try:
        record = read_record(args.record)
        last = len(record.tokens)
        if args.to is not None and not 0 <= args.to <= last:
            raise UsageError(f"--to is 0 to {last}, the number of moves in this game")
        end = last if whole or args.to is None else args.to
        # Without their histories, which together grow with the square of the record.
        return [
            (events, replace(room, history=""))
            for _, (events, room) in zip(range(end + 1), rooms(record), strict=False)
        ]
    except UnreadableRecord as error:
        raise Failure(str(error)) from None
