"""Passwords of private rooms: slow hashes, computed off the event loop, and limits on guessing.

Hashing is slow on purpose, so its queue is bounded. Clients that guess wrong are soon refused, and
so are further guesses at a room that many clients guess at. A right password costs nothing.
"""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from boxroom_engine.room.decision import Refusal
from boxroom_server.clock import Clock
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.options import Options

MOST_HASHING = 2
"""Hashes computed at the same time; each takes 64 MiB of memory."""

MOST_WAITING = 100
"""Passwords that wait to be hashed; at twenty hashes a second they wait for five seconds."""

_BUSY = Refusal("too_fast", "many passwords are being checked: try again in a moment")
_TOO_MANY_GUESSES = Refusal("too_fast", "too many wrong passwords: try again in some minutes")


class Passwords:
    """Rate-limited hashing and checking of the passwords of one server's rooms."""

    def __init__(self, options: Options, clock: Clock) -> None:
        per_s, burst = options.wrong_passwords_per_s, options.wrong_passwords

        def now_s() -> float:
            return clock.now_ms() / 1000

        self._hasher = Argon2()
        # Guesses of each client, at all rooms.
        self._by_client = KeyedRateLimiter(per_s, burst, now_s)
        # Guesses at each room, from all clients.
        self._by_room = KeyedRateLimiter(per_s, burst, now_s)
        self._waiting = 0  # passwords that wait to be hashed or are being hashed

    async def hash(self, password: str, address: str) -> str | Refusal:
        """Return the hash of a new password; a client may do this as often as guess wrong."""
        if self._waiting >= MOST_WAITING:
            return _BUSY
        if not self._by_client.take(counted_as(address)):
            return Refusal("too_fast", "too many private rooms at once: try again in some minutes")
        self._waiting += 1
        try:
            return await self._hasher.hash(password)
        finally:
            self._waiting -= 1

    async def matches(
        self, hashed: str, password: str, *, address: str, room: str
    ) -> bool | Refusal:
        """Return whether `password` has the hash `hashed`; refuse after too many wrong guesses."""
        if self._waiting >= MOST_WAITING:
            return _BUSY
        client = counted_as(address)
        if not self._by_client.take(client):
            return _TOO_MANY_GUESSES
        if not self._by_room.take(room):
            self._by_client.refund(client)
            return _TOO_MANY_GUESSES
        self._waiting += 1
        try:
            is_right = await self._hasher.matches(hashed, password)
        finally:
            self._waiting -= 1
        if is_right:
            self._by_client.refund(client)
            self._by_room.refund(room)
        return is_right


class Argon2:
    """Argon2id with the library's defaults (RFC 9106, second recommendation), in threads."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._slots = asyncio.Semaphore(MOST_HASHING)

    async def hash(self, password: str) -> str:
        """Return a salted hash of `password`, with the parameters in its text."""
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def matches(self, hashed: str, password: str) -> bool:
        """Return whether `hashed` is a hash of `password`."""
        async with self._slots:
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, password)
            except VerificationError:
                return False
