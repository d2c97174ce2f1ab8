"""What a server keeps that is no room's history: names, finished games, and bans."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from boxroom_engine.games.record import Record
from boxroom_engine.room.room import Room


class KeptName(Struct, frozen=True):
    """A name, and what its owner's secret is known by."""

    key: str
    """The name as names are compared."""
    name: str
    """The name as it is written."""
    digest: bytes
    """Empty while the name has no owner, but is still in use in a room."""
    used_ms: int
    """When its owner last came, as far as that matters for its keeping."""


class FinishedGame(Struct, frozen=True):
    """A game that was played to its end in a room."""

    log: str
    number: int
    """Of the game in its room."""
    room: str
    ended_ms: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    record: str
    """See `boxroom_engine.games.record`."""


class BanKind(StrEnum):
    """What a ban is of."""

    NAME = "name"
    ADDRESS = "address"


class KeptBan(Struct, frozen=True):
    """Somebody who isn't welcome."""

    kind: BanKind
    who: str
    """A name as names are compared, or the addresses of a network: `192.0.2.0/24`."""
    at_ms: int
    reason: str


def finished_game(log: str, room: Room, ended_ms: int) -> FinishedGame:
    """The game that has ended in `room`, whose log is called `log`."""
    assert room.state is not None
    outcome = room.state.outcome
    assert outcome is not None
    record = Record(room.state.game, room.players, room.tokens).format()
    winners = tuple(outcome.winners)
    return FinishedGame(log, room.game_number, room.code, ended_ms, outcome.scores, winners, record)


class Ledger(Protocol):
    """Keeps all that, before anything that is appended to a room's log afterwards."""

    def names(self) -> Sequence[KeptName]:
        """The names that there were when the server started, the longest unused first."""

    def keep_name(self, name: KeptName) -> None:
        """Keep `name`, instead of what was kept under the same key."""

    def drop_name(self, key: str) -> None:
        """Let it be anybody's again."""

    def keep_game(self, game: FinishedGame) -> None:
        """Keep `game`; again has no effect."""

    def forget_games(self, before_ms: int) -> None:
        """Delete some of the games that ended before that moment, the oldest first."""

    def bans(self) -> Sequence[KeptBan]:
        """The bans that there were when the server started."""

    def keep_ban(self, ban: KeptBan) -> None:
        """Keep `ban`, instead of one of the same."""

    def drop_ban(self, kind: BanKind, who: str) -> None:
        """Let them be welcome again."""


class MemoryLedger:
    """Keeps nothing beyond the process; what has to be known in it, its users know."""

    def names(self) -> Sequence[KeptName]:
        """None."""
        return ()

    def keep_name(self, name: KeptName) -> None:
        """See `Ledger.keep_name`."""

    def drop_name(self, key: str) -> None:
        """See `Ledger.drop_name`."""

    def keep_game(self, game: FinishedGame) -> None:
        """See `Ledger.keep_game`."""

    def forget_games(self, before_ms: int) -> None:
        """See `Ledger.forget_games`."""

    def bans(self) -> Sequence[KeptBan]:
        """None."""
        return ()

    def keep_ban(self, ban: KeptBan) -> None:
        """See `Ledger.keep_ban`."""

    def drop_ban(self, kind: BanKind, who: str) -> None:
        """See `Ledger.drop_ban`."""
