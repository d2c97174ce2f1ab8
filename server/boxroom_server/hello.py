"""The check of a client's first messages: protocol, name, bans, and the owner of the name."""

from dataclasses import dataclass

from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.text import clean_name
from boxroom_engine.wire.messages import (
    CLOSE_BAD_GREETING,
    CLOSE_NOT_WELCOME,
    PROTOCOL,
    Challenge,
    Hello,
    ServerProof,
    Welcome,
)
from boxroom_engine.wire.recognition import (
    NO_CHANNEL,
    Exchange,
    new_nonce,
)
from boxroom_server.clock import Clock
from boxroom_server.games_offered import welcome
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.people.bans import Bans
from boxroom_server.people.names import Names


class HelloRejected(CommandRefused):
    """A hello isn't acceptable, which ends the connection."""

    def __init__(self, code: str, said: Phrase, close_code: int = CLOSE_BAD_GREETING) -> None:
        super().__init__(code, said)
        self.close_code = close_code
        """Code that the connection is closed with."""


@dataclass(frozen=True, slots=True)
class AnsweredChallenge:
    """A challenge that was answered, to which the proof in a hello belongs."""

    exchange: Exchange
    verifier: bytes

    @property
    def answer(self) -> ServerProof:
        """The answer to the client."""
        return ServerProof(self.exchange.server_nonce, self.exchange.server_proof(self.verifier))

    def key_of(self, hello: Hello) -> bytes | None:
        """Return the key that `hello` proves; None if it proves none."""
        if hello.proof is None or hello.name != self.exchange.name:
            return None
        return self.exchange.key_from(hello.proof, self.verifier)


class HelloCheck:
    """The rules of one server for a hello: one that breaks them is `HelloRejected`."""

    def __init__(
        self,
        names: Names,
        bans: Bans,
        new_name_limiter: KeyedRateLimiter,
        *,
        name_chars: int,
        server_version: str,
        server_id: str,
        page: str | None,
        clock: Clock,
        name_wait_s: float,
        message_bytes: int,
    ) -> None:
        self._message_bytes = message_bytes
        self._name_wait_s = name_wait_s  # for reports of names by other servers
        self._page = page
        self._clock = clock
        self._server_id = server_id
        self._names = names
        self._bans = bans
        self._new_name_allowances = new_name_limiter  # by client (see `counted_as`)
        self._name_chars = name_chars
        self._server_version = server_version

    async def answer_challenge(self, challenge: Challenge, channel: str) -> AnsweredChallenge:
        """Return the answer to `challenge` over a connection with that `channel`, or refuse it."""
        if challenge.channel not in (NO_CHANNEL, channel):
            raise refusal("other_channel")
        await self._names.wait_for(challenge.name, self._name_wait_s)
        verifier = self._names.verifier(challenge.name)
        if verifier is None:
            raise refusal("name_unknown")
        exchange = Exchange(
            self._server_id, challenge.nonce, new_nonce(), challenge.channel, challenge.name
        )
        return AnsweredChallenge(exchange, verifier)

    def answer(
        self, hello: Hello, address: str, challenge: AnsweredChallenge | None = None
    ) -> Welcome:
        """Return the answer to `hello` from `address`; with a welcome, its secret owns the name.

        `challenge` is the one that was answered last on the connection.
        """
        if (hello.secret is None) == (hello.proof is None):
            raise HelloRejected("bad_message", phrase("refusal.bad_message.hello"))
        if hello.protocol != PROTOCOL:
            raise HelloRejected(
                "other_protocol",
                phrase("refusal.other_protocol", ours=PROTOCOL, yours=hello.protocol),
            )
        name = clean_name(hello.name, self._name_chars, self._names.is_known)
        if name is None:
            raise HelloRejected("bad_name", phrase("refusal.bad_name", n=self._name_chars))
        if self._bans.of_name(name) or self._bans.of_address(address):
            said = phrase("refusal.banned", name=name)
            raise HelloRejected("banned", said, CLOSE_NOT_WELCOME)
        if (mistake := self._names.mistake_in_claim(name)) is not None:
            raise HelloRejected(*mistake)
        if not self._names.is_known(name) and not self._new_name_allowances.take(
            counted_as(address)
        ):
            raise HelloRejected("too_fast", phrase("refusal.too_fast.names"))
        owner = self._claim(name, hello, challenge)
        if owner is None:
            raise HelloRejected("name_taken", phrase("refusal.name_taken", name=name))
        now_ms = self._clock.now_ms()
        return welcome(self._server_version, owner, now_ms, self._page, self._message_bytes)

    def verifier(self, name: str) -> bytes:
        """Return the verifier of the owner of `name`, who has just been welcomed."""
        return self._names.verifier(name) or b""

    def spelling(self, name: str, verifier: bytes) -> str | None:
        """Return `name` in its stored spelling; None if it isn't of the owner of `verifier`."""
        return self._names.spelling(name, verifier)

    def _claim(self, name: str, hello: Hello, challenge: AnsweredChallenge | None) -> str | None:
        """Return the name in its stored spelling, or None if it belongs to another secret."""
        if hello.secret is not None:
            return self._names.claim(name, hello.secret)
        key = challenge.key_of(hello) if challenge is not None else None
        return None if key is None else self._names.claim_by_key(name, key)
