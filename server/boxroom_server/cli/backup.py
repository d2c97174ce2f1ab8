"""`boxroom backup`: a copy of all that a server keeps, while it runs or not."""

import argparse
from pathlib import Path

from boxroom_common.exits import Exit, Failure
from boxroom_server.cli.data_argument import add_data, database_from
from boxroom_server.cli.exit_errors import with_failures
from boxroom_server.storage.sqlite.backup import back_up
from boxroom_server.storage.sqlite.visit import visited

_COUNTS = {
    "rooms": "SELECT count(*) FROM rooms",
    "names": "SELECT count(*) FROM names",
    "finished games": "SELECT count(*) FROM games WHERE record <> ''",
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="boxroom backup",
        description="Copy all that a server keeps into one file. The server goes on meanwhile.",
        epilog="To go back to it, stop the server and put the file into a new folder as"
        " boxroom.db; then boxroom serve --data with that folder.",
    )
    made.add_argument("file", type=Path, metavar="FILE", help="the copy; there must be none yet")
    add_data(made)
    return made


@with_failures
def run(args: argparse.Namespace) -> int:
    """Make the copy. 0 then, 1 if it can't be made."""
    database = database_from(args)
    try:
        back_up(database, args.file)
    except FileExistsError:
        raise Failure(f"there is a file {args.file} already: name another one") from None
    with visited(args.file) as connection:
        counts = [
            f"{what}: {connection.execute(count).fetchone()[0]:,}"
            for what, count in _COUNTS.items()
        ]
    print(f"{args.file} is the copy; it holds {', '.join(counts)}.")
    return Exit.DONE
