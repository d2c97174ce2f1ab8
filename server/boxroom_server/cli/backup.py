"""`boxroom backup`: copy all that a server has saved, while it runs or not."""

import argparse
import asyncio
import os
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from boxroom_common.command_parser import CommandParser
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.folders import make_folder
from boxroom_server.cli.exit_errors import with_failures
from boxroom_server.cli.store_argument import add_source, etcd_needed, parse_store, source_from
from boxroom_server.storage.contents import Contents, Item, KeptGame, StoredRoom
from boxroom_server.storage.etcd.address import EtcdAddress
from boxroom_server.storage.ledger import NameRecord
from boxroom_server.storage.sqlite.backup import back_up, delete_unfinished
from boxroom_server.storage.sqlite.contents import read_contents, write_contents
from boxroom_server.storage.sqlite.external_access import open_database
from boxroom_server.storage.sqlite.folder import DataFolder

_COUNTS = {
    "rooms": "SELECT count(*) FROM rooms",
    "names": "SELECT count(*) FROM names",
    "finished games": "SELECT count(*) FROM games WHERE record <> ''",
}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        prog="boxroom backup",
        description="Copy all that a server has saved into one file, or into another store."
        " The server may run meanwhile.",
        epilog="To restore a file, stop the server, put the file into a new folder as boxroom.db,"
        " and start boxroom serve --data with that folder; or copy it into another store with"
        " boxroom backup STORE --data FILE.",
    )
    parser.add_argument(
        "target",
        metavar="FILE",
        help="the copy: a file that doesn't exist yet; sqlite:DIR for a new data folder; or"
        " etcd://HOST:PORT,HOST:PORT,… for an etcd that has no data of Boxroom",
    )
    add_source(parser)
    return parser


@with_failures
def run(args: argparse.Namespace) -> int:
    """Make the copy, and return the exit code: 0, 1 if it can't be made, 2 for wrong usage."""
    source, target = source_from(args), _target(args)
    if isinstance(target, EtcdAddress):
        counts = asyncio.run(_copy_into_etcd(source, target))
        place = f"{target}, under {target.prefix}/,"
    elif isinstance(target, DataFolder):
        counts = _copy_into_folder(source, target)
        place = str(target.path)
    else:
        counts = _copy_into_file(source, target)
        place = str(target)
    held = ", ".join(f"{what}: {counts[what]:,}" for what in _COUNTS)
    print(f"{place} is the copy; it holds {held}.")
    return Exit.DONE


def _target(args: argparse.Namespace) -> Path | DataFolder | EtcdAddress:
    """Return the place of the copy."""
    text: str = args.target
    if "://" not in text and not text.startswith("sqlite:"):
        return Path(text)
    try:
        store = parse_store(text, args)
    except ValueError as error:
        raise UsageError(str(error)) from error
    assert store is not None  # that is called "memory"
    return store


# Into SQLite


def _copy_into_folder(source: Path | EtcdAddress, folder: DataFolder) -> Mapping[str, int]:
    """Copy `source` into a new data folder.

    Raises:
        Failure: there is something in it.
    """
    with _new(folder.path):
        counts = _copy_into_file(source, folder.database)
        folder.mark_used()
    return counts


@contextmanager
def _new(folder: Path) -> Iterator[None]:
    """Make `folder` for what is done in the context, unless it is there and empty."""
    is_new = not folder.exists()
    make_folder(folder)
    delete_unfinished(folder)
    if any(folder.iterdir()):
        raise Failure(f"there is something in {folder} already: name a new folder")
    try:
        yield
    except BaseException:
        if is_new:
            with suppress(OSError):
                folder.rmdir()
        raise


def _copy_into_file(source: Path | EtcdAddress, copy: Path) -> Mapping[str, int]:
    """Copy `source` into a new file.

    Raises:
        Failure: there is such a file.
    """
    try:
        if os.path.lexists(copy):
            raise FileExistsError
        if isinstance(source, Path):
            back_up(source, copy)
        else:
            with TemporaryDirectory(prefix="boxroom-") as folder:
                database = Path(folder, "boxroom.db")
                asyncio.run(_write(database, source))
                back_up(database, copy)
    except FileExistsError:
        raise Failure(f"there is a file {copy} already: name another one") from None
    with open_database(copy) as connection:
        return {what: connection.execute(count).fetchone()[0] for what, count in _COUNTS.items()}


async def _write(database: Path, source: EtcdAddress) -> None:
    with etcd_needed():
        from boxroom_server.storage.etcd.contents import read_contents
    async with aclosing(read_contents(source)) as contents:
        await write_contents(database, contents)


# Into etcd


async def _copy_into_etcd(source: Path | EtcdAddress, target: EtcdAddress) -> Mapping[str, int]:
    """Copy `source` into an empty etcd, and return the number of what is in it."""
    with etcd_needed():
        from boxroom_server.storage.etcd import contents as etcd
    counts: Counter[str] = Counter()
    with TemporaryDirectory(prefix="boxroom-") as folder:
        if isinstance(source, Path):
            copy = Path(folder, "boxroom.db")
            back_up(source, copy)
            contents = read_contents(copy)
        else:
            contents = etcd.read_contents(source)
        async with aclosing(contents), aclosing(_counted(contents, counts)) as counted:
            await etcd.write_contents(target, counted)
    return counts


async def _counted(contents: Contents, counts: Counter[str]) -> AsyncGenerator[Item, None]:
    """Yield `contents`, and count what is in it."""
    async for item in contents:
        counts["rooms"] += isinstance(item, StoredRoom)
        counts["names"] += isinstance(item, NameRecord)
        counts["finished games"] += isinstance(item, KeptGame) and item.game.record != ""
        yield item
