"""How often one may try passwords: by client, at a room, and all together."""

import asyncio

import pytest
from tests.server.manual_clock import ManualClock

from boxroom_engine.room.decision import Refusal
from boxroom_server.options import Options
from boxroom_server.people import password_guard
from boxroom_server.people.password_guard import PasswordGuard

ONE_LOOP = True
HOME, SITE, NEXT_DOOR = "192.0.2.1", "2001:db8::1", "2001:db8::2"


def guard(clock: ManualClock, tries: int = 2) -> PasswordGuard:
    return PasswordGuard(Options(wrong_passwords=tries, wrong_passwords_per_s=0.1), clock)


async def outcome(
    of: PasswordGuard, kept: str, password: str, address: str = HOME, room: str = "attic"
) -> bool | str:
    """Whether it matches, or the code of the refusal."""
    answer = await of.matches(kept, password, address=address, room=room)
    return answer.code if isinstance(answer, Refusal) else answer


async def kept(of: PasswordGuard) -> str:
    answer = await of.hash("sesame", "198.51.100.1")
    assert isinstance(answer, str)
    return answer


async def test_a_right_password_costs_nothing() -> None:
    one = guard(ManualClock())
    hashed = await kept(one)
    assert [await outcome(one, hashed, "sesame") for _ in range(4)] == [True] * 4


async def test_a_client_has_so_many_guesses_at_all_rooms() -> None:
    clock = ManualClock()
    one = guard(clock)
    hashed = await kept(one)
    for room in ("attic", "cellar"):
        assert await outcome(one, hashed, "please", SITE, room) is False
    assert await outcome(one, hashed, "sesame", NEXT_DOOR, "loft") == "too_fast"
    assert await outcome(one, hashed, "sesame", HOME, "loft") is True
    clock.advance(10)
    assert await outcome(one, hashed, "sesame", SITE, "loft") is True


async def test_a_room_has_so_many_guesses_by_all_clients() -> None:
    clock = ManualClock()
    one = guard(clock)
    hashed = await kept(one)
    for number in range(2):
        assert await outcome(one, hashed, "please", f"192.0.2.{number}") is False
    assert await outcome(one, hashed, "sesame", SITE) == "too_fast"
    assert await outcome(one, hashed, "please", SITE, "cellar") is False
    assert await outcome(one, hashed, "please", SITE, "cellar") is False  # nothing was taken above
    clock.advance(10)
    assert await outcome(one, hashed, "sesame") is True


async def test_only_so_many_wait_for_a_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(password_guard, "MOST_WAITING", 3)
    one = guard(ManualClock(), tries=100)
    hashed = await kept(one)
    outcomes = await asyncio.gather(*(outcome(one, hashed, "sesame") for _ in range(5)))
    assert outcomes == [True, True, True, "too_fast", "too_fast"]
    hashes = await asyncio.gather(*(one.hash("sesame", HOME) for _ in range(5)))
    assert [isinstance(each, Refusal) for each in hashes] == [False] * 3 + [True] * 2
