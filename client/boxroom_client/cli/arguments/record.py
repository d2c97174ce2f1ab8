"""Arguments that select a recorded game and a position in it."""

import argparse
from collections.abc import Sequence

from msgspec.structs import replace

from boxroom_client.shell.recording import UnreadableRecord, parse_record, read_records, rooms
from boxroom_common.exits import Failure, UsageError
from boxroom_engine.games.record import Record
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Room

Step = tuple[tuple[ev.Event, ...], Room]
"""Events of a move, and the room after them."""


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add the record to `parser`, and the number of the game in it."""
    parser.add_argument("record", metavar="RECORD", help="a record, a file with one, or - (stdin)")
    parser.add_argument(
        "--game", type=int, metavar="N", help="the game in line N, where there is one in each line"
    )


def add_record_with_end(parser: argparse.ArgumentParser, *, otherwise: str = "the end") -> None:
    """Add the record and `--to` to `parser`; `otherwise` is the default in the help."""
    add_record(parser)
    parser.add_argument(
        "--to",
        type=int,
        metavar="N",
        help=f"go to the position after N moves (default: {otherwise})",
    )


def record_from(args: argparse.Namespace) -> Record:
    """Read the record that the command line names.

    Raises:
        Failure: it can't be read.
        UsageError: there are several and `--game` is missing, or there is no such game.
    """
    try:
        texts = read_records(args.record)
        if args.game is None and len(texts) > 1:
            raise UsageError(f"there are {len(texts):,} games: name one, --game 1 to {len(texts)}")
        number = 1 if args.game is None else args.game
        if not 1 <= number <= len(texts):
            raise UsageError(f"--game is 1 to {len(texts)}, not {number}")
        return parse_record(texts[number - 1])
    except UnreadableRecord as error:
        raise Failure(str(error)) from None


def steps(args: argparse.Namespace) -> Sequence[Step]:
    """Return the start of the recorded game and the steps of its moves, up to `--to`.

    Raises:
        Failure: the record can't be read.
        UsageError: it hasn't that many moves.
    """
    return _steps(args, whole=False)


def all_steps(args: argparse.Namespace) -> Sequence[Step]:
    """Return all steps up to the end of the record; see `steps`."""
    return _steps(args, whole=True)


def _steps(args: argparse.Namespace, *, whole: bool) -> Sequence[Step]:
    record = record_from(args)
    last = len(record.tokens)
    if args.to is not None and not 0 <= args.to <= last:
        raise UsageError(f"--to is 0 to {last}, the number of moves in this game")
    end = last if whole or args.to is None else args.to
    try:
        # Without the histories, whose total grows with the square of the record.
        return [
            (events, replace(room, history=""))
            for _, (events, room) in zip(range(end + 1), rooms(record), strict=False)
        ]
    except UnreadableRecord as error:
        raise Failure(str(error)) from None
