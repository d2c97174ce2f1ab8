"""Identities of the user on servers, without accounts: a name, and a random secret that owns it.

Each is in a file of the user's configuration, in a folder that only the user can read. The file has
the address of the server, and its id if the server has told one: then the secret is *bound* to that
id. An identity that a server recognised at a second address has a second file, for that address.
A file is never overwritten with another secret.

A running client holds a lock for its name on the server. So a second client on the same machine
gets `Ann 2`, while a client that was killed and is started again gets its own name and secret back,
and with them its seat.
"""

import getpass
import hashlib
import json
import os
import re
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import platformdirs

from boxroom_client.servers.address import Address
from boxroom_common.atomic_file import write_atomically
from boxroom_common.file_lock import FileLock
from boxroom_common.folders import make_folder
from boxroom_common.own_folders import own_folder
from boxroom_common.phrases import say
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.notation import shorten
from boxroom_engine.room.text import clean_name, fold, is_number

CONFIG_FOLDER_VARIABLE = "BOXROOM_CONFIG_DIR"
"""Environment variable that names another folder than the user's own."""

NAME_CHARS = 24
"""Longest name in characters, as servers allow by default."""

_MOST_CLIENTS = 1000
_MOST_SERVERS = 50  # at one address
_MOST_BYTES = 10_000
_SECRET_BYTES = 32
_FALLBACK_NAME = "player"

_NUMBERED = re.compile(r" \d+$")
"""The end of the name of a second client, which `_names_from` appends."""


class IdentityError(BoxroomError):
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
        super().__init__(say("terminal.identity.damaged", file=str(path), reason=reason))
        self.path = path


class IdentityFolderError(IdentityError):
    """The folder at `path` can't be read or written."""

    def __init__(self, path: Path, error: OSError) -> None:
        reason = error.strerror or str(error)
        super().__init__(say("terminal.identity.no_folder", folder=str(path), reason=reason))
        self.path = path


@dataclass(frozen=True, slots=True)
class Identity:
    """A name and the secret that owns it on one server."""

    name: str
    secret: str = field(repr=False)
    server_id: str | None = None
    """Id of the server, which knows the secret and never gets it again.

    None if the server has no id: it gets the secret with every hello.
    """
    is_robot: bool = False
    """True if a robot was the first to use it: it is no name of the person then."""

    @classmethod
    def make(cls, name: str, server_id: str | None = None, *, is_robot: bool = False) -> Self:
        """Return `name` with a new secret, without saving it."""
        return cls(name, secrets.token_urlsafe(_SECRET_BYTES), server_id, is_robot)


@dataclass(frozen=True, slots=True)
class SavedIdentity:
    """An identity in a file, for a server that claims the id `identity.server_id`."""

    identity: Identity
    path: Path
    is_of_address: bool
    """Whether it was used at the server's address before."""


@contextmanager
def claimed_name(
    address: Address,
    server_id: str | None,
    name: str | None = None,
    *,
    avoid: Collection[str] = (),
    is_robot: bool = False,
    config_folder: Path | None = None,
) -> Iterator["ClaimedName"]:
    """Claim a name on the server at `address` that tells `server_id`, for this process alone.

    It is `name` (default: the one that people, or robots if this `is_robot`, used there last, or
    the login name), or `name 2` and so on if
    running clients of this machine use the ones before, or if they are among the names to `avoid`,
    such as those that belong to others on the server.

    Raises:
        BadName: `name` isn't valid.
        IdentityFolderError: the folder can't be used.
    """
    avoided = {fold(taken) for taken in avoid}
    folder = (config_folder or default_config_folder()) / "identities"
    try:
        make_folder(folder)
        folder.chmod(0o700)
        if name is not None:
            first = checked_name(name)
        else:
            first = usual_name(address, config_folder, is_robot=is_robot)
        for candidate in _names_from(first):
            if fold(candidate) in avoided:
                continue
            lock = FileLock.acquire(folder / f"{_stem(address, server_id, candidate)}.lock")
            if lock is not None:
                break
        else:
            raise BadName(say("terminal.identity.all_in_use", name=first, n=_MOST_CLIENTS))
    except OSError as error:
        raise IdentityFolderError(folder, error) from error
    try:
        yield ClaimedName(folder, address, server_id, candidate, is_robot=is_robot)
    finally:
        lock.release()


@contextmanager
def another_name(
    address: Address, identity: Identity, name: str, config_folder: Path | None = None
) -> Iterator[Identity]:
    """Keep another name that the secret of `identity` owns on the server, for this process alone.

    It is the one used last there then. Where it can't be kept, it lasts as long as the process.
    """
    renamed = replace(identity, name=name)
    with ExitStack() as stack:
        with suppress(IdentityError):
            claiming = claimed_name(address, identity.server_id, name, config_folder=config_folder)
            claimed = stack.enter_context(claiming)
            if claimed.name == name:  # else another client of this machine uses it, and has it
                claimed.keep(renamed)
        yield renamed


