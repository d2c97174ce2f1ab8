"""The check of a client's first message: protocol, name, bans, and the owner of the name."""

from dataclasses import dataclass

from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room.text import clean_name
from boxroom_engine.wire.messages import (
    CLOSE_BAD_GREETING,
    CLOSE_NOT_WELCOME,
    PROTOCOL,
    GameOffered,
    Hello,
    Welcome,
)
from boxroom_server.net.client_address import counted_as
from boxroom_server.net.rate_limits import KeyedRateLimiter
from boxroom_server.people.bans import Bans
from boxroom_server.people.names import Names

GAMES_OFFERED = tuple(GameOffered(kind.name, kind.title, bots_for(kind)) for kind in KINDS.values())
"""Games and bots that `Welcome` lists."""


@dataclass(frozen=True, slots=True)
class HelloRejection:
    """The reason why a hello isn't acceptable: code and sentence of the refusal."""

    code: str
    sentence: str
    close_code: int = CLOSE_BAD_GREETING
    """Code that the connection is closed with."""


class HelloCheck:
    """The rules of one server for a hello."""

    def __init__(
        self,
        names: Names,
        bans: Bans,
        new_name_limiter: KeyedRateLimiter,
        *,
        name_chars: int,
        server_version: str,
    ) -> None:
        self._names = names
        self._bans = bans
        self._new_name_allowances = new_name_limiter  # by client (see `counted_as`)
        self._name_chars = name_chars
        self._server_version = server_version

    def answer(self, hello: Hello, address: str) -> Welcome | HelloRejection:
        """Return the answer to `hello` from `address`; with a welcome, its secret owns the name."""
        if hello.protocol != PROTOCOL:
            return HelloRejection(
                "other_protocol",
                f"this server speaks protocol {PROTOCOL}, and you speak {hello.protocol}",
            )
        name = clean_name(hello.name, self._name_chars, self._names.is_known)
        if name is None:
            text = f"a name has 1 to {self._name_chars} letters, digits, spaces or _ - . '"
            return HelloRejection("bad_name", text)
        if self._bans.of_name(name) or self._bans.of_address(address):
            text = f"{name} is banned from this server"
            return HelloRejection("banned", text, CLOSE_NOT_WELCOME)
        if not self._names.is_known(name) and not self._new_name_allowances.take(
            counted_as(address)
        ):
            text = "too many new names come from your address: try again later"
            return HelloRejection("too_fast", text)
        owner = self._names.claim(name, hello.secret)
        if owner is None:
            text = f"{name} is somebody else's name here: take another"
            return HelloRejection("name_taken", text)
        return Welcome(PROTOCOL, self._server_version, owner, GAMES_OFFERED)
