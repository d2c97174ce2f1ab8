"""Passwords of private rooms: slow hashes, made and checked away from the event loop."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

AT_ONCE = 2
"""Hashes computed at the same time; each takes 64 MiB of memory."""


class Passwords:
    """Argon2id with the library's defaults (RFC 9106, second recommendation)."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def hash(self, password: str) -> str:
        """What to keep of `password`."""
        async with self._at_once:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def matches(self, kept: str, password: str) -> bool:
        """Whether `password` is the one that `kept` was made of."""
        async with self._at_once:
            try:
                return await asyncio.to_thread(self._hasher.verify, kept, password)
            except VerificationError:
                return False
