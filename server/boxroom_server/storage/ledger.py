"""The protocols of the ledger: names, finished games, and bans."""

from collections.abc import AsyncGenerator, Callable, Sequence
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.record import Record
from boxroom_engine.room.room import Room
from boxroom_engine.room.text import clean, fold
from boxroom_server.clock import DAY_MS, Clock

DELETE_EVERY_S = 60.0
"""Time between two deletions of old games."""


class NameRecord(Struct, frozen=True):
    """A name, and the verifier of its owner's secret."""

    key: str
    """The folded name, under which names are compared."""
    name: str
    """The name as its owner writes it."""
    digest: bytes
    """The verifier (see `boxroom_engine.wire.recognition`).

    It is empty while the name has no owner, but is still in use in a room.
    """
    used_ms: int
    """Time of the owner's last visit, as precisely as the expiry of names needs it."""


class FinishedGame(Struct, frozen=True):
    """A game that was played to its end in a room."""

    log: str
    number: int
    """The game's number within its room."""
    room: str
    ended_ms: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    record: str
    """The game as `boxroom_engine.games.record` writes it."""
    people: tuple[str, ...] = ()
    """Folded names of the members who took part, whom the server's list shows the game."""
    link: str = ""
    """Random name under which everybody may see it; "" if only those who took part may."""


class StoredGame(Struct, frozen=True):
    """A finished game with its id in the ledger."""

    id: int
    room: str
    ended_ms: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    record: str
    link: str = ""

    @property
    def game(self) -> str:
        """Name and options of the game, as in the record: `dots rows=5 cols=5 border=none`."""
        return clean(self.record.partition("|")[0])

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, safe to print; always as many as there are scores."""
        try:
            names = Record.parse_heading(self.record).players
        except FormatError:
            names = ()
        if len(names) != len(self.scores):
            names = ("?",) * len(self.scores)
        return tuple(clean(name) or "?" for name in names)


class BanKind(StrEnum):
    """Kind of target of a ban."""

    NAME = "name"
    ADDRESS = "address"


class BanRecord(Struct, frozen=True):
    """A ban of a name or of a network."""

    kind: BanKind
    who: str
    """A folded name, or the addresses of a network: `192.0.2.0/24`."""
    at_ms: int
    reason: str


def finished_game(log: str, room: Room, ended_ms: int) -> FinishedGame:
    """Return the game that has ended in `room`, whose log is called `log`."""
    assert room.state is not None
    outcome = room.state.outcome
    assert outcome is not None
    record = room.record
    assert record is not None
    winners = tuple(outcome.winners)
    people = {fold(holder.member) for holder in room.seats if holder.member is not None}
    return FinishedGame(
        log,
        room.game_number,
        room.code,
        ended_ms,
        outcome.scores,
        winners,
        record.format(),
        tuple(sorted(people)),
        room.game_link,
    )


class Ledger(Protocol):
    """The saved names, games and bans of a server.

    A change is saved before any log entry that is appended after it.
    """

    name_changed: list[Callable[[str, NameRecord | None], None]]
    """Called with each folded name that another server has changed; None if it was deleted."""
    ban_changed: list[Callable[[BanKind, str, BanRecord | None], None]]
    """Called with each ban that another server has made or ended; with None if it was ended."""
    keeps_games: bool
    """Whether games that are saved can be read again."""

    def names(self) -> Sequence[NameRecord]:
        """Return the names that existed when the server started, the longest unused first."""

    def save_name(self, name: NameRecord) -> None:
        """Save `name`, replacing the record with the same key.

        It isn't saved if another server has changed that since it was last reported here.
        """

    def delete_name(self, key: str) -> None:
        """Delete the name with that key, so that anybody may claim it."""

    def save_game(self, game: FinishedGame) -> None:
        """Save `game`; saving it again has no effect."""

    def newest_games_of(self, key: str, before: int, count: int) -> Sequence[StoredGame]:
        """Return the `count` newest games of the folded name `key` with ids below `before`.

        It may take milliseconds: call it in a thread.

        Raises:
            CannotSave: they can't be read at the moment.
        """

    def game_of(self, key: str, id: int) -> StoredGame | None:
        """Return the game with that id if the folded name `key` took part; see above."""

    def game_linked(self, link: str) -> StoredGame | None:
        """Return the game with that link; see above."""

    def forget_games_of(self, key: str) -> None:
        """Forget in which games the folded name `key` took part: it gets another owner."""

    def delete_old_games(self, before_ms: int) -> None:
        """Delete some of the games kept since before `before_ms`, the oldest first.

        A game is kept since its end; later, if a start couldn't believe the time of day.
        """

    def bans(self) -> Sequence[BanRecord]:
        """Return the bans that existed when the server started."""

    def save_ban(self, ban: BanRecord) -> None:
        """Save `ban`, replacing one with the same target."""

    def delete_ban(self, kind: BanKind, who: str) -> None:
        """Delete the ban of that target."""


class StoredGames(Protocol):
    """The finished games of a store, for its operator; servers may use it meanwhile.

    All methods raise StorageError, or an error of the store, if it can't be used or is damaged.
    """

    def newest(self, limit: int | None = None) -> AsyncGenerator[StoredGame, None]:
        """Yield the games, the newest first; at most `limit` of them."""

    def oldest(self) -> AsyncGenerator[StoredGame, None]:
        """Yield the games, the oldest first."""

    async def find(self, id: int) -> StoredGame | None:
        """Return the game with that id, or None if there is none."""

    async def delete(self, ids: Sequence[int]) -> int:
        """Delete the games with these ids, and return how many existed."""

    async def delete_before(self, at_ms: int) -> int:
        """Delete the games that ended before `at_ms`, and return how many there were."""


async def delete_old_games_forever(ledger: Ledger, days: float, clock: Clock) -> None:
    """Delete the games that ended more than `days` ago, again and again until cancelled."""
    while True:
        ledger.delete_old_games(clock.now_ms() - round(days * DAY_MS))
        await clock.sleep(DELETE_EVERY_S)
