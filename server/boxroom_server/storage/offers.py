"""The protocol of offers of identities, and the offers of a server that has its storage alone."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from boxroom_engine.room.text import fold

MOST_OFFERS = 10_000
"""Offers at the same time; one more replaces the oldest."""


class Offer(Struct, frozen=True):
    """A secret, masked by a pad that no server knows, of the person called `name`."""

    name: str
    masked: str
    expires_ms: int
    """Time from which on it can't be taken any more."""


class Offers(Protocol):
    """Offers that wait to be taken, by codes; a person has one, the last."""

    on_taken: list[Callable[[str, int], None]]
    """Called when an offer was taken, at any server: with the person's name and the time in ms."""

    async def add(self, code: str, offer: Offer) -> None:
        """Add an offer, which replaces an earlier one of the same person.

        Raises:
            CannotSave: it can't be kept now.
        """

    def knows(self, code: str) -> bool:
        """Return whether there is an offer with that code, as far as this server has heard."""

    async def take(self, code: str, now_ms: int) -> Offer | None:
        """Return the offer with that code, to one caller only; None if there is none.

        Raises:
            CannotSave: nothing can be taken now.
        """


class MemoryOffers:
    """Offers that end with the process."""

    def __init__(self) -> None:
        self.on_taken: list[Callable[[str, int], None]] = []
        """Called when an offer was taken."""
        self._offers: OrderedDict[str, Offer] = OrderedDict()  # by code, the oldest first
        self._codes: dict[str, str] = {}  # by folded name

    async def add(self, code: str, offer: Offer) -> None:
        former = self._codes.get(fold(offer.name))
        if former is not None:
            self._remove(former)
        elif len(self._offers) >= MOST_OFFERS:
            self._remove(next(iter(self._offers)))
        self._offers[code] = offer
        self._codes[fold(offer.name)] = code

    def knows(self, code: str) -> bool:
        return code in self._offers

    async def take(self, code: str, now_ms: int) -> Offer | None:
        offer = self._remove(code) if code in self._offers else None
        if offer is None or offer.expires_ms <= now_ms:
            return None
        for listener in self.on_taken:
            listener(offer.name, now_ms)
        return offer

    def _remove(self, code: str) -> Offer:
        offer = self._offers.pop(code)
        del self._codes[fold(offer.name)]
        return offer
