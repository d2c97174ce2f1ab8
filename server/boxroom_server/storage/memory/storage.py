"""A storage in memory, with a ledger that saves nothing."""

from collections.abc import Callable, Sequence

from boxroom_server.storage.ledger import BanKind, BanRecord, FinishedGame, NameRecord, StoredGame
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import RoomLog
from boxroom_server.storage.storage import Storage


class MemoryLedger:
    """A ledger that saves nothing: its users remember what this process has to know."""

    def __init__(self) -> None:
        self.name_changed: list[Callable[[str, NameRecord | None], None]] = []
        """See `Ledger.name_changed`."""
        self.ban_changed: list[Callable[[BanKind, str, BanRecord | None], None]] = []
        """See `Ledger.ban_changed`."""

    def names(self) -> Sequence[NameRecord]:
        """Return none."""
        return ()

    def save_name(self, name: NameRecord) -> None:
        """See `Ledger.save_name`."""

    def delete_name(self, key: str) -> None:
        """See `Ledger.delete_name`."""

    def save_game(self, game: FinishedGame) -> None:
        """See `Ledger.save_game`."""

    def newest_games_of(self, key: str, before: int, count: int) -> Sequence[StoredGame]:
        """Return none."""
        return ()

    def game_of(self, key: str, id: int) -> StoredGame | None:
        """Return None."""
        return None

    def forget_games_of(self, key: str) -> None:
        """See `Ledger.forget_games_of`."""

    def delete_old_games(self, before_ms: int) -> None:
        """See `Ledger.delete_old_games`."""

    def bans(self) -> Sequence[BanRecord]:
        """Return none."""
        return ()

    def save_ban(self, ban: BanRecord) -> None:
        """See `Ledger.save_ban`."""

    def delete_ban(self, kind: BanKind, who: str) -> None:
        """See `Ledger.delete_ban`."""


def memory_storage(room_log: RoomLog | None = None) -> Storage:
    """Return a storage that ends with the process; tests bring room logs of their own."""
    return Storage(MemoryLog() if room_log is None else room_log, MemoryLedger())
