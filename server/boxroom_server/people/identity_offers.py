"""Offers of identities: masked secrets that wait for another device of the same person."""

import secrets

from boxroom_engine.room.decision import refusal
from boxroom_server.clock import Clock
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.storage.offers import Offer, Offers
from boxroom_server.storage.room_log import CannotSave

OFFER_S = 300.0
"""Time for which an offer can be taken."""


class IdentityOffers:
    """The making and the taking of offers at one server; nothing of them is logged.

    An offer can be taken once, and for five minutes. A person has one, the last. After too many
    wrong codes a client is refused others, but not a right one: 128 random bits can't be guessed,
    and several people may share an address.
    """

    def __init__(self, offers: Offers, wrong_code_limiter: KeyedRateLimiter, clock: Clock) -> None:
        self._offers = offers
        self._wrong_codes = wrong_code_limiter  # by client (see `counted_as`)
        self._clock = clock

    async def offer(self, name: str, masked: str) -> tuple[str, int]:
        """Return the code of a new offer, and the time in milliseconds at which it expires."""
        code = secrets.token_hex(16)
        expires_ms = self._clock.now_ms() + round(OFFER_S * 1000)
        try:
            await self._offers.add(code, Offer(name, masked, expires_ms))
        except CannotSave as error:
            raise refusal("cannot_save.link", error=str(error)) from None
        return code, expires_ms

    async def take(self, code: str, address: str) -> tuple[str, str]:
        """Return the name and the masked secret of an offer, which is forgotten, or refuse."""
        client = counted_as(address)
        is_counted = self._wrong_codes.take(client)
        if not is_counted and not self._offers.knows(code):
            raise refusal("too_fast.codes")
        is_wrong = False
        try:
            offer = await self._offers.take(code, self._clock.now_ms())
            is_wrong = offer is None
        except CannotSave as error:
            raise refusal("cannot_save.code", error=str(error)) from None
        finally:
            if is_counted and not is_wrong:
                self._wrong_codes.refund(client)
        if offer is None:
            raise refusal("no_such_code")
        return offer.name, offer.masked
