"""Passwords of private rooms: hashes, and limits on guessing by client, by room and in all."""

import asyncio

import pytest
from argon2 import PasswordHasher
from tests.server.manual_clock import ManualClock

from boxroom_engine.room.decision import CommandRefused
from boxroom_server.options import Options
from boxroom_server.people import passwords as passwords_module
from boxroom_server.people.passwords import Argon2, Passwords

ONE_LOOP = True
HOME, SITE, NEXT_DOOR = "192.0.2.1", "2001:db8::1", "2001:db8::2"


# Hashes


def test_the_right_password_matches_and_no_other() -> None:
    argon2 = Argon2()
    hashed = argon2.hash("open sesame")
    assert argon2.matches(hashed, "open sesame")
    assert not argon2.matches(hashed, "open Sesame")
    assert not argon2.matches(hashed, "")


def test_a_hash_with_other_parameters_matches() -> None:
    hashed = PasswordHasher(2, 64, 2).hash("open sesame")
    assert Argon2().matches(hashed, "open sesame")
    assert not Argon2().matches(hashed, "sesame")


def test_what_is_kept_is_salted_and_not_the_password() -> None:
    argon2 = Argon2()
    one, other = argon2.hash("pass"), argon2.hash("pass")
    assert one != other
    assert "pass" not in one
    assert one.startswith("$argon2id$")


def test_any_text_can_be_a_password() -> None:
    argon2 = Argon2()
    for text in ("ünïcödé 🎲", "\x00", "x" * 200):
        assert argon2.matches(argon2.hash(text), text)


# Limits


def limited(clock: ManualClock, tries: int = 2) -> Passwords:
    return Passwords(Options(wrong_passwords=tries, wrong_passwords_per_s=0.1), clock)


async def outcome(
    passwords: Passwords, hashed: str, password: str, address: str = HOME, room: str = "attic"
) -> bool | str:
    """Return whether it matches, or the code of the refusal."""
    try:
        return await passwords.matches(hashed, password, address=address, room=room)
    except CommandRefused as refused:
        return refused.code


async def hash_of_sesame(passwords: Passwords) -> str:
    return await passwords.hash("sesame", "198.51.100.1")


async def test_a_right_password_costs_nothing() -> None:
    passwords = limited(ManualClock())
    hashed = await hash_of_sesame(passwords)
    assert [await outcome(passwords, hashed, "sesame") for _ in range(4)] == [True] * 4


async def test_a_client_has_so_many_guesses_at_all_rooms() -> None:
    clock = ManualClock()
    passwords = limited(clock)
    hashed = await hash_of_sesame(passwords)
    for room in ("attic", "cellar"):
        assert await outcome(passwords, hashed, "please", SITE, room) is False
    assert await outcome(passwords, hashed, "sesame", NEXT_DOOR, "loft") == "too_fast"
    assert await outcome(passwords, hashed, "sesame", HOME, "loft") is True
    clock.advance(10)
    assert await outcome(passwords, hashed, "sesame", SITE, "loft") is True


async def test_a_room_has_so_many_guesses_by_all_clients() -> None:
    clock = ManualClock()
    passwords = limited(clock)
    hashed = await hash_of_sesame(passwords)
    for number in range(2):
        assert await outcome(passwords, hashed, "please", f"192.0.2.{number}") is False
    assert await outcome(passwords, hashed, "sesame", SITE) == "too_fast"
    for _ in range(2):  # the refusal at the first room took none of the client's guesses
        assert await outcome(passwords, hashed, "please", SITE, "cellar") is False
    clock.advance(10)
    assert await outcome(passwords, hashed, "sesame") is True


async def test_one_is_hashed_and_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords_module, "MOST_WAITING", 2)
    passwords = limited(ManualClock(), tries=100)
    hashed = await hash_of_sesame(passwords)
    outcomes = await asyncio.gather(*(outcome(passwords, hashed, "sesame") for _ in range(5)))
    assert sorted(map(str, outcomes)) == ["True"] * 3 + ["too_fast"] * 2
    hashing = (passwords.hash("sesame", HOME) for _ in range(5))
    hashes = await asyncio.gather(*hashing, return_exceptions=True)
    assert sum(isinstance(each, CommandRefused) for each in hashes) == 2


async def test_a_flood_of_guesses_keeps_nobody_waiting_who_has_not_guessed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passwords_module, "MOST_WAITING", 3)
    passwords = limited(ManualClock(), tries=10)
    hashed = await hash_of_sesame(passwords)
    guessers = [f"198.51.100.{number}" for number in range(2, 10)]
    done: list[str] = []

    async def ask(password: str, address: str) -> bool | str:
        answer = await outcome(passwords, hashed, password, address, room=address)
        done.append(address)
        return answer

    for guesser in guessers:
        assert await ask("a guess", guesser) is False
    done.clear()
    flood = [asyncio.ensure_future(ask("another", guesser)) for guesser in guessers]
    await asyncio.sleep(0)
    assert await ask("sesame", HOME) is True
    assert len(done) - done.count(HOME) <= len(guessers) - 3 + 1  # refused, or hashed before
    refused = [answer for answer in await asyncio.gather(*flood) if answer == "too_fast"]
    assert len(refused) == len(guessers) - 3  # one is hashed, three wait, one of which is HOME


async def test_a_refusal_as_too_many_wait_is_no_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords_module, "MOST_WAITING", 0)
    passwords = limited(ManualClock(), tries=1)
    hashed = await hash_of_sesame(passwords)
    busy = asyncio.ensure_future(outcome(passwords, hashed, "sesame", SITE, "cellar"))
    await asyncio.sleep(0)
    for _ in range(3):
        assert await outcome(passwords, hashed, "sesame") == "too_fast"
    assert await busy is True
    assert await outcome(passwords, hashed, "sesame") is True
