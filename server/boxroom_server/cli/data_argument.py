"""The options `--data` and `--json`, which the commands for operators share."""

import argparse
from pathlib import Path

from boxroom_common.exits import Failure
from boxroom_server.storage.sqlite.folder import DataFolder


def default_folder() -> str:
    """Return the default data folder as people write it."""
    try:
        path = DataFolder.default().path
    except Failure:
        return "none, as this user has no home folder"
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (RuntimeError, ValueError):  # there is no home, or the folder isn't in it
        return str(path)


def add_data(
    parser: argparse.ArgumentParser, *, or_backup: bool = False, in_subcommand: bool = False
) -> None:
    """Add `--data` to `parser`.

    With `in_subcommand` the parser belongs to a subcommand whose parent has the option, too: it may
    be given in either place.
    """
    parser.add_argument(
        "--data",
        type=Path,
        default=argparse.SUPPRESS if in_subcommand else None,
        metavar="DIR",
        help=f"the server's data folder{', or a backup of it' if or_backup else ''}"
        f" (default: {default_folder()})",
    )


def add_json(parser: argparse.ArgumentParser, *, in_subcommand: bool = False) -> None:
    """Add `--json` to `parser`; `in_subcommand` as for `add_data`."""
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS if in_subcommand else False,
        help="answer in JSON",
    )


def folder_from(args: argparse.Namespace) -> DataFolder:
    """Return the data folder that the command line names.

    Raises:
        Failure: it names none, and there is no default.
    """
    return DataFolder(args.data) if args.data is not None else DataFolder.default()


def database_in(folder: DataFolder) -> Path:
    """Return the database in `folder`, which may be the database itself, such as a backup.

    Raises:
        Failure: there is none.
    """
    if folder.path.is_file():
        return folder.path
    if not folder.path.exists():
        raise Failure(f"there is no folder {folder.path}: name the server's with --data")
    if not folder.database.exists():
        raise Failure(f"no server has saved anything in {folder.path}: name its folder with --data")
    return folder.database
