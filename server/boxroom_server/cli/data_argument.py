"""Which server a command cares for: `--data`, as the commands for that share it."""

import argparse
from pathlib import Path

from boxroom_common.exits import Failure
from boxroom_server.storage.sqlite.folder import DataFolder


def usual_folder() -> str:
    """The folder of servers that aren't told another one, as people write it."""
    path = DataFolder.usual().path
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def add_data(
    parser: argparse.ArgumentParser, *, or_backup: bool = False, again: bool = False
) -> None:
    """Add `--data` to `parser`.

    `again`: it is a part of a command that has it already, and may be given here as well.
    """
    parser.add_argument(
        "--data",
        type=Path,
        default=argparse.SUPPRESS if again else None,
        metavar="DIR",
        help=f"the server's data folder{', or a backup of it' if or_backup else ''}"
        f" (default: {usual_folder()})",
    )


def add_json(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """Add `--json` to `parser`; `again` as for `add_data`."""
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS if again else False,
        help="answer in JSON",
    )


def folder_from(args: argparse.Namespace) -> DataFolder:
    """The data folder that the command line names."""
    return DataFolder(args.data) if args.data is not None else DataFolder.usual()


def database_from(args: argparse.Namespace) -> Path:
    """The database that the command line names: a file, or the one in a folder.

    Raises:
        Failure: there is none.
    """
    folder = folder_from(args)
    if folder.path.is_file():
        return folder.path
    if not folder.path.exists():
        raise Failure(f"there is no folder {folder.path}: name the server's with --data")
    if not folder.database.exists():
        raise Failure(f"no server has kept anything in {folder.path}: name its folder with --data")
    return folder.database
