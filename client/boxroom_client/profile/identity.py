"""Identities of the user on servers, without accounts: a name, and a random secret that owns it.

Each server and name has one file in the user's configuration, in a folder that only the user can
read. A running client holds a lock beside the file of its identity. So a second client on the
same machine gets `Ann 2`, while a client that was killed and is started again gets its own name
and secret back, and with them its seat.
"""

import getpass
import hashlib
import json
import os
import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import platformdirs

from boxroom_client.profile.atomic_file import write_atomically
from boxroom_client.profile.file_lock import FileLock
from boxroom_client.servers.address import Address
from boxroom_engine.room.text import clean_name, fold

CONFIG_FOLDER_VARIABLE = "BOXROOM_CONFIG_DIR"
"""Environment variable that names another folder than the user's own."""

NAME_CHARS = 24
"""Longest name in characters, as servers allow by default."""

_MOST_CLIENTS = 1000
_MOST_BYTES = 10_000
_SECRET_BYTES = 32
_FALLBACK_NAME = "player"


class IdentityError(Exception):
    """No identity can be used; `str(error)` says why and what to do.

    ::

        IdentityError
        ├── BadName             the requested name isn't valid
        ├── IdentityDamaged     the file of an identity is invalid
        └── IdentityFolderError the folder of identities can't be used
    """


class BadName(IdentityError):
    """The requested name isn't valid."""


class IdentityDamaged(IdentityError):
    """The file at `path` doesn't hold the identity that it should; it stays unchanged."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"the identity in {path} can't be used ({reason}): repair that file, or remove it "
            "and go on under another name, because the old one belongs to the lost secret"
        )
        self.path = path


class IdentityFolderError(IdentityError):
    """The folder at `path` can't be read or written."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(f"no identity can be saved in {path}: {error.strerror or error}")
        self.path = path


@dataclass(frozen=True, slots=True)
class Identity:
    """A name and the secret that owns it on one server."""

    name: str
    secret: str = field(repr=False)

    @classmethod
    def make(cls, name: str) -> Self:
        """Return `name` with a new secret, without saving it."""
        return cls(name, secrets.token_urlsafe(_SECRET_BYTES))


@contextmanager
def claimed_identity(
    address: Address,
    name: str | None = None,
    *,
    avoid: Collection[str] = (),
    config_folder: Path | None = None,
) -> Iterator[Identity]:
    """Claim an identity for the server at `address`, for this process alone.

    Its name is `name` (default: the login name), or `name 2` and so on if running clients of this
    machine use the ones before, or if they are among the names to `avoid`, such as those that
    belong to others on the server.

    Raises:
        BadName: `name` isn't valid.
        IdentityDamaged: the file of the identity is invalid.
        IdentityFolderError: the folder can't be used.
    """
    avoided = {fold(taken) for taken in avoid}
    folder = (config_folder or default_config_folder()) / "identities"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        for candidate in _names_from(checked_name(name) if name is not None else login_name()):
            if fold(candidate) in avoided:
                continue
            path = folder / _file_name(address, candidate)
            lock = FileLock.acquire(path.with_suffix(".lock"))
            if lock is not None:
                break
        else:
            raise BadName(f"{name} and {_MOST_CLIENTS} names like it are in use: take another")
    except OSError as error:
        raise IdentityFolderError(folder, error) from error
    try:
        yield _load_or_create(path, address, candidate)
    finally:
        lock.release()


def checked_name(name: str) -> str:
    """Return `name` as servers write it.

    Raises:
        BadName: it isn't valid.
    """
    cleaned = clean_name(name, NAME_CHARS)
    if cleaned is None:
        raise BadName(
            f"{name!r} can't be a name: it has 1 to {NAME_CHARS} letters, digits, spaces or _ - . '"
        )
    return cleaned


def default_config_folder() -> Path:
    """Return the user's folder for Boxroom, or the one that `BOXROOM_CONFIG_DIR` names."""
    chosen = os.environ.get(CONFIG_FOLDER_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_config_path("boxroom")


def login_name() -> str:
    """Return the login name of the user, made valid as a name in rooms."""
    try:
        login = getpass.getuser()
    except (OSError, KeyError, ImportError):  # KeyError, ImportError: before Python 3.13
        return _FALLBACK_NAME
    return clean_name(login[:NAME_CHARS], NAME_CHARS) or _FALLBACK_NAME


def _names_from(name: str) -> Iterator[str]:
    """Yield `name`, `name 2`, `name 3` and so on, none of them too long."""
    yield name
    for number in range(2, _MOST_CLIENTS + 1):
        suffix = f" {number}"
        yield name[: NAME_CHARS - len(suffix)].rstrip() + suffix


def _file_name(address: Address, name: str) -> str:
    """Return the file name for this server and name: readable in front, and safe on any system.

    Names that a server regards as equal have the same file.
    """
    key = f"{address.url}\n{fold(name)}"
    readable = re.sub(r"[^a-z0-9]+", "-", f"{address.host}-{address.port}-{fold(name)}")
    return f"{readable[:60].strip('-')}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"


def _load_or_create(path: Path, address: Address, name: str) -> Identity:
    """Return the identity in the file at `path`; without such a file, make and save a new one."""
    try:
        content = path.read_bytes()
        _make_private(path)
    except FileNotFoundError:
        identity = Identity.make(name)
        try:
            _write(path, address, identity)
        except OSError as error:
            raise IdentityFolderError(path.parent, error) from error
        return identity
    except OSError as error:
        raise IdentityDamaged(path, error.strerror or str(error)) from error
    return _read(path, content, address, name)


def _make_private(path: Path) -> None:
    """Remove the permissions of other users, which a copied file may have.

    Raises:
        OSError: the file belongs to another user, so the identity must not be used.
    """
    mode = path.stat().st_mode
    if mode & 0o077:
        path.chmod(mode & 0o600)


def _read(path: Path, content: bytes, address: Address, name: str) -> Identity:
    if len(content) > _MOST_BYTES:
        raise IdentityDamaged(path, "it is far too large")
    try:
        fields: Any = json.loads(content)
    except (ValueError, RecursionError):
        raise IdentityDamaged(path, "it isn't JSON") from None
    match fields:
        case {"server": address.url, "name": str(saved_name), "secret": str(secret)} if (
            fold(saved_name) == fold(name) and 16 <= len(secret) <= 200
        ):
            return Identity(saved_name, secret)
        case _:
            raise IdentityDamaged(path, f"it isn't one of {name} on {address}")


def _write(path: Path, address: Address, identity: Identity) -> None:
    """Write the file atomically; only its owner may read it."""
    fields = {"server": address.url, "name": identity.name, "secret": identity.secret}
    write_atomically(path, f"{json.dumps(fields, ensure_ascii=False, indent=2)}\n")
