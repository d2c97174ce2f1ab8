"""Passwords of private rooms, for people who don't know them: how often one may try.

Hashing is slow on purpose, so it has a bounded queue; and who guesses, from one client or at
one room, soon has to wait. A right password costs nothing.
"""

from boxroom_engine.room.decision import Refusal
from boxroom_server.clock import Clock
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import Allowances
from boxroom_server.options import Options
from boxroom_server.people.passwords import Passwords

MOST_WAITING = 100
"""Passwords that wait to be hashed; at twenty hashes a second they wait for five seconds."""

_CROWDED = Refusal("too_fast", "many passwords are being checked: try again in a moment")
_GUESSED = Refusal("too_fast", "too many wrong passwords: try again in some minutes")


class PasswordGuard:
    """Hashes and checks the passwords of one server."""

    def __init__(self, options: Options, clock: Clock) -> None:
        per_s, burst = options.wrong_passwords_per_s, options.wrong_passwords

        def now_s() -> float:
            return clock.now_ms() / 1000

        self._passwords = Passwords()
        self._by_client = Allowances(per_s, burst, now_s)
        self._at_room = Allowances(per_s, burst, now_s)
        self._waiting = 0

    async def hash(self, password: str, address: str) -> str | Refusal:
        """What to keep of `password`; from one client it is as limited as guessing."""
        if self._waiting >= MOST_WAITING:
            return _CROWDED
        if not self._by_client.take(counted_as(address)):
            return Refusal("too_fast", "too many private rooms at once: try again in some minutes")
        self._waiting += 1
        try:
            return await self._passwords.hash(password)
        finally:
            self._waiting -= 1

    async def matches(self, kept: str, password: str, *, address: str, room: str) -> bool | Refusal:
        """Whether `password` is the one that `kept` was made of, unless there was much guessing."""
        if self._waiting >= MOST_WAITING:
            return _CROWDED
        client = counted_as(address)
        if not self._by_client.take(client):
            return _GUESSED
        if not self._at_room.take(room):
            self._by_client.give_back(client)
            return _GUESSED
        self._waiting += 1
        try:
            is_right = await self._passwords.matches(kept, password)
        finally:
            self._waiting -= 1
        if is_right:
            self._by_client.give_back(client)
            self._at_room.give_back(room)
        return is_right
