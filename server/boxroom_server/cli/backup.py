"""`boxroom backup`: copy the database of a server, while it runs or not."""

import argparse
from pathlib import Path

from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure
from boxroom_server.cli.data_argument import add_data, database_from
from boxroom_server.cli.exit_errors import with_failures
from boxroom_server.storage.sqlite.backup import back_up
from boxroom_server.storage.sqlite.external_access import open_database

_COUNTS = {
    "rooms": "SELECT count(*) FROM rooms",
    "names": "SELECT count(*) FROM names",
    "finished games": "SELECT count(*) FROM games WHERE record <> ''",
}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        prog="boxroom backup",
        description="Copy all that a server has saved into one file. The server may run meanwhile.",
        epilog="To restore it, stop the server, put the file into a new folder as boxroom.db,"
        " and start boxroom serve --data with that folder.",
    )
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the copy; the file must not exist yet"
    )
    add_data(parser)
    return parser


@with_failures
def run(args: argparse.Namespace) -> int:
    """Make the copy, and return the exit code: 0, or 1 if it can't be made."""
    database = database_from(args)
    try:
        back_up(database, args.file)
    except FileExistsError:
        raise Failure(f"there is a file {args.file} already: name another one") from None
    with open_database(args.file) as connection:
        counts = [
            f"{what}: {connection.execute(count).fetchone()[0]:,}"
            for what, count in _COUNTS.items()
        ]
    print(f"{args.file} is the copy; it holds {', '.join(counts)}.")
    return Exit.DONE