class ClaimedName:
    """A name on one server that only this process uses, and the identities that it may have."""

    def __init__(
        self,
        folder: Path,
        address: Address,
        server_id: str | None,
        name: str,
        *,
        is_robot: bool = False,
    ) -> None:
        self.name = name
        self._is_robot = is_robot
        self._stem = _stem(address, None, name)  # of its first file
        self._folder = folder
        self._address = address
        self._server_id = server_id
        # The file that `new` has written last.
        self._new: Path | None = None

    def saved(self) -> list[SavedIdentity]:
        """Return the identities that the server may know, those of its address first.

        Raises:
            IdentityDamaged: a file of this address and name is invalid.
        """
        found = [saved for path in self._folder.glob("*.json") if (saved := self._read(path))]
        return sorted(found, key=lambda saved: (not saved.is_of_address, saved.path))

    def unbound(self) -> Identity:
        """Return the identity at an address without a server id; make and save it if need be.

        Raises:
            IdentityDamaged: the file of the identity is invalid.
            IdentityFolderError: it can't be saved.
        """
        saved = self.saved()
        return saved[0].identity if saved else self.new()

    def new(self) -> Identity:
        """Return a new identity, and save it.

        Raises:
            IdentityFolderError: it can't be saved.
        """
        identity = Identity.make(self.name, self._server_id, is_robot=self._is_robot)
        self._new = self._free_path()
        self._save(self._new, identity)
        self._delete_oldest()
        return identity

    def keep(self, identity: Identity) -> None:
        """Save an identity that the server knows at this address.

        Raises:
            IdentityDamaged: a file of this address and name is invalid.
            IdentityFolderError: it can't be saved.
        """
        known = next((saved for saved in self.saved() if saved.identity == identity), None)
        if known is None:
            self._save(self._free_path(), identity)
        else:
            self.remember(known)

    def forget_new(self) -> None:
        """Delete the new identity: the server has refused it, so it owns nothing."""
        if self._new is not None:
            with suppress(OSError):
                self._new.unlink(missing_ok=True)

    def remember(self, saved: SavedIdentity) -> Identity:
        """Save that the server knows `saved` at this address, and return the identity.

        Raises:
            IdentityFolderError: it can't be saved.
        """
        if saved.is_of_address:
            with suppress(OSError):
                os.utime(saved.path)
        else:
            self._save(self._free_path(), saved.identity)
        return saved.identity

    def _free_path(self) -> Path:
        path = self._folder / f"{self._stem}.json"
        while path.exists():
            path = path.with_name(f"{self._stem}-{secrets.token_hex(4)}.json")
        return path

    def _delete_oldest(self) -> None:
        """Delete the files of this address and name that weren't used longest, if there are many.

        A server with --memory has another id at each start.
        """
        with suppress(OSError):
            paths = sorted(self._folder.glob(f"{self._stem}*.json"), key=_used_ns)
            for path in paths[:-_MOST_SERVERS]:
                path.unlink(missing_ok=True)

    def _save(self, path: Path, identity: Identity) -> None:
        try:
            _write(path, self._address, identity)
        except OSError as error:
            raise IdentityFolderError(path.parent, error) from error

    def _read(self, path: Path) -> SavedIdentity | None:
        """Return the identity in the file at `path`; None if it can't be one of this server."""
        try:
            saved = self._parse(path)
            if saved is not None:
                _make_private(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            if not path.name.startswith(self._stem):
                return None
            reason = error.strerror if isinstance(error, OSError) else None
            raise IdentityDamaged(path, reason or str(error)) from error
        return saved

    def _parse(self, path: Path) -> SavedIdentity | None:
        """Return the identity in the file at `path`; None if it can't be one of this server.

        Raises:
            OSError: the file can't be read.
            ValueError: it isn't valid, for a reason that can follow "can't be used".
        """
        match _fields(path):
            case {"server": str(server), "name": str(name), "secret": str(secret), **others} if (
                16 <= len(secret) <= 200
            ):
                is_of_address = self._address.is_stored_as(server)
                is_of_name = fold(name) == fold(self.name)
            case _:
                raise ValueError(f"it isn't one of {self.name} on {self._address}")
        if path.stem == self._stem and not (is_of_address and is_of_name):
            raise ValueError(f"it isn't one of {self.name} on {self._address}")
        if not is_of_name:
            return None
        server_id = others.get("server_id")
        if server_id != self._server_id or (server_id is None and not is_of_address):
            return None
        identity = Identity(name, secret, server_id, _is_of_robot(others))
        return SavedIdentity(identity, path, is_of_address)


def checked_name(name: str) -> str:
    """Return `name` as servers write it.

    Raises:
        BadName: it isn't valid.
    """
    cleaned = clean_name(name, NAME_CHARS)
    if cleaned is None:
        raise BadName(say("terminal.identity.bad_name", name=repr(shorten(name)), most=NAME_CHARS))
    return cleaned


def default_config_folder() -> Path:
    """Return the user's folder for Boxroom, or the one that `BOXROOM_CONFIG_DIR` names."""
    return own_folder(CONFIG_FOLDER_VARIABLE, lambda: platformdirs.user_config_path("boxroom"))


def login_name() -> str:
    """Return the login name of the user, made valid as a name in rooms."""
    try:
        login = getpass.getuser()
    except (OSError, KeyError, ImportError):  # KeyError, ImportError: before Python 3.13
        return _FALLBACK_NAME
    name = clean_name(login[:NAME_CHARS], NAME_CHARS)
    return _FALLBACK_NAME if name is None or is_number(name) else name


def usual_name(
    address: Address,
    config_folder: Path | None = None,
    *,
    otherwise: str | None = None,
    avoid: Collection[str] = (),
    is_robot: bool = False,
) -> str:
    """Return the name of this user, or of a robot, on the server at `address` that was used last.

    If there is none that isn't among those to `avoid`, it is one like `otherwise` (default: the
    login name). The name of a second client beside another is no name that the user has chosen.
    """
    folder = (config_folder or default_config_folder()) / "identities"
    used = _used_names(address, folder, is_robot=is_robot)
    avoided = {fold(name) for name in avoid}
    own = [name for name in used if fold(name) not in avoided and not _is_second(name, used)]
    return own[0] if own else name_like(otherwise or login_name(), avoid)


def _is_second(name: str, names: Collection[str]) -> bool:
    """Return True for the name of a second client: another of `names`, with a number behind it."""
    first = _NUMBERED.sub("", name)
    return first != name and first in names


def _used_names(address: Address, folder: Path, *, is_robot: bool) -> list[str]:
    """Return the names of people, or of robots, at `address`, the one that was used last first."""
    used: dict[str, int] = {}  # times in nanoseconds
    for path in folder.glob("*.json"):
        with suppress(OSError, ValueError, KeyError, TypeError):
            fields = _fields(path)
            if address.is_stored_as(fields["server"]) and _is_of_robot(fields) is is_robot:
                name = str(fields["name"])
                used[name] = max(used.get(name, 0), _used_ns(path))
    return sorted(used, key=used.__getitem__, reverse=True)


def name_like(name: str, avoid: Collection[str]) -> str:
    """Return the first of `name`, `name 2`, `name 3` and so on that isn't one to `avoid`."""
    avoided = {fold(taken) for taken in avoid}
    return next(each for each in _names_from(name) if fold(each) not in avoided)


def _names_from(name: str) -> Iterator[str]:
    """Yield `name`, `name 2`, `name 3` and so on, none of them too long."""
    yield name
    for number in range(2, _MOST_CLIENTS + 1):
        suffix = f" {number}"
        yield name[: NAME_CHARS - len(suffix)].rstrip() + suffix


def _stem(address: Address, server_id: str | None, name: str) -> str:
    """Return the file name, without suffix, for a server and name; safe on any system.

    It is readable in front. Names that a server regards as equal have the same. A server without
    an id is known by its address, as the files of all identities are called.
    """
    key = f"{server_id or address.canonical.url}\n{fold(name)}"
    server = f"{address.host}-{address.port}" if server_id is None else "server"
    readable = re.sub(r"[^a-z0-9]+", "-", f"{server}-{fold(name)}")
    return f"{readable[:60].strip('-')}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def _is_of_robot(fields: Mapping[Any, Any]) -> bool:
    return fields.get("is_robot") is True


def _used_ns(path: Path) -> int:
    return path.stat().st_mtime_ns


def _make_private(path: Path) -> None:
    """Remove the permissions of other users, which a copied file may have.

    Raises:
        OSError: the file belongs to another user, so the identity must not be used.
    """
    mode = path.stat().st_mode
    if mode & 0o077:
        path.chmod(mode & 0o600)


def _fields(path: Path) -> Any:
    """Return the content of the file at `path`.

    Raises:
        OSError: the file can't be read.
        ValueError: it isn't JSON, or too large.
    """
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError("it is far too large")
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("it isn't JSON") from None


def _write(path: Path, address: Address, identity: Identity) -> None:
    """Write the file atomically; only its owner may read it."""
    fields: dict[str, Any] = {
        "server": address.canonical.url,
        "name": identity.name,
        "secret": identity.secret,
    }
    if identity.server_id is not None:
        fields["server_id"] = identity.server_id
    if identity.is_robot:
        fields["is_robot"] = True
    write_atomically(path, f"{json.dumps(fields, ensure_ascii=False, indent=2)}\n")
