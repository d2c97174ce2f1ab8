"""Offers of identities in etcd, which any server of the cluster can take.

A taken offer stays until its lease ends, without its secret and with the token of the taking. So a
transaction whose answer was lost can be repeated, and the other servers hear who took it.
"""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from aetcd import rpc
from msgspec import Struct
from msgspec.structs import replace

from boxroom_engine.room.text import fold
from boxroom_server.storage.etcd.client import EtcdClient, EtcdError, until_answered
from boxroom_server.storage.etcd.feed import Table
from boxroom_server.storage.etcd.layout import (
    Layout,
    decode,
    delete,
    get,
    has_value,
    is_absent,
    put,
)
from boxroom_server.storage.offers import MOST_OFFERS, Offer
from boxroom_server.storage.room_log import CannotSave
from boxroom_server.storage.storage import StorageError

LEASE_S = 300
"""How long an offer stays, and a taken one."""

ANSWER_S = 5.0
"""How long etcd is tried."""


class _StoredOffer(Struct, frozen=True, omit_defaults=True):
    """An offer, and its taking."""

    offer: Offer
    taken_by: str = ""
    """Node and token of the taking; "" before it."""
    taken_ms: int = 0


class EtcdOffers:
    """The `Offers` of all servers, at the server `node`.

    `offers` and `codes` are the tables of offers by code, and of codes by folded name.
    """

    def __init__(
        self, client: EtcdClient, layout: Layout, offers: Table, codes: Table, *, node: str
    ) -> None:
        self.on_taken: list[Callable[[str, int], None]] = []
        """Called when an offer was taken."""
        self._client = client
        self._layout = layout
        self._offers = offers
        self._codes = codes
        self._node = node
        offers.listeners.append(self._offer_changed)

    async def add(self, code: str, offer: Offer) -> None:
        try:
            lease = await self._lease()
            place = self._layout.key("offer", code)
            request = rpc.TxnRequest(
                compare=[is_absent(place)],
                success=[
                    *(delete(self._layout.key("offer", each)) for each in self._replaced_by(offer)),
                    put(place, msgspec.json.encode(_StoredOffer(offer)), lease),
                    put(self._code_of(offer), code.encode(), lease),
                ],
            )
            await self._txn(request)
        except EtcdError as error:
            raise CannotSave(str(error)) from error

    def knows(self, code: str) -> bool:
        return code in self._offers.values

    async def take(self, code: str, now_ms: int) -> Offer | None:
        try:
            return await self._take(code, now_ms)
        except (EtcdError, StorageError) as error:
            raise CannotSave(str(error)) from error

    async def _take(self, code: str, now_ms: int) -> Offer | None:
        place = self._layout.key("offer", code)
        pair = _pair((await self._txn(rpc.TxnRequest(success=[get(place)]))).responses[0])
        if pair is None:
            return None
        stored = _decoded(code, pair.value)
        offer = stored.offer
        if stored.taken_by or offer.expires_ms <= now_ms:
            return None
        taken_by = f"{self._node} {secrets.token_hex(8)}"
        taken = _StoredOffer(replace(offer, masked=""), taken_by, now_ms)
        request = rpc.TxnRequest(
            compare=[has_value(place, pair.value), has_value(self._code_of(offer), code.encode())],
            success=[put(place, msgspec.json.encode(taken), pair.lease)],
            failure=[get(place)],
        )
        answer = await self._txn(request)
        if not answer.succeeded:  # the first time
            now = _pair(answer.responses[0])
            if now is None or _decoded(code, now.value).taken_by != taken_by:
                return None
        self._report(offer.name, now_ms)
        return offer

    def _replaced_by(self, offer: Offer) -> set[str]:
        """Return the codes of the offers, as far as is known here, that `offer` replaces."""
        former = self._codes.values.get(fold(offer.name))
        if former is not None:
            return {former.decode()}
        is_full = len(self._offers.values) >= MOST_OFFERS
        return {next(iter(self._offers.values))} if is_full else set()

    def _code_of(self, offer: Offer) -> bytes:
        """Return the key of the code of the person's last offer; only that one can be taken."""
        return self._layout.key("offer-of", fold(offer.name))

    def _offer_changed(self, code: str, value: bytes | None) -> None:
        """Report an offer that another server has given away."""
        stored = None if value is None else _decoded(code, value)
        if stored is not None and stored.taken_by.partition(" ")[0] not in ("", self._node):
            self._report(stored.offer.name, stored.taken_ms)

    def _report(self, name: str, at_ms: int) -> None:
        for listener in self.on_taken:
            listener(name, at_ms)

    async def _lease(self) -> int:
        grant = rpc.LeaseGrantRequest(TTL=LEASE_S)
        call = partial(self._client.call, lambda channel: rpc.LeaseStub(channel).LeaseGrant, grant)
        id: int = (await until_answered(call, ANSWER_S)).ID
        return id

    async def _txn(self, request: Any) -> Any:
        return await until_answered(partial(self._client.txn, request), ANSWER_S)


def _pair(response: Any) -> Any:
    """Return the key and value that a `get` has found; None if there is no such key."""
    pairs = response.response_range.kvs
    return pairs[0] if pairs else None


def _decoded(code: str, value: bytes) -> _StoredOffer:
    """Return an offer.

    Raises:
        StorageError: it is damaged.
    """
    return decode(value, _StoredOffer, f"offer/{code}")
