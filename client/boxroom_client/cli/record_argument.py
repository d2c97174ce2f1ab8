"""What `replay` and `draw` share on the command line: a record, and how far to go in it."""

import argparse
from collections.abc import Sequence

from boxroom_client.exits import Failure, UsageError
from boxroom_client.recording import UnreadableRecord, read_record, rooms
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room

Step = tuple[tuple[ev.Event, ...], Room]


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add the record and `--to` to `parser`."""
    parser.add_argument("record", metavar="RECORD", help="a record, a file with one, or - (stdin)")
    parser.add_argument(
        "--to", type=int, metavar="N", help="go to the position after N moves (default: the end)"
    )


def steps(args: argparse.Namespace) -> Sequence[Step]:
    """The start of the recorded game and what came of each move, as far as was asked for.

    Raises:
        Failure: the record can't be read.
        UsageError: it hasn't that many moves.
    """
    try:
        record = read_record(args.record)
        last = len(record.tokens)
        if args.to is not None and not 0 <= args.to <= last:
            raise UsageError(f"--to is 0 to {last}, the number of moves in this game")
        end = last if args.to is None else args.to
        return [step for _, step in zip(range(end + 1), rooms(record), strict=False)]
    except UnreadableRecord as error:
        raise Failure(str(error)) from None
