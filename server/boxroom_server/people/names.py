"""Who is called what on this server: a name belongs to the secret that came with it first."""

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Callable

from msgspec.structs import replace

from boxroom_engine.room.text import fold
from boxroom_server.clock import Clock
from boxroom_server.storage.ledger import Ledger, NameRecord

DAY_MS = 86_400_000

OWNERLESS = b""
"""Stands for the hash of a secret where a name was released and nobody has taken it yet."""


class Names:
    """Names and hashes of their secrets; the secrets themselves are not kept.

    A secret is long and random, so a fast hash is enough. A name that nobody came with for
    `unused_days` is anybody's again. Beyond `most` names the one that was unused longest is
    free. A name that `is_in_use` stays its owner's in any case.
    """

    def __init__(
        self,
        most: int,
        unused_days: float,
        ledger: Ledger,
        clock: Clock,
        is_in_use: Callable[[str], bool],
    ) -> None:
        self._most = most
        self._unused_ms = unused_days * DAY_MS
        self._ledger = ledger
        self._clock = clock
        self._is_in_use = is_in_use
        self._names: OrderedDict[str, NameRecord] = OrderedDict(
            (name.key, name) for name in ledger.names()
        )

    def is_known(self, name: str) -> bool:
        """Whether `name` is somebody's."""
        return fold(name) in self._names

    def claim(self, name: str, secret: str) -> str | None:
        """The name as it is written here, or None if it is somebody else's.

        It belongs to `secret` from the first claim on, however its case is written later.
        """
        key = fold(name)
        now_ms = self._clock.now_ms()
        digest = hashlib.sha256(secret.encode()).digest()
        kept = self._names.get(key)
        if kept is not None and kept.digest == OWNERLESS:
            name, kept = kept.name, None
        if kept is not None and not hmac.compare_digest(kept.digest, digest):
            if not self._is_free(kept, now_ms):
                return None
            kept = None
        if kept is None:
            self._keep(NameRecord(key, name, digest, now_ms))
            self._forget_some()
            return name
        if now_ms - kept.used_ms >= DAY_MS:
            self._keep(replace(kept, used_ms=now_ms))
        self._names.move_to_end(key)
        return kept.name

    def beginning_with(self, prefix: str) -> list[NameRecord]:
        """The names with an owner that begin so, in whatever case, by the alphabet."""
        key = fold(prefix)
        return sorted(
            (
                kept
                for kept in self._names.values()
                if kept.key.startswith(key) and kept.digest != OWNERLESS
            ),
            key=lambda kept: kept.key,
        )

    def release(self, name: str) -> str | None:
        """Let `name` be anybody's again; as it was written, or None if it was nobody's.

        While it is in use it is still written so, or who comes next wouldn't have its seats.
        """
        kept = self._names.get(fold(name))
        if kept is None or kept.digest == OWNERLESS:
            return None
        if self._is_in_use(kept.name):
            self._keep(replace(kept, digest=OWNERLESS))
        else:
            self._drop(kept)
        return kept.name

    def _is_free(self, kept: NameRecord, now_ms: int) -> bool:
        unused_ms = now_ms - kept.used_ms
        return unused_ms >= self._unused_ms and not self._is_in_use(kept.name)

    def _keep(self, name: NameRecord) -> None:
        self._names[name.key] = name
        self._ledger.save_name(name)

    def _drop(self, name: NameRecord) -> None:
        del self._names[name.key]
        self._ledger.delete_name(name.key)

    def _forget_some(self) -> None:
        """Keep to `most` names, as far as that is possible."""
        excess = len(self._names) - self._most
        for kept in list(self._names.values())[:-1] if excess > 0 else ():
            if not self._is_in_use(kept.name):
                self._drop(kept)
                return
