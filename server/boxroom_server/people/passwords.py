"""Passwords of private rooms: slow hashes, computed off the event loop, and limits on guessing.

Hashing is slow on purpose, so one password is hashed at a time, and a bounded number waits: those
of clients that have guessed wrong least come first, and push others out. So a flood of guesses from
many addresses takes neither the processor nor memory from games, nor keeps people out who know
their passwords. Clients that guess wrong are soon refused, and so are further guesses at a room
that many clients guess at. A right password costs nothing.
"""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from boxroom_engine.room.decision import refusal
from boxroom_server.clock import Clock
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.options import Options
from boxroom_server.people.turns import TooManyWaiting, Turns

MOST_WAITING = 100
"""Passwords that wait to be hashed; at 40 hashes a second they wait for a few seconds."""

MEMORY_KIB, PASSES, LANES = 19 * 1024, 2, 1
"""Cost of a new hash, OWASP's recommendation for one thread; a hash says by which it was made."""


class Passwords:
    """Hashing and checking of the passwords of one server's rooms; refused beyond their limits."""

    def __init__(self, options: Options, clock: Clock) -> None:
        per_s, burst = options.wrong_passwords_per_s, options.wrong_passwords

        def now_s() -> float:
            return clock.now_ms() / 1000

        self._hasher = Argon2()
        # Guesses of each client, at all rooms.
        self._by_client = KeyedRateLimiter(per_s, burst, now_s)
        # Guesses at each room, from all clients.
        self._by_room = KeyedRateLimiter(per_s, burst, now_s)
        self._turns = Turns(MOST_WAITING)

    async def hash(self, password: str, address: str) -> str:
        """Return the hash of a new password; a client may do this as often as guess wrong."""
        client = counted_as(address)
        guesses = self._by_client.taken(client)
        if not self._by_client.take(client):
            raise refusal("too_fast.private")
        try:
            async with self._turns.turn(guesses):
                return await asyncio.to_thread(self._hasher.hash, password)
        except TooManyWaiting:
            self._by_client.refund(client)
            raise refusal("too_fast.passwords") from None

    async def matches(self, hashed: str, password: str, *, address: str, room: str) -> bool:
        """Return whether `password` has the hash `hashed`; refuse after too many wrong guesses."""
        client = counted_as(address)
        guesses = self._by_client.taken(client)
        if not self._by_client.take(client):
            raise refusal("too_fast.guesses")
        if not self._by_room.take(room):
            self._by_client.refund(client)
            raise refusal("too_fast.guesses")
        is_right = None
        try:
            async with self._turns.turn(guesses):
                is_right = await asyncio.to_thread(self._hasher.matches, hashed, password)
        except TooManyWaiting:
            raise refusal("too_fast.passwords") from None
        finally:
            if is_right is not False:
                self._by_client.refund(client)
                self._by_room.refund(room)
        return is_right


class Argon2:
    """Argon2id; a call takes some 30 ms, without Python's lock."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(PASSES, MEMORY_KIB, LANES)

    def hash(self, password: str) -> str:
        """Return a salted hash of `password`, with the parameters in its text."""
        return self._hasher.hash(password)

    def matches(self, hashed: str, password: str) -> bool:
        """Return whether `hashed` is a hash of `password`."""
        try:
            return self._hasher.verify(hashed, password)
        except VerificationError:
            return False
