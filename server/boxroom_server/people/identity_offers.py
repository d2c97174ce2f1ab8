"""Offers of identities: masked secrets that wait for another device of the same person."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from boxroom_engine.room.decision import Refusal
from boxroom_engine.room.text import fold
from boxroom_server.clock import Cancellable, Clock
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter

OFFER_S = 300.0
"""Time for which an offer can be taken."""

MOST_OFFERS = 10_000
"""Offers at the same time; one more replaces the oldest."""

_NO_SUCH_CODE = Refusal(
    "no_such_code",
    "that code was used, is older than five minutes, or never was one: make another",
)
_TOO_MANY_GUESSES = Refusal("too_fast", "too many wrong codes: try again in some minutes")


@dataclass(frozen=True, slots=True)
class _Offer:
    """A secret, masked by a pad that the server doesn't know, of the person called `name`."""

    name: str
    masked: str
    expiry: Cancellable
    taken: Callable[[], None]


class IdentityOffers:
    """The offers of one server, by the code that takes them; nothing of them is stored or logged.

    An offer can be taken once, and for five minutes. A person has one, the last.
    """

    def __init__(self, wrong_code_limiter: KeyedRateLimiter, clock: Clock) -> None:
        self._wrong_codes = wrong_code_limiter  # by client (see `counted_as`)
        self._clock = clock
        self._offers: OrderedDict[str, _Offer] = OrderedDict()  # by code, the oldest first
        self._codes: dict[str, str] = {}  # by folded name

    def offer(self, name: str, masked: str, taken: Callable[[], None]) -> tuple[str, int]:
        """Return the code of a new offer, and the time in milliseconds at which it expires.

        `taken` is called when another device takes it.
        """
        former = self._codes.get(fold(name))
        if former is not None:
            self._forget(former)
        elif len(self._offers) >= MOST_OFFERS:
            self._forget(next(iter(self._offers)))
        code = secrets.token_hex(16)
        expiry = self._clock.call_later(OFFER_S, partial(self._forget, code))
        self._offers[code] = _Offer(name, masked, expiry, taken)
        self._codes[fold(name)] = code
        return code, self._clock.now_ms() + round(OFFER_S * 1000)

    def take(self, code: str, address: str) -> tuple[str, str] | Refusal:
        """Return the name and the masked secret of an offer, which is forgotten."""
        client = counted_as(address)
        if not self._wrong_codes.take(client):
            return _TOO_MANY_GUESSES
        offer = self._offers.get(code)
        if offer is None:
            return _NO_SUCH_CODE
        self._wrong_codes.refund(client)
        self._forget(code)
        offer.taken()
        return offer.name, offer.masked

    def _forget(self, code: str) -> None:
        offer = self._offers.pop(code)
        offer.expiry.cancel()
        del self._codes[fold(offer.name)]
