"""Names and their owners: a name belongs to the secret that it was first claimed with."""

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import Callable

from msgspec.structs import replace

from boxroom_common.look_alikes import mistake_in_new_name
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.room.text import fold
from boxroom_engine.wire.recognition import key_of, verifier_of
from boxroom_server.clock import DAY_MS, Clock
from boxroom_server.people.looks import Looks
from boxroom_server.storage.ledger import Ledger, NameRecord

OWNERLESS = b""
"""Placeholder for a verifier: the name was released and has no new owner yet."""

MOST_LOOKED_AT = 10
"""Names that are looked at for each new one, to find those that are unused longest."""


class Names:
    """Names with the verifiers of their secrets (see `recognition`), which aren't stored.

    A secret is long and random, so fast hashes are enough. A name is free again when it was unused
    for `unused_days`, or when there are more than `most` names and it was unused longest. A name
    that `is_in_use` always stays with its owner.
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
        self.on_owner_change: list[Callable[[str], None]] = []
        """Called with each name whose owner another server has changed."""
        self._awaited: dict[str, asyncio.Event] = {}  # by key; each set when the name is known
        # By key, the one used last at the end.
        self._names: OrderedDict[str, NameRecord] = OrderedDict(
            (name.key, name) for name in ledger.names()
        )
        self._looks = Looks(name.name for name in self._names.values())
        ledger.name_changed.append(self._changed_elsewhere)

    def _changed_elsewhere(self, key: str, name: NameRecord | None) -> None:
        known = self._names.get(key)
        if known is not None:
            self._looks.discard(known.name)
        if name is None:
            self._names.pop(key, None)
        else:
            self._names[key] = name
            self._looks.add(name.name)
        if key in self._awaited:
            self._awaited[key].set()
        if known is not None and (name is None or name.digest != known.digest):
            for listener in self.on_owner_change:
                listener(known.name)

    def is_known(self, name: str) -> bool:
        """Return whether `name` is stored, with an owner or released."""
        return fold(name) in self._names

    def mistake_in_claim(self, name: str) -> tuple[str, Phrase] | None:
        """Return why `name` can't get a new owner, as the code and phrase of a refusal.

        None: it can, or it has an owner, or it is still in use since it was released.
        """
        now_ms = self._clock.now_ms()
        key = fold(name)
        stored = self._names.get(key)
        if stored is not None and not self._is_free(stored, now_ms):
            return None
        if (mistake := mistake_in_new_name(name)) is not None:
            return "bad_name", mistake
        for like in self._looks.like(name):
            other = self._names[fold(like)]
            if other.key != key and not self._is_free(other, now_ms):
                another = self._looks.another_like(name)
                said = phrase("refusal.looks_alike.known", name=name, like=like, another=another)
                return "looks_alike", said
        return None

    async def wait_for(self, name: str, most_s: float) -> None:
        """Return as soon as `name` is known, at the latest in `most_s`.

        Its owner may have come from another server, faster than that server's report.
        """
        if self.is_known(name) or not most_s:
            return
        key = fold(name)
        arrived = self._awaited.setdefault(key, asyncio.Event())
        timer = self._clock.call_later(most_s, arrived.set)
        try:
            await arrived.wait()
        finally:
            timer.cancel()
            self._awaited.pop(key, None)

    def verifier(self, name: str) -> bytes | None:
        """Return the verifier of the owner's secret; None if `name` has no owner."""
        stored = self._names.get(fold(name))
        return None if stored is None or stored.digest == OWNERLESS else stored.digest

    def spelling(self, name: str, verifier: bytes) -> str | None:
        """Return `name` in its stored spelling; None if its owner has another verifier."""
        stored = self._names.get(fold(name))
        if stored is None or not hmac.compare_digest(stored.digest, verifier):
            return None
        return stored.name

    def claim(self, name: str, secret: str) -> str | None:
        """Return the name in its stored spelling, or None if it belongs to another secret.

        The first claim binds the name to `secret`; its case doesn't matter later.
        """
        return self.claim_by_key(name, key_of(secret))

    def claim_by_key(self, name: str, secret_key: bytes) -> str | None:
        """Claim `name` with the key of a secret instead of the secret; see `claim`."""
        key = fold(name)
        now_ms = self._clock.now_ms()
        digest = verifier_of(secret_key)
        stored = self._names.get(key)
        if stored is not None and stored.digest == OWNERLESS:
            name, stored = stored.name, None
        if stored is not None and not hmac.compare_digest(stored.digest, digest):
            if not self._is_free(stored, now_ms):
                return None
            stored = None
        if stored is None:
            self._ledger.forget_games_of(key)  # of the last owner
            self._save(NameRecord(key, name, digest, now_ms))
            self._evict_unused()
            return name
        if now_ms - stored.used_ms >= DAY_MS:
            self._save(replace(stored, used_ms=now_ms))
        self._names.move_to_end(key)
        return stored.name

    def beginning_with(self, prefix: str) -> list[NameRecord]:
        """Return the names with an owner that begin with `prefix`, in any case, sorted."""
        key = fold(prefix)
        return sorted(
            (
                stored
                for stored in self._names.values()
                if stored.key.startswith(key) and stored.digest != OWNERLESS
            ),
            key=lambda stored: stored.key,
        )

    def release(self, name: str) -> str | None:
        """Take `name` from its owner; return its stored spelling, or None if it has no owner.

        A name in use keeps its spelling, so that the next owner gets its seats.
        """
        stored = self._names.get(fold(name))
        if stored is None or stored.digest == OWNERLESS:
            return None
        if self._is_in_use(stored.name):
            self._save(replace(stored, digest=OWNERLESS))
        else:
            self._delete(stored)
        return stored.name

    def _is_free(self, stored: NameRecord, now_ms: int) -> bool:
        unused_ms = now_ms - stored.used_ms
        return unused_ms >= self._unused_ms and not self._is_in_use(stored.name)

    def _save(self, name: NameRecord) -> None:
        known = self._names.get(name.key)
        if known is None or known.name != name.name:
            if known is not None:
                self._looks.discard(known.name)
            self._looks.add(name.name)
        self._names[name.key] = name
        self._ledger.save_name(name)

    def _delete(self, name: NameRecord) -> None:
        del self._names[name.key]
        self._looks.discard(name.name)
        self._ledger.delete_name(name.key)

    def _evict_unused(self) -> None:
        """Delete the names unused longest while there are more than `most`.

        A name in use was used just now, so it goes to the end. Only a few are looked at, so that a
        new name costs the same however many there are; the next one goes on.
        """
        for _ in range(min(MOST_LOOKED_AT, len(self._names) - 1)):  # not at the new name
            if len(self._names) <= self._most:
                return
            stored = next(iter(self._names.values()))
            if self._is_in_use(stored.name):
                self._names.move_to_end(stored.key)
            else:
                self._delete(stored)
