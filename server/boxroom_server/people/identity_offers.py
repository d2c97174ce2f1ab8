"""Offers of identities: masked secrets that wait for another device of the same person."""

import secrets

from boxroom_engine.room.decision import Refusal
from boxroom_server.clock import Clock
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.storage.offers import Offer, Offers
from boxroom_server.storage.room_log import CannotSave

OFFER_S = 300.0
"""Time for which an offer can be taken."""

_NO_SUCH_CODE = Refusal(
    "no_such_code",
    "that code was used, is older than five minutes, or never was one: make another",
)
_TOO_MANY_GUESSES = Refusal("too_fast", "too many wrong codes: try again in some minutes")


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

    async def offer(self, name: str, masked: str) -> tuple[str, int] | Refusal:
        """Return the code of a new offer, and the time in milliseconds at which it expires."""
        code = secrets.token_hex(16)
        expires_ms = self._clock.now_ms() + round(OFFER_S * 1000)
        try:
            await self._offers.add(code, Offer(name, masked, expires_ms))
        except CannotSave as error:
            return Refusal("cannot_save", f"no link can be made now: {error}")
        return code, expires_ms

    async def take(self, code: str, address: str) -> tuple[str, str] | Refusal:
        """Return the name and the masked secret of an offer, which is forgotten."""
        client = counted_as(address)
        is_counted = self._wrong_codes.take(client)
        if not is_counted and not self._offers.knows(code):
            return _TOO_MANY_GUESSES
        try:
            offer = await self._offers.take(code, self._clock.now_ms())
        except CannotSave as error:
            taken: tuple[str, str] | Refusal = Refusal(
                "cannot_save", f"that code can't be used now: {error}"
            )
        else:
            if offer is None:
                return _NO_SUCH_CODE
            taken = offer.name, offer.masked
        if is_counted:
            self._wrong_codes.refund(client)
        return taken
