"""Passwords of private rooms."""

import asyncio

from boxroom_server.people.passwords import Passwords


async def test_the_right_password_matches_and_no_other() -> None:
    passwords = Passwords()
    kept = await passwords.hash("open sesame")
    assert await passwords.matches(kept, "open sesame")
    assert not await passwords.matches(kept, "open Sesame")
    assert not await passwords.matches(kept, "")


async def test_what_is_kept_is_salted_and_not_the_password() -> None:
    passwords = Passwords()
    one, other = await asyncio.gather(passwords.hash("pass"), passwords.hash("pass"))
    assert one != other
    assert "pass" not in one
    assert one.startswith("$argon2id$")


async def test_any_text_can_be_a_password() -> None:
    passwords = Passwords()
    for text in ("ünïcödé 🎲", "\x00", "x" * 200):
        assert await passwords.matches(await passwords.hash(text), text)
