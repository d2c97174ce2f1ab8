"""The option `--store`, which names the store of a server, and the files for TLS to etcd.

Commands that read a store have it together with `--data`.
"""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boxroom_common.exits import UsageError
from boxroom_server.cli.data_argument import add_data, database_in, folder_from
from boxroom_server.storage.etcd.address import SCHEMES, EtcdAddress, TlsFiles, parse_address
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.storage import StorageError

Store = DataFolder | EtcdAddress | None
"""The place of a server's data; None for memory."""


def add_store(
    parser: "argparse._ActionsContainer", *, meaning: str, in_subcommand: bool = False
) -> None:
    """Add `--store`, with that `meaning`, and the files for TLS to `parser`.

    `in_subcommand` is as for `add_data`.
    """
    default = argparse.SUPPRESS if in_subcommand else None
    parser.add_argument(
        "--store", default=default, metavar="URL", help=f"{meaning} (default: $BOXROOM_STORE)"
    )
    for name, text in (
        ("ca", "the certificate authorities that sign etcd's certificates (default: the system's)"),
        ("cert", "the certificate to show etcd"),
        ("key", "the key of that certificate"),
    ):
        parser.add_argument(
            f"--store-{name}",
            type=Path,
            default=default,
            metavar="FILE",
            help=f"with etcds://: {text}",
        )


def add_source(parser: argparse.ArgumentParser, *, in_subcommand: bool = False) -> None:
    """Add `--data` and `--store` for a command that reads a store; see `source_from`."""
    add_data(parser, or_backup=True, in_subcommand=in_subcommand)
    add_store(
        parser,
        meaning="instead of --data: the server's store, as boxroom serve has it: sqlite:DIR or"
        " etcd://HOST:PORT,HOST:PORT,…",
        in_subcommand=in_subcommand,
    )


def source_from(args: argparse.Namespace) -> Path | EtcdAddress:
    """Return the database or the etcd that the command line or the environment names.

    Raises:
        UsageError: it is malformed, or no other process can read it.
        Failure: there is no such database.
    """
    if args.store and args.data is not None:
        raise UsageError("--store names the store: leave out --data")
    try:
        store = store_from(args)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if store is None:
        raise UsageError("only the server itself can read its memory: --store names another store")
    return store if isinstance(store, EtcdAddress) else database_in(store)


def store_from(args: argparse.Namespace) -> Store:
    """Return the store that the command line or the environment names.

    Raises:
        ValueError: it is malformed.
    """
    if args.data is not None:
        return folder_from(args)
    text = args.store or os.environ.get("BOXROOM_STORE", "")
    return parse_store(text, args) if text else folder_from(args)


def parse_store(text: str, args: argparse.Namespace) -> Store:
    """Return the store that `text` denotes, with the files for TLS of the command line.

    Raises:
        ValueError: it is malformed.
    """
    scheme, _, place = text.partition(":")
    if text == "memory":
        return None
    if scheme == "sqlite" and place:
        return DataFolder(Path(place))
    if scheme in SCHEMES:
        return parse_address(text, TlsFiles(args.store_ca, args.store_cert, args.store_key))
    kind = f", not {scheme}:…" if place else ""  # what follows may hold a password
    raise ValueError(f"a store is sqlite:DIR, memory or etcd://HOST:PORT,…{kind}")


@contextmanager
def etcd_needed() -> Iterator[None]:
    """Import what etcd needs in the context.

    Raises:
        StorageError: it isn't installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise StorageError(
            f"{error.name} isn't installed: pip install 'boxroom[cluster]' brings it"
        ) from None
