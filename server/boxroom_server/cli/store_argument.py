"""The option `--store`, which names the store of a server, and the files for TLS to etcd."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boxroom_server.cli.data_argument import folder_from
from boxroom_server.storage.etcd.address import SCHEMES, EtcdAddress, TlsFiles, parse_address
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.storage import StorageError

Store = DataFolder | EtcdAddress | None
"""The place of a server's data; None for memory."""


def add_store(parser: "argparse._ActionsContainer", *, meaning: str) -> None:
    """Add `--store`, with that `meaning`, and the files for TLS to `parser`."""
    parser.add_argument("--store", metavar="URL", help=f"{meaning} (default: $BOXROOM_STORE)")
    for name, text in (
        ("ca", "the certificate authorities that sign etcd's certificates (default: the system's)"),
        ("cert", "the certificate to show etcd"),
        ("key", "the key of that certificate"),
    ):
        parser.add_argument(
            f"--store-{name}", type=Path, metavar="FILE", help=f"with etcds://: {text}"
        )


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
    raise ValueError(f"a store is sqlite:DIR, memory or etcd://HOST:PORT,…, not {text!r}")


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
