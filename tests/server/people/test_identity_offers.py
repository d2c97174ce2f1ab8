"""Identities on their way to another device: once, for five minutes, one for each person."""

import re

import pytest
from tests.server.manual_clock import ManualClock

from boxroom_engine.room.decision import CommandRefused
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.people.identity_offers import OFFER_S, IdentityOffers
from boxroom_server.storage import offers as offers_module
from boxroom_server.storage.offers import MemoryOffers

ONE_LOOP = True
HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"


class Offers:
    """Offers with a clock of their own, and the names of those that were taken."""

    def __init__(self, guesses: int = 1000) -> None:
        self.clock = ManualClock()
        limiter = KeyedRateLimiter(0.1, guesses, lambda: self.clock.now_ms() / 1000)
        kept = MemoryOffers()
        self.all = IdentityOffers(kept, limiter, self.clock)
        self.taken: list[str] = []
        kept.on_taken.append(lambda name, at_ms: self.taken.append(name))

    async def offer(self, name: str, masked: str = "masked") -> str:
        code, expires_ms = await self.all.offer(name, masked)
        assert expires_ms == self.clock.now_ms() + 300_000
        return code

    async def take(self, code: str, address: str = HOME) -> tuple[str, str] | str:
        """Return name and masked secret, or the code of a refusal."""
        try:
            return await self.all.take(code, address)
        except CommandRefused as refused:
            return refused.code


@pytest.fixture
def offers() -> Offers:
    return Offers()


async def test_an_offer_is_taken_once(offers: Offers) -> None:
    code = await offers.offer("Ada", "masked secret of Ada")
    assert offers.taken == []
    assert await offers.take(code) == ("Ada", "masked secret of Ada")
    assert await offers.take(code) == "no_such_code"
    assert offers.taken == ["Ada"]


async def test_an_offer_can_be_taken_for_five_minutes(offers: Offers) -> None:
    early = await offers.offer("Ada")
    offers.clock.advance(OFFER_S - 0.001)
    late = await offers.offer("Bob")
    assert await offers.take(early) == ("Ada", "masked")
    offers.clock.advance(OFFER_S)
    assert await offers.take(late) == "no_such_code"
    assert offers.taken == ["Ada"]


async def test_a_newer_offer_of_a_person_replaces_the_older(offers: Offers) -> None:
    first = await offers.offer("Ada", "first")
    other = await offers.offer("Bob")
    offers.clock.advance(OFFER_S / 2)
    second = await offers.offer("ADA", "second")
    assert await offers.take(first) == "no_such_code"
    offers.clock.advance(OFFER_S / 2)  # the older one's end isn't that of the newer one
    assert await offers.take(other) == "no_such_code"
    assert await offers.take(second) == ("ADA", "second")
    assert await offers.take(await offers.offer("Ada", "third")) == ("Ada", "third")


async def test_the_number_of_offers_is_bounded(
    offers: Offers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers_module, "MOST_OFFERS", 3)
    codes = [await offers.offer(name) for name in ("Ada", "Bob", "Cem")]
    codes[0] = await offers.offer("Ada")  # which is the newest now
    codes.append(await offers.offer("Dan"))
    assert [await offers.take(code) for code in codes] == [
        ("Ada", "masked"),
        "no_such_code",
        ("Cem", "masked"),
        ("Dan", "masked"),
    ]


async def test_codes_cannot_be_guessed(offers: Offers) -> None:
    codes = {await offers.offer(f"player {number}") for number in range(100)}
    assert len(codes) == 100
    assert all(re.fullmatch("[0-9a-f]{32}", code) for code in codes)


async def test_a_client_has_so_many_guesses() -> None:
    offers = Offers(guesses=2)
    code = await offers.offer("Ada")
    for other in ("Bob", "Cem", "Dan"):  # right codes cost nothing
        assert await offers.take(await offers.offer(other)) == (other, "masked")
    assert [await offers.take("wrong") for _ in range(3)] == [
        "no_such_code",
        "no_such_code",
        "too_fast",
    ]
    assert await offers.take("wrong", ELSEWHERE) == "no_such_code"
    assert await offers.take(code) == ("Ada", "masked")
    assert await offers.take(code) == "too_fast"  # it is a wrong one now, and earned no guess
    offers.clock.advance(10.0)
    assert await offers.take(code) == "no_such_code"


async def test_networks_of_ipv6_guess_as_one_client_and_get_in_with_a_right_code() -> None:
    offers = Offers(guesses=1)
    code = await offers.offer("Ada")
    assert await offers.take("wrong", "2001:db8::1") == "no_such_code"
    assert await offers.take("wrong", "2001:db8::2") == "too_fast"
    assert await offers.take("wrong", "2001:db8:0:1::1") == "no_such_code"
    assert await offers.take(code, "2001:db8::2") == ("Ada", "masked")
