"""The keys of a cluster's data in etcd, and the operations on them.

    meta/version            the version of this layout
    meta/id                 the id of the cluster, as of a server
    meta/alive              the time at which a server was last here, in ms
    meta/copy               the token of a copy into here that isn't complete
    node/<node>             a server that is here, with its name; on its lease
    room/<log>              the record of a room
    code/<code>             the log of the room with that folded code
    tail/<log>              the seq of the next event
    entry/<log>/<seq>       an entry, with the token of its writer
    checkpoint/<log>        the newest checkpoint
    owner/<log>             the node that plays for bots and watches clocks; on its lease
    status/<log>            what servers that don't host the room tell of it
    name/<key>              a name
    ban/<kind>/<who>        a ban
    offer/<code>            an identity for another device, masked, or its taking; on a lease
    offer-of/<key>          the code of that person's last offer; on the same lease
    game/<id>               a finished game
    game-of/<log>/<number>  the id of that game, so that it is saved once; it outlives a game that
                            was deleted while its room exists
    game-by/<key>/<id>      a game in which the folded name took part
    game-linked/<link>      the id of the game that everybody may see who knows that link

All of them begin with the prefix of the address. Numbers have leading zeros, so that keys are in
their order. Values are JSON, but for plain numbers and names of logs and nodes.
"""

from collections.abc import Collection
from typing import Any, TypeVar

import msgspec
from aetcd import rpc

from boxroom_server.storage.storage import StorageError

VERSION = b"1"
"""Version of this layout."""

FOLDERS = sorted(
    (
        *("meta", "node", "owner", "name", "ban", "offer", "offer-of"),
        *("room", "code", "tail", "entry", "checkpoint", "status"),
        *("game", "game-of", "game-by", "game-linked"),
    ),
    key="{}/".format,
)
"""First parts of all keys, in the order of the keys."""

SEQ_DIGITS = 12
"""Digits of a seq in a key."""

GAME_DIGITS = 18
"""Digits of the id of a game in a key."""


_T = TypeVar("_T")


def decode(value: bytes, content_type: type[_T], key: str) -> _T:
    """Return the content of the value at `key`.

    Raises:
        StorageError: it is damaged.
    """
    try:
        return msgspec.json.decode(value, type=content_type)
    except (msgspec.MsgspecError, ValueError) as error:
        raise StorageError(f"the value of {key} in etcd is damaged: {error}") from error


class Layout:
    """The keys below `prefix`."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        """First part of every key."""
        self.all = f"{prefix}/".encode()
        """Beginning of every key."""

    def key(self, *parts: str | int) -> bytes:
        """Return the key of these parts: `key("room", log)`."""
        return self.all + "/".join(map(str, parts)).encode()

    def folder(self, *parts: str) -> bytes:
        """Return the beginning of all keys in a folder: `folder("entry", log)`."""
        return self.key(*parts) + b"/"

    def entry(self, log: str, seq: int) -> bytes:
        """Return the key of the entry whose first event has the number `seq`."""
        return self.key("entry", log, f"{seq:0{SEQ_DIGITS}}")

    def game(self, id: int) -> bytes:
        """Return the key of a finished game."""
        return self.key("game", f"{id:0{GAME_DIGITS}}")

    def game_by(self, key: str, id: int) -> bytes:
        """Return the key of a game in which the folded name `key` took part."""
        return self.key("game-by", key, f"{id:0{GAME_DIGITS}}")

    def spans(self, folders: Collection[str]) -> list[tuple[bytes, bytes]]:
        """Return ranges of keys, from the first until before the second, with only `folders`.

        Folders between which there is no other one share a range.
        """
        spans: list[tuple[bytes, bytes]] = []
        is_neighbour = False
        for name in FOLDERS:
            if name in folders:
                begin = spans.pop()[0] if is_neighbour else self.folder(name)
                spans.append((begin, after(self.folder(name))))
            is_neighbour = name in folders
        return spans

    def parts(self, key: bytes) -> tuple[str, str]:
        """Return the folder of a key and the rest: `("room", log)`."""
        folder, _, rest = key[len(self.all) :].decode().partition("/")
        return folder, rest


def after(beginning: bytes) -> bytes:
    """Return the first key after all that begin with `beginning`, a folder."""
    return beginning[:-1] + bytes([beginning[-1] + 1])


# Operations and comparisons of a transaction


def put(key: bytes, value: bytes, lease: int = 0) -> Any:
    """Return the operation that sets `key`."""
    return rpc.RequestOp(request_put=rpc.PutRequest(key=key, value=value, lease=lease))


def get(key: bytes, revision: int = 0) -> Any:
    """Return the operation that reads `key`, as of `revision` or now."""
    return rpc.RequestOp(request_range=rpc.RangeRequest(key=key, revision=revision))


def delete(key: bytes) -> Any:
    """Return the operation that deletes `key`."""
    return rpc.RequestOp(request_delete_range=rpc.DeleteRangeRequest(key=key))


def delete_range(begin: bytes, end: bytes) -> Any:
    """Return the operation that deletes the keys from `begin` until before `end`."""
    return rpc.RequestOp(request_delete_range=rpc.DeleteRangeRequest(key=begin, range_end=end))


def range_of(begin: bytes, end: bytes, *, limit: int = 0, revision: int = 0) -> Any:
    """Return the request for the keys from `begin` until before `end`, in order."""
    return rpc.RangeRequest(key=begin, range_end=end, limit=limit, revision=revision)


def has_value(key: bytes, value: bytes) -> Any:
    """Return the comparison that holds if `key` has `value`."""
    return rpc.Compare(
        key=key,
        target=rpc.Compare.VALUE,
        result=rpc.Compare.EQUAL,
        value=value,
    )


def is_absent(key: bytes) -> Any:
    """Return the comparison that holds if there is no `key`."""
    return rpc.Compare(
        key=key,
        target=rpc.Compare.CREATE,
        result=rpc.Compare.EQUAL,
        create_revision=0,
    )


def is_empty(folder: bytes) -> Any:
    """Return the comparison that holds if there is no key in `folder`."""
    comparison = is_absent(folder)
    comparison.range_end = after(folder)
    return comparison


def exists(key: bytes) -> Any:
    """Return the comparison that holds if there is a `key`."""
    return rpc.Compare(
        key=key,
        target=rpc.Compare.CREATE,
        result=rpc.Compare.GREATER,
        create_revision=0,
    )
